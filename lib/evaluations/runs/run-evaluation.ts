/**
 * Evaluates conversations, for a job. A run can be killed between any two lines, and the next run continues:
 *
 *   claim → some conversations, oldest first: rules, then calls of models → the position behind them → … → end
 *
 * The work is done in turns. The runs of a project wait for each other; dry runs and previews store no score, so they wait for
 * nobody.
 */

import { usdOf } from '../../base/money.ts';
import { secondMs, timestamp } from '../../base/time.ts';
import { newEvaluation, type StopReason } from '../../jobs/evaluation.ts';
import { isOpen, jobAt } from '../../jobs/job.ts';
import { advance, JobFailure, type JobRun, requireActive, runJob } from '../../jobs/run.ts';
import { changeOfJob, getJob, getLatestJob, getOpenJobs, wantsJob } from '../../jobs/store.ts';
import { getProject } from '../../projects/store.ts';
import type { Change } from '../../workers/change.ts';
import type { Notice } from '../../workers/notice.ts';
import { isScheduled, schedule, type Target as Timer, unschedule } from '../../workers/schedule/schedule.ts';
import { TurnOver } from '../../workers/turn.ts';
import type { WorkerInput } from '../../workers/worker.ts';
import { commitPatiently } from '../../workers/writes.ts';
import type { ProjectStore } from '../store/evaluators.ts';
import { getRunRequest, keepRunRequest, removeRunRequest, type StoredRunRequest } from '../store/runs.ts';
import { ModelUnavailable } from './ask.ts';
import { evaluateAll } from './conversations.ts';
import { evaluatePreview } from './previews.ts';
import { pinnedScorers, UnlistedModel } from './scorers.ts';
import type { Step } from './state.ts';
import { conversationTarget, previewTarget } from './targets.ts';

export const runnerId = 'evaluation-runner';

const requestMissing = {
  code: 'worker_failed',
  message: 'The job no longer has its request. Start another run.',
};

const timerOf = ({ projectId }: ProjectStore, jobId: string): Timer => ({
  worker: runnerId,
  table: 'jobs',
  partition: [projectId],
  id: jobId,
});

/**
 * One turn of the run. If the run has ended, the next run gets a notice of its own.
 * @throws Suspended, TurnOver, or another Error after which the notice comes again
 */
export async function runEvaluation(store: ProjectStore, notice: Notice, input: WorkerInput): Promise<void> {
  const { id: jobId } = notice;
  const turn = await nextTurn(store, jobId, input);
  if (turn === jobId) await runStep(store, notice, input);
  else if (turn !== undefined && !input.later({ ...notice, id: turn }, 0))
    throw new Error('the next run does not start');
  await forgetEnded(store, jobId, input);
}

/** @returns the job whose turn it is; undefined if another notice continues it */
async function nextTurn(store: ProjectStore, jobId: string, input: WorkerInput): Promise<string | undefined> {
  const job = await getJob(store, jobId);
  if (!job) return undefined;
  if (job.evaluation?.kind !== 'run') return isOpen(job) ? jobId : undefined;
  const last = isOpen(job) ? jobId : ((await getLatestJob(store, 'evaluations'))?.jobId ?? jobId);
  const [first] = await getOpenJobs(store, last);
  if (!first || first.id === jobId) return first?.id;
  const { status, deadlineAt } = jobAt(first, input.nowMs(), input.organisation);
  if (!isOpen({ status })) return first.id;
  // The notice of a job that has ended starts the next one, if that waits. A job without a timer starts by its own notice, which is
  // still to come: two notices would ask each question twice.
  if (!isOpen(job))
    return status === 'queued' && (await isScheduled(store, timerOf(store, first.id))) ? first.id : undefined;
  await schedule(store, timerOf(store, jobId), Date.parse(deadlineAt), input);
  // A suspension may begin before its turn, and no notice of it comes before the end.
  await commitPatiently(input, [keepRunRequest(store, jobId)]);
  // The first job may have ended since it was read. If its notice was handled already, only this starts the next one.
  const latestState = await getJob(store, first.id);
  return latestState && isOpen(latestState) ? undefined : jobId;
}

