/**
 * The request for a job that does the same for everyone: a job that has not started serves all of its requests. The headers are those
 * of every response that is a job.
 */

import type { Caller } from '../base/caller.ts';
import { maxWaitSeconds } from '../schema/query.ts';
import { isOpen, jobAt, newJob, waitsFor } from './job.ts';
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
  const job = newJob(id, type, caller.principal, nowMs, { after: waitsFor(last) });
  const writes = queueJob(store, queue, job, latest);
  if (quota === undefined) return { status: 202, data: job, writes };
  const place = await takeJobPlace(store, quota, job, { nowMs, caller });
  if (!place) return { error: 'quota_exceeded', message: jobsExceeded(quota) };
  return { status: 202, data: job, writes: [...writes, place] };
}

const retryAfterSeconds = 2;

export const jobHeaders = {
  Location: {
    description: 'The address of the job, with `waitSeconds`.',
    value: ({ id }: Job, { path }: { path: string }) =>
      `${projectPath(path)}/jobs/${id}?waitSeconds=${maxWaitSeconds}`,
  },
  'Retry-After': {
    description: 'Seconds to wait before you poll the job again. Omitted when it has ended.',
    value: (job: Job) => (isOpen(job) ? String(retryAfterSeconds) : undefined),
  },
} as const;

/** @returns the part of a path below a project that names the project */
const projectPath = (path: string): string => /^.*?\/projects\/[^/]+/.exec(path)?.[0] ?? '';
