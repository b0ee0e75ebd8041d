/**
 * Jobs, in their project's partition. The jobs of one queue run one after the other, in the order of the requests; a
 * pointer names the latest of each queue. The item of a new job is the message that starts its worker.
 */

import type { Caller } from '../base/caller.ts';
import { idRangeOf } from '../base/ids.ts';
import { withDiscreetNext } from '../base/pages.ts';
import { ttlSeconds } from '../base/time.ts';
import {
  projectCollection,
  type Stored,
  tenantCollection,
  type Unstored,
  unchanged,
} from '../dynamodb/collection.ts';
import type { Contents } from '../dynamodb/contents.ts';
import { load } from '../dynamodb/load.ts';
import { chanceOf, freeAt, numbered, pick } from '../dynamodb/places.ts';
import type { Page, ProjectStore, Store } from '../dynamodb/store.ts';
import type { Write } from '../dynamodb/write.ts';
import type { Suspendable } from '../organisations/suspensions.ts';
import type { Change } from '../workers/change.ts';
import { isOpen, type JobItem, jobAt } from './job.ts';
import type { Job } from './schema.ts';
import { isInEnvironments } from './types.ts';

export type StoredJob = Stored<JobItem>;
export type JobChanges = Partial<Omit<Unstored<StoredJob>, 'id'>>;
export type { ProjectStore };

/**
 * Jobs of a queue must not run at the same time: all jobs that write the search indexes of the project's documents, all that
 * rebuild the index of its messages, and all that evaluate its conversations.
 */
export type Queue = 'knowledge' | 'conversations' | 'evaluations';
export type StoredLatestJob = Stored<{ id: Queue; jobId: string }>;
/** The user whose conversations a job erases. The item is removed when the job ends, while the job stays. */
type StoredSubject = Stored<{ id: string; externalUserId: string; ttl: number }>;

export const jobs = projectCollection<StoredJob>('jobs');
const latestJobs = projectCollection<StoredLatestJob>('jobs', () => ['latest']);
const erasureSubjects = projectCollection<StoredSubject>('jobs', () => ['subjects']);

const { first: from, last: to } = idRangeOf('job');

export const jobInPath = load({
  from: [jobs],
  read: (get, { job_id }: { job_id: string }) => get(jobs, job_id),
  find: (job, { nowMs, caller }: { nowMs: number; caller: Suspendable & Pick<Caller, 'environments'> }) =>
    job && isInEnvironments(caller, job) ? shownTo(caller, jobAt(job, nowMs, caller)) : undefined,
});

type Bound = Pick<Caller, 'environments'>;

/** @returns the job, whose result names no environment that the caller does not have: an expunge changes all environments */
function shownTo<Some extends Job>({ environments: bound }: Bound, job: Some): Some {
  const { result } = job;
  if (bound === null || !result || !('environments' in result)) return job;
  const environments = result.environments.filter((name) => bound.includes(name));
  return { ...job, result: { ...result, environments } };
}

/** The pointer to the latest job of a queue of the project. */
export const latestJobOf = (queue: Queue) =>
  load({
    from: [latestJobs],
    read: (get) => get(latestJobs, queue),
  });

/** @returns the job as it is stored; `jobAt` returns its state at a time */
export const getJob = (store: ProjectStore, id: string): Promise<StoredJob | undefined> =>
  jobs.at(store).get(id);

export const getLatestJob = (store: ProjectStore, queue: Queue): Promise<StoredLatestJob | undefined> =>
  latestJobs.at(store).get(queue);

export type JobList = {
  /** Which jobs, as they are now. */
  wants: (job: Job) => boolean;
  after: string | undefined;
  limit: number;
};

/** @returns a page of these jobs, newest first. Its `next` names no other job, because the caller may not see it */
export async function listJobs(
  store: ProjectStore,
  { wants, after, limit }: JobList,
  { nowMs, caller }: { nowMs: number; caller: Suspendable & Bound },
): Promise<Page<StoredJob>> {
  const filter = (job: StoredJob) => wants(jobAt(job, nowMs, caller));
  const page = await jobs.at(store).page({ from, to, after, limit, filter });
  const { items, next } = withDiscreetNext('job', page, { order: 'newest', after });
  return { items: items.map((job) => shownTo(caller, jobAt(job, nowMs, caller))), next };
}

/** @returns the job and those it waits for that have not ended, in the order in which they must run */
export async function getOpenJobs(store: ProjectStore, jobId: string): Promise<StoredJob[]> {
  const open: StoredJob[] = [];
  for (let id: string | null = jobId; id !== null; ) {
    const job: StoredJob | undefined = await getJob(store, id);
    if (!job) break;
    // A job that ended before it started may have been waiting for one that still runs.
    if (!isOpen(job) && job.startedAt !== null) break;
    if (isOpen(job)) open.unshift(job);
    id = job.after;
  }
  return open;
}

/** Queues a job as the latest of its queue. Fails if another job was queued since `latest` was read. */
export const queueJob = (
  store: ProjectStore,
  queue: Queue,
  job: JobItem,
  latest: StoredLatestJob | undefined,
): Write<never>[] => [
  jobs.at(store).put(job),
  latestJobs
    .at(store)
    .put({ id: queue, jobId: job.id }, { condition: latest ? unchanged(latest) : { kind: 'absent' } }),
];

