/**
 * One step of a re-index: computes the missing vectors of one part of its build, in turns. One transaction writes the part, ends the
 * step, and counts it in the job. So a step that is killed is repeated, and one that comes twice does nothing. A turn that ends
 * before stores the vectors that it has, and the next turn computes those that the part lacks.
 */

import type { ProjectStore } from '../../documents/store/documents.ts';
import { isEncoding, isOpen, jobAt } from '../../jobs/job.ts';
import { claim } from '../../jobs/run.ts';
import { changeJob, getJob, type StoredJob } from '../../jobs/store.ts';
import { type EncoderSource, encoderSource } from '../../search/semantic/encoder.ts';
import type { Notice } from '../../workers/notice.ts';
import { TurnOver } from '../../workers/turn.ts';
import type { WorkerInput, Write } from '../../workers/worker.ts';
import { commitPatiently } from '../../workers/writes.ts';
import { getPrepared } from '../store/builds.ts';
import { endStep, getStep } from '../store/encoding-steps.ts';
import { getVectorPart, type PartPiece, packPart, putVectorPart, unpackPart } from '../store/vectors.ts';
import { unstoppedBeforeRemoval } from './knowledge-job.ts';
import { fillPart } from './piece-vectors.ts';

/** The job's run writes its steps a moment before the job waits for them. */
const soonSeconds = 5;

/** @throws Suspended */
export async function encodeStep(
  store: ProjectStore,
  notice: Notice,
  input: WorkerInput,
  encoder: EncoderSource = encoderSource(),
): Promise<void> {
  const step = await getStep(store, notice.id);
  if (!step) return;
  const { jobId, part, todo } = step;
  const drop = async () => void (await commitPatiently(input, [endStep(store, step)]));
  const job = await getJob(store, jobId);
  if (!job || !isOpen(job)) return drop();
  const own = await unstoppedBeforeRemoval(store, jobId, input);
  if (!isOpen(jobAt(job, input.nowMs(), await own.goOn()))) {
    // Stores that it has failed, so that the jobs behind it start.
    await claim(store, jobId, own, ['knowledge.reindex']);
    return drop();
  }
  if (job.encoding === undefined) {
    if (!input.later(notice, soonSeconds)) throw new Error('the job does not wait for its steps yet');
    return;
  }
  const { vectorParts = 0 } = (await getPrepared(store, jobId)) ?? {};
  // An earlier run of the job has planned it, for more documents.
  if (part >= vectorParts) return drop();
  const stored = await getVectorPart(store, jobId, part);
  const pieces = stored && unpackPart(stored.bytes);
  const goesOn = () => !input.turn.isOver();
  const filled = pieces && (await fillPart(store, jobId, { pieces, todo }, await encoder.load(), goesOn));
  const done = filled ? countFilled(pieces, filled.pieces) : 0;
  // An earlier run of the job has planned it, with another part in this place.
  if (!filled || done === 0) return drop();
  const writes = [putVectorPart(store, jobId, part, packPart(filled.pieces), stored)];
  await own.goOn();
  if (!filled.isComplete) {
    await countPieces(store, jobId, { done, steps: 0 }, writes, own);
    throw new TurnOver();
  }
  if (!(await countPieces(store, jobId, { done, steps: 1 }, [endStep(store, step), ...writes], own)))
    await drop();
}

const countFilled = (before: readonly PartPiece[], after: readonly PartPiece[]): number =>
  after.filter(({ vector }, at) => vector !== undefined && before[at]?.vector === undefined).length;

/** What a turn has computed: how many pieces, and whether its step has ended. */
type Computed = { done: number; steps: 0 | 1 };

/**
 * Commits the writes of a step with its progress in the job.
 * @returns false if the job has ended, or if another run has done the step
 */
async function countPieces(
  store: ProjectStore,
  jobId: string,
  computed: Computed,
  writes: readonly Write[],
  input: WorkerInput,
): Promise<boolean> {
  for (;;) {
    const job = await getJob(store, jobId);
    if (!job || !isEncoding(job)) return false;
    const jobChange = changeJob(store, job, progressAfter(job, computed));
    const refusal = await commitPatiently(input, [...writes, jobChange]);
    if (!refusal) return true;
    // Another step of the job was faster.
    if (refusal.failed.every((write) => write === jobChange)) continue;
    return false;
  }
}

function progressAfter({ encoding = 0, progress }: StoredJob, { done, steps }: Computed) {
  const { total = 0, done: before = 0 } = progress.pieces ?? {};
  return {
    encoding: encoding - steps,
    attempts: 0,
    progress: { ...progress, pieces: { total, done: before + done } },
  };
}
