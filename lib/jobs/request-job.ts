/** The request for a job that does the same for everyone: a job that has not started serves all of its requests. */

import type { Caller } from '../base/caller.ts';
import { jobAt, newJob, waitsFor } from './job.ts';
import type { Job } from './schema.ts';
import {
  getJob,
  type ProjectStore,
  type Queue,
  queueJob,
  type StoredLatestJob,
  takeJobPlace,
} from './store.ts';

type Request = {
  type: Job['type'];
  queue: Queue;
  /** The latest job of the queue. */
  latest: StoredLatestJob | undefined;
  /** The id of a new job. */
  id: string;
  caller: Pick<Caller, 'principal' | 'suspensions'>;
  nowMs: number;
  /** How many such jobs the tenant may have at the same time; undefined for any number. */
  quota: number | undefined;
};

type Reply =
  | { status: 200; data: Job }
  | { status: 202; data: Job; writes: ReturnType<typeof queueJob> }
  | { error: 'quota_exceeded'; message: string };

export const jobsExceeded = (quota: number): string =>
  `The quota of ${quota} jobs at the same time (quotas.jobs) is used up. Send the request again ` +
  'when one of these jobs has ended.';

/**
 * @returns 200 with the job of the same type that is queued and has not started, or 202 with a new job and its
 *   writes. A queued job that waits for another job counts towards the quota too
 */
export async function requestJob(
  store: ProjectStore,
  { type, queue, latest, id, caller, nowMs, quota }: Request,
): Promise<Reply> {
  const last = latest && (await getJob(store, latest.jobId));
  // A queued job reads its input when it starts, so it includes everything that is stored by now. A running job may not include
  // it.
  const isNext = last?.type === type && jobAt(last, nowMs, caller).status === 'queued';
  if (isNext) return { status: 200, data: last };
  const job = newJob(id, type, caller.principal, nowMs, waitsFor(last));
  const writes = queueJob(store, queue, job, latest);
  if (quota === undefined) return { status: 202, data: job, writes };
  const place = await takeJobPlace(store, quota, job, { nowMs, caller });
  if (!place) return { error: 'quota_exceeded', message: jobsExceeded(quota) };
  return { status: 202, data: job, writes: [...writes, place] };
}