async function runStep(store: ProjectStore, notice: Notice, input: WorkerInput): Promise<void> {
  const { id: jobId } = notice;
  const request = await getRunRequest(store, jobId);
  const step = async (run: JobRun<'conversations.evaluate'>) => {
    if (!request) throw new JobFailure(requestMissing);
    await doStep(run, request, notice).catch(refuseModel);
  };
  await runJob(store, jobId, input, ['conversations.evaluate'], step, keepRunRequest(store, jobId));
}

function refuseModel(error: unknown): never {
  throw error instanceof ModelUnavailable || error instanceof UnlistedModel
    ? new JobFailure({ code: 'model_unavailable', message: error.message })
    : error;
}

async function doStep(
  run: JobRun<'conversations.evaluate'>,
  request: StoredRunRequest,
  notice: Notice,
): Promise<void> {
  const { store, job, input } = run;
  const project = requireActive(await getProject(store, store.projectId), 'run');
  const state = job.evaluation ?? newEvaluation('run');
  const step: Step = {
    ...run,
    request,
    scorers: await pinnedScorers(store, request, job.createdBy, input.models.listed),
    target:
      state.kind === 'preview'
        ? previewTarget(store, job.id, input.nowMs)
        : conversationTarget(store, { holder: job.id, jobId: job.id, nowMs: input.nowMs }),
    state,
    isOver: input.turn.isOver,
  };
  const work = state.kind === 'preview' ? evaluatePreview : evaluateAll;
  const end = await work(step, project);
  if (end !== 'later' && 'pauseMs' in end) return pause(step, notice, end.pauseMs);
  if (end !== 'later') return finish(step, end.stopped);
  await advance(step, { evaluation: step.state, attempts: 0 });
  throw new TurnOver();
}

/** A pause for a model is no failed attempt. Between two turns, the job has no owner. */
async function pause(step: Step, notice: Notice, pauseMs: number): Promise<void> {
  const { store, job, input } = step;
  if (!input.later(notice, Math.ceil(pauseMs / secondMs)))
    await schedule(store, timerOf(store, job.id), input.nowMs() + pauseMs, input);
  await advance(step, { evaluation: step.state, attempts: 0, attempt: '' });
}

async function finish(step: Step, stopped: StopReason | undefined): Promise<void> {
  const { counts, spentMicroUsd } = step.state;
  const { conversations: done } = counts;
  await advance(step, {
    status: 'succeeded',
    progress: { total: done, done, failed: 0 },
    result: { ...counts, costUsd: usdOf(spentMicroUsd), stoppedBecause: stopped ?? null },
    finishedAt: timestamp(step.input.nowMs()),
    attempt: '',
  });
}

/** Removes the request of a run that has ended, because it may name a user. */
async function forgetEnded(store: ProjectStore, jobId: string, input: WorkerInput): Promise<void> {
  const job = await getJob(store, jobId);
  const organisation = (await input.readOrganisation()) ?? input.organisation;
  if (job && isOpen(jobAt(job, input.nowMs(), organisation))) return;
  await commitPatiently(input, [removeRunRequest(store, jobId)]);
  await unschedule(store, timerOf(store, jobId), input);
}

const wantsNew = wantsJob('conversations.evaluate');

/** A new run, or the end of a run, after which the next one starts. */
export const wantsRun = (change: Change): boolean => wantsNew(change) || endsRunOrStep(change);

function endsRunOrStep(change: Change): boolean {
  const { old, now } = changeOfJob(change) ?? {};
  if (!old || now?.type !== 'conversations.evaluate') return false;
  return old.evaluation?.step !== now.evaluation?.step || (isOpen(old) && !isOpen(now));
}