/** Writes a job that waits for no other job. */
export const putJob = (store: ProjectStore, job: JobItem): Write<never> => jobs.at(store).put(job);

/** Writes an erasure job. It does not wait for other jobs. */
export const putErasure = (store: ProjectStore, job: JobItem, externalUserId: string): Write<never>[] => [
  jobs.at(store).put(job),
  erasureSubjects.at(store).put({ id: job.id, externalUserId, ttl: ttlSeconds(Date.parse(job.deadlineAt)) }),
];

export const getSubject = async (store: ProjectStore, jobId: string): Promise<string | undefined> =>
  (await erasureSubjects.at(store).get(jobId))?.externalUserId;

/** TTL may already have removed it. */
export const removeSubject = (store: ProjectStore, jobId: string): Write<never> =>
  erasureSubjects.at(store).remove(jobId, { condition: { kind: 'any' } });

/** Changes the job for its run. Fails if another run has taken the job over, or if the job has ended. */
export const advanceJob = (
  store: ProjectStore,
  job: Pick<StoredJob, 'id' | 'attempt'>,
  changes: JobChanges,
): Write<never> => jobs.at(store).update(job.id, changes, { condition: ownedBy(job) });

/** Succeeds only while this run owns the job. Writes nothing. */
export const checkAttempt = (store: ProjectStore, job: Pick<StoredJob, 'id' | 'attempt'>): Write<never> =>
  jobs.at(store).check(job.id, { condition: ownedBy(job) });

const ownedBy = ({ attempt }: Pick<StoredJob, 'attempt'>) =>
  ({ kind: 'equals', attribute: 'attempt', value: attempt }) as const;

/** Succeeds only while the job is as it was read. Writes nothing. */
export const checkJob = (store: ProjectStore, job: Pick<StoredJob, 'id' | 'changedIn'>): Write<never> =>
  jobs.at(store).check(job.id, { condition: unchanged(job) });

/** Fails if the job has changed since it was read. */
export const changeJob = (
  store: ProjectStore,
  job: Pick<StoredJob, 'id' | 'changedIn'>,
  changes: JobChanges,
): Write<never> => jobs.at(store).update(job.id, changes, { condition: unchanged(job) });

/** The maximum of the quota `jobs`. */
export const maxJobPlaces = 100;

/** The places of a tenant that has a quota of jobs. Each names the last job that took it, and is free when that has ended. */
type StoredJobPlace = Stored<{ id: string; projectId: string; jobId: string; ttl: number }>;
const jobPlaces = tenantCollection<StoredJobPlace>('limits', () => ['jobs']);

/** @returns the places whose jobs have not ended, and those whose jobs have */
export async function getJobPlaces(store: Store, { nowMs, caller }: { nowMs: number; caller: Suspendable }) {
  const { items } = await jobPlaces.at(store).page({ limit: maxJobPlaces });
  const named = items.map(({ projectId, jobId }) => ({ id: jobId, partition: [projectId] }));
  const found = items.length === 0 ? [] : await store.getMany('jobs', named);
  const open = new Set(
    found.map(jobs.read).flatMap((job) => (isOpen(jobAt(job, nowMs, caller)) ? job.id : [])),
  );
  return {
    taken: items.filter(({ jobId }) => open.has(jobId)),
    ended: items.filter(({ jobId }) => !open.has(jobId)),
  };
}

/**
 * Takes a place for a new job. Fails if another request was faster.
 * @returns undefined if all places are taken
 */
export async function takeJobPlace(
  store: ProjectStore,
  places: number,
  { id: jobId, ttl }: JobItem,
  at: { nowMs: number; caller: Suspendable },
): Promise<Write<never> | undefined> {
  const { taken, ended } = await getJobPlaces(store, at);
  // A quota that was lowered leaves places with higher numbers.
  if (taken.length >= places) return undefined;
  const isFree = (id: string) => !taken.some((place) => place.id === id);
  const id = pick(numbered(places).filter(isFree), chanceOf(jobId));
  if (id === undefined) return undefined;
  const { condition } = freeAt(
    id,
    ended.find((place) => place.id === id),
  );
  const taking = { id, projectId: store.projectId, jobId, ttl };
  const write: Write<never> = jobPlaces.at(store).put(taking, { condition });
  return write;
}

/**
 * @param below the partitions to which only a job leads
 * @returns the jobs' part of a project; see lib/dynamodb/contents.ts
 */
export const jobContents = (store: ProjectStore, below: Contents['below']): Contents[] => [
  { ...jobs.at(store), ...(below && { below }) },
  latestJobs.at(store),
  erasureSubjects.at(store),
];

/** @returns a job before and after a change of the jobs table; undefined if the change is another one */
export function changeOfJob({ kind, partition, id, before, after }: Change) {
  const isOfJob = kind === 'MODIFY' && partition.length === 1 && id.startsWith('job_');
  return isOfJob && before && after ? { old: jobs.read(before), now: jobs.read(after) } : undefined;
}

/** @returns whether a change of the jobs table is a new job of one of these types */
export const wantsJob =
  (...types: readonly Job['type'][]) =>
  ({ kind, partition, id, after }: Change): boolean =>
    kind === 'INSERT' &&
    partition.length === 1 &&
    id.startsWith('job_') &&
    after !== undefined &&
    types.includes(jobs.read(after).type);
