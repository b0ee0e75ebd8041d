/**
 * Jobs, below their project, and for each queue a pointer to the latest. The jobs of one queue run one after the other, in
 * the order in which they were asked for. A job that is put is the message that wakes its worker.
 */

import type { Page, Store, Within } from '../dynamodb/store.ts';
import type { Item, Write } from '../dynamodb/write.ts';
import { idRangeOf } from '../ids.ts';
import { dayMs, hourMs, timestamp, ttlSeconds } from '../time.ts';
import type { ExpungeResult, Job } from './schema.ts';

/** So long after its request a job has to end. An expunge must not be given up easily: it makes several indexes. */
const lifetimesMs: Readonly<Record<string, number>> = { 'knowledge.expunge': dayMs };
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
  /** For an erasure: the conversation that is being erased, which the next run has to look at again. */
  erasing?: string | null;
  /** The job of the same queue that has to end before this one starts, where there was one. */
  after: string | null;
  /** What an expunge has done so far. */
  tally?: ExpungeResult;
  /** The version of the index behind which an expunge goes on. */
  position?: string;
  changedIn: string;
};
export type NewJob = Omit<StoredJob, 'changedIn'>;

/** Jobs that must not run at the same time: all that write the search indexes of a project. */
type Queue = 'knowledge';
type Latest = { id: string; jobId: string; changedIn: string };

const deadlineExceeded = {
  code: 'deadline_exceeded',
  message: 'The job did not end in time. Start another one: it continues with what has changed since.',
};

/** @returns the scope that the job needs of who reads or cancels it */
export const scopeOf = <Permission extends 'read' | 'write'>(
  { type }: Pick<Job, 'type'>,
  permission: Permission,
) => `${type === 'conversations.erase' ? 'conversations' : 'knowledge'}:${permission}` as const;

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

/** @returns the pointer to the latest job of that queue, and the job */
export async function getLatestJob(store: Store, projectId: string, queue: Queue) {
  const latest = (await store.get('jobs', queue, latestOf(projectId))) as Latest | undefined;
  return { latest, job: latest && (await getJob(store, projectId, latest.jobId)) };
}

/**
 * @param jobId as its worker was told
 * @returns that job and those it waits for that nobody has ended, in the order in which they are to run
 */
export async function getOpenJobs(store: Store, projectId: string, jobId: string): Promise<StoredJob[]> {
  const jobs: StoredJob[] = [];
  for (let id: string | null = jobId; id !== null; ) {
    const job: StoredJob | undefined = await getJob(store, projectId, id);
    if (!job || !isOpen(job)) break;
    jobs.unshift(job);
    id = job.after ?? null;
  }
  return jobs;
}

/** @returns the job that a new one has to wait for, behind the latest of its queue */
export const waitsFor = (latest: StoredJob | undefined): string | null => {
  if (!latest) return null;
  // One that was cancelled before it started may itself wait for one that still runs.
  return isOpen(latest) ? latest.id : (latest.after ?? null);
};

/** @returns a job as it is when somebody asks for it */
export const newJob = (
  id: string,
  type: Job['type'],
  createdBy: string,
  nowMs: number,
  after: string | null = null,
): NewJob => ({
  id,
  type,
  status: 'queued',
  progress: { total: 0, done: 0, failed: 0 },
  failures: [],
  warnings: [],
  result: null,
  error: null,
  createdAt: timestamp(nowMs),
  createdBy,
  startedAt: null,
  finishedAt: null,
  deadlineAt: timestamp(nowMs + (lifetimesMs[type] ?? lifetimeMs)),
  attempt: '',
  attempts: 0,
  blocks: 0,
  after,
});

/** Queues a job as the latest of its queue, unless somebody else has queued one since the pointer was read. */
export const queueJob = (
  store: Store,
  projectId: string,
  queue: Queue,
  job: NewJob,
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
    { id: queue, jobId: job.id },
    {
      within: latestOf(projectId),
      condition: latest ? { kind: 'unchanged', changedIn: latest.changedIn } : { kind: 'absent' },
    },
  ),
];

/** An erasure of many conversations may take long. */
const erasureLifetimeMs = dayMs;

/** @returns an erasure as it is when somebody asks for it. Erasures wait for no other job */
export const newErasure = (id: string, createdBy: string, nowMs: number): NewJob => ({
  ...newJob(id, 'conversations.erase', createdBy, nowMs),
  deadlineAt: timestamp(nowMs + erasureLifetimeMs),
});

/** Whose conversations a job erases, beside the job, so that it can go before the job does. */
const subjectsOf = (projectId: string): Within => [projectId, 'subjects'];

/** Puts an erasure, and whose conversations it erases: until it has ended, or by TTL after its deadline. */
export const putErasure = (
  store: Store,
  projectId: string,
  job: NewJob,
  externalUserId: string,
  nowMs: number,
): Write<never>[] => [
  store.put(
    'jobs',
    { ...job, ttl: ttlSeconds(nowMs + keptMs) },
    { within: jobsOf(projectId), condition: { kind: 'absent' } },
  ),
  store.put(
    'jobs',
    { id: job.id, externalUserId, ttl: ttlSeconds(Date.parse(job.deadlineAt)) },
    { within: subjectsOf(projectId), condition: { kind: 'absent' } },
  ),
];

export async function getSubject(
  store: Store,
  projectId: string,
  jobId: string,
): Promise<string | undefined> {
  return (await store.get('jobs', jobId, subjectsOf(projectId)))?.externalUserId as string | undefined;
}

/** Whether it is there or TTL was faster. */
export const removeSubject = (store: Store, projectId: string, jobId: string): Write<never> =>
  store.remove('jobs', jobId, { within: subjectsOf(projectId), condition: { kind: 'any' } });

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

/** Holds while this run has the job: nobody has taken it over or ended it. */
export const checkAttempt = (
  store: Store,
  projectId: string,
  { id, attempt }: Pick<StoredJob, 'id' | 'attempt'>,
): Write<never> =>
  store.check('jobs', id, {
    within: jobsOf(projectId),
    condition: { kind: 'equals', attribute: 'attempt', value: attempt },
  });

/** Holds while nobody has changed the job since it was read: one that is queued has not started. */
export const checkJob = (
  store: Store,
  projectId: string,
  { id, changedIn }: Pick<StoredJob, 'id' | 'changedIn'>,
): Write<never> =>
  store.check('jobs', id, { within: jobsOf(projectId), condition: { kind: 'unchanged', changedIn } });

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
