/** The jobs on a project's search indexes. They run one at a time, in the order of the requests. */

import { timestamp } from '../../base/time.ts';
import type { ProjectStore } from '../../documents/store/documents.ts';
import { extractions, isExtraction } from '../../documents/store/extractions.ts';
import { JobBusy, requireIdle } from '../../jobs/busy.ts';
import { isEncoding, isOpen, removesData } from '../../jobs/job.ts';
import { getJob, getLatestJob, getOpenJobs, jobs } from '../../jobs/store.ts';
import { asIfResumed } from '../../organisations/suspensions.ts';
import type { Change } from '../../workers/change.ts';
import { isActive } from '../../workers/suspension.ts';
import type { WorkerInput } from '../../workers/worker.ts';
import { filesWaitEndMs, wakeAt } from './wait-for-files.ts';

/**
 * An expunge does not wait for the end of a suspension, so those before it do not either: they could publish what it removes.
 */
const asIfActive = (input: WorkerInput): WorkerInput => ({
  ...input,
  async goOn() {
    const organisation = await input.readOrganisation();
    return asIfResumed(organisation ?? input.organisation, timestamp(input.nowMs()));
  },
});

/** @returns the input for a job: the suspension does not stop a job that a removal of data waits for */
export async function unstoppedBeforeRemoval(
  store: ProjectStore,
  jobId: string,
  input: WorkerInput,
): Promise<WorkerInput> {
  if (isActive(input.organisation)) return input;
  const latest = await getLatestJob(store, 'knowledge');
  const open = latest ? await getOpenJobs(store, latest.jobId) : [];
  const isBefore = open.findLastIndex(removesData) > open.findIndex(({ id }) => id === jobId);
  return isBefore ? asIfActive(input) : input;
}

type Run = (store: ProjectStore, jobId: string, input: WorkerInput) => Promise<void>;

type Runs = Readonly<Record<'knowledge.reindex' | 'knowledge.expunge', Run>>;

/**
 * Runs the jobs that the job waits for, then the job itself. Usually those have ended. If one has lost its run, this run takes it
 * over, so that it cannot publish an older state of the documents later. If one waits for its steps or for files, this run ends:
 * the last step or file starts the run that continues it, and the jobs behind it. It also goes on when the time for
 * files ends. A job does not wait for files if a removal of data is behind it, because files wait for the end of a suspension.
 * @param run the jobs by their types
 * @throws JobBusy if another run works on such a job
 */
export async function runKnowledgeJob(
  store: ProjectStore,
  jobId: string,
  input: WorkerInput,
  run: Runs,
): Promise<void> {
  const open = await getOpenJobs(store, jobId);
  const lastRemoval = open.findLastIndex(removesData);
  requireIdle(open, jobId, input.nowMs());
  for (const [index, { id, type }] of open.entries()) {
    const isBeforeRemoval = index <= lastRemoval;
    const waitEndMs = isBeforeRemoval ? undefined : await filesWaitEndMs(store, id, input);
    if (waitEndMs !== undefined) return wakeAt(store, jobId, waitEndMs, input);
    const jobInput = isBeforeRemoval ? asIfActive(input) : input;
    await run[type === 'knowledge.expunge' ? type : 'knowledge.reindex'](store, id, jobInput);
    const job = await getJob(store, id);
    if (job && isEncoding(job)) return;
    if (id !== jobId && job && isOpen(job)) throw new JobBusy(job, input.nowMs());
  }
  await runNext(store, jobId, input, run);
}

/** The runs of the jobs behind a job that waited for its steps have ended. */
async function runNext(store: ProjectStore, jobId: string, input: WorkerInput, run: Runs): Promise<void> {
  const job = await getJob(store, jobId);
  const latest = job?.encoding === undefined ? undefined : await getLatestJob(store, 'knowledge');
  if (latest && latest.jobId !== jobId) await runKnowledgeJob(store, latest.jobId, input, run);
}

/**
 * A file was read, or its document has another file or is gone: runs the jobs that wait for it. If the first of them has begun, its
 * run sees the end of the file before it goes on to the next job. To take it over would cost one of its attempts for each file.
 */
export async function runWaitingJobs(store: ProjectStore, input: WorkerInput, run: Runs): Promise<void> {
  const latest = await getLatestJob(store, 'knowledge');
  const open = latest ? await getOpenJobs(store, latest.jobId) : [];
  const [first] = open;
  if (latest && first && first.attempts === 0) await runKnowledgeJob(store, latest.jobId, input, run);
}

/** @returns whether a change of the knowledge table ends the reading of a file */
export const endsExtraction = ({ table, kind, partition, before, after }: Change): boolean =>
  table === 'knowledge' &&
  isExtraction(partition) &&
  kind !== 'INSERT' &&
  (before && extractions.read(before).uploadId) !== (after && extractions.read(after).uploadId);

/**
 * @returns whether a change of the jobs table is the end of a job's last step, or the end of a job that waited for its steps.
 *   Then its worker continues
 */
export function continuesJob({ kind, partition, id, before, after }: Change): boolean {
  if (kind !== 'MODIFY' || partition.length !== 1 || !id.startsWith('job_') || !before || !after)
    return false;
  return isEncoding(jobs.read(before)) && !isEncoding(jobs.read(after));
}
