/** Jobs that run one after another: a job waits while another run works on a job before it. */

import { timeOfId } from '../base/ids.ts';
import { minuteMs } from '../base/time.ts';
import type { Notice } from '../workers/notice.ts';
import { schedule } from '../workers/schedule/schedule.ts';
import type { WorkerInput } from '../workers/worker.ts';
import { isOpen } from './job.ts';
import { getJob, getLatestJob, getOpenJobs, type ProjectStore, type Queue, type StoredJob } from './store.ts';

/** A run usually writes its progress more often. If it does not, another run takes the job over, which costs one attempt. */
export const silentMs = 2 * minuteMs;

/** Another run works on a job that this run waits for. */
export class JobBusy extends Error {}

/**
 * Taking a job over costs one of its ten attempts, and the new run begins again at the last stored progress. So a burst of jobs
 * must not take over the job before them.
 * @param open the jobs that a run is about to do
 * @param ownId the job of the notice. If the notice comes again, its earlier run has ended
 * @throws JobBusy if a run works on another of these jobs, or will go on in its next turn: it has written a moment ago
 */
export function requireIdle(open: readonly StoredJob[], ownId: string, nowMs: number): void {
  const isBusy = ({ id, attempt, changedIn }: StoredJob) =>
    id !== ownId && attempt !== '' && timeOfId(changedIn) > nowMs - silentMs;
  if (open.some(isBusy)) throw new JobBusy();
}

type Place = { store: ProjectStore; queue: Queue; worker: string };

/**
 * Does the work of a job, and of those before it. If another run works on such a job, the notice ends, and the run that ends the
 * other job sends it again. The schedule sends it, too, so that a job whose run is silent is taken over.
 * @param notice any notice of the project
 */
export async function unlessBusy(
  { store, queue, worker }: Place,
  jobId: string,
  notice: Notice,
  input: WorkerInput,
  work: () => Promise<void>,
): Promise<void> {
  const partition = [store.projectId];
  try {
    await work();
  } catch (error) {
    if (!(error instanceof JobBusy)) throw error;
    const target = { worker, table: 'jobs', partition, id: jobId } as const;
    return schedule(input.store, target, input.nowMs() + silentMs, input);
  }
  const next = await nextAfter(jobId, store, queue);
  if (next) input.later({ ...notice, table: 'jobs', partition, id: next.id, pauses: 0 }, 0);
}

/** @returns the job that waits for the end of this one; undefined if this one goes on, or if a run has begun the next one */
async function nextAfter(jobId: string, store: ProjectStore, queue: Queue): Promise<StoredJob | undefined> {
  const [job, latest] = await Promise.all([getJob(store, jobId), getLatestJob(store, queue)]);
  if (!latest || latest.jobId === jobId || (job && isOpen(job))) return undefined;
  const [next] = await getOpenJobs(store, latest.jobId);
  return next?.attempt === '' ? next : undefined;
}
