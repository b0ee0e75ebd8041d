/**
 * Jobs, below their project, and for each type a pointer to the latest: one runs at a time. A job that is put is the
 * message that wakes its worker.
 */

import { idRangeOf } from '../ids.ts';
import type { Job } from '../models/job.ts';
import { dayMs, hourMs, timestamp, ttlSeconds } from '../time.ts';
import type { Page, Store, Within } from './store.ts';
import type { Item, Write } from './write.ts';

const lifetimeMs = hourMs;
const keptMs = 30 * dayMs;
const jobsOf = (projectId: string): Within => [projectId];
const latestOf = (projectId: string): Within => [projectId, 'latest'];
const { first: from, last: to } = idRangeOf('job');

export type StoredJob = Job & {
  /** The worker's run that has the job in hand: another one that takes it over ends this one's right to write. */
  attempt: string;
  attempts: number;
  /** How many blocks of the build are written: where the next run goes on. */
  blocks: number;
  changedIn: string;
};
type Latest = { id: string; jobId: string; changedIn: string };

const deadlineExceeded = {
  code: 'deadline_exceeded',
  message: 'The job did not end in time. Start another one: it goes on with what has changed since.',
};

/** Whether the job has not ended. */
export const isOpen = ({ status }: Pick<Job, 'status'>): boolean =>
  status === 'queued' || status === 'running';

/** @returns the job as it is at that time: one that has not ended by its deadline has failed, whoever has noted it */
export function jobAt<Some extends Job>(job: Some, nowMs: number): Some {
  if (!isOpen(job) || Date.parse(job.deadlineAt) > nowMs) return job;
  return { ...job, status: 'failed', error: deadlineExceeded, finishedAt: job.deadlineAt };
}

/** @returns the job as it is stored; `jobAt` says what it is by now */
export const getJob = (store: Store, projectId: string, id: string): Promise<StoredJob | undefined> =>
  store.get('jobs', id, jobsOf(projectId)) as Promise<StoredJob | undefined>;

export type JobList = {
  status: Job['status'] | undefined;
  after: string | undefined;
  limit: number;
};

export async function listJobs(
  store: Store,
  projectId: string,
  { status, after, limit }: JobList,
  nowMs: number,
): Promise<Page<StoredJob>> {
  const keep = (item: Item) =>
    status === undefined || jobAt(item as Item & StoredJob, nowMs).status === status;
  const page = await store.page('jobs', { within: jobsOf(projectId), from, to, after, limit, keep });
  return { ...page, items: (page.items as (Item & StoredJob)[]).map((job) => jobAt(job, nowMs)) };
}

/** @returns the pointer to the latest job of that type, and the job */
export async function getLatestJob(store: Store, projectId: string, type: Job['type']) {
  const latest = (await store.get('jobs', type, latestOf(projectId))) as Latest | undefined;
  return { latest, job: latest && (await getJob(store, projectId, latest.jobId)) };
}

/** @returns a job as it is when somebody asks for it */
export const newJob = (
  id: string,
  type: Job['type'],
  createdBy: string,
  nowMs: number,
): Omit<StoredJob, 'changedIn'> => ({
  id,
  type,
  status: 'queued',
  progress: { total: 0, done: 0, failed: 0 },
  failures: [],
  result: null,
  error: null,
  createdAt: timestamp(nowMs),
  createdBy,
  startedAt: null,
  finishedAt: null,
  deadlineAt: timestamp(nowMs + lifetimeMs),
  attempt: '',
  attempts: 0,
  blocks: 0,
});

/** Queues a job as the latest of its type, unless somebody else has queued one since the pointer was read. */
export const queueJob = (
  store: Store,
  projectId: string,
  job: Omit<StoredJob, 'changedIn'>,
  latest: Latest | undefined,
  nowMs: number,
): Write<never>[] => [
  store.put(
    'jobs',
    { ...job, ttl: ttlSeconds(nowMs + keptMs) },
    { within: jobsOf(projectId), condition: { kind: 'absent' } },
  ),
  store.put(
    'jobs',
    { id: job.type, jobId: job.id },
    {
      within: latestOf(projectId),
      condition: latest ? { kind: 'unchanged', changedIn: latest.changedIn } : { kind: 'absent' },
    },
  ),
];

/** As a worker's run: unless another run has taken the job over, or somebody has ended it. */
export const advanceJob = (
  store: Store,
  projectId: string,
  { id, attempt }: Pick<StoredJob, 'id' | 'attempt'>,
  changes: Partial<Omit<StoredJob, 'id' | 'changedIn'>>,
): Write<never> =>
  store.update('jobs', id, changes, {
    within: jobsOf(projectId),
    condition: { kind: 'equals', attribute: 'attempt', value: attempt },
  });

/** Changes some members of a job, unless somebody else has changed it since it was read. */
export const changeJob = (
  store: Store,
  projectId: string,
  job: Pick<StoredJob, 'id' | 'changedIn'>,
  changes: Partial<Omit<StoredJob, 'id' | 'changedIn'>>,
): Write<never> =>
  store.update('jobs', job.id, changes, {
    within: jobsOf(projectId),
    condition: { kind: 'unchanged', changedIn: job.changedIn },
  });
