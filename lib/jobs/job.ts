/** A job: its states, its deadline, the job that it waits for, and the state that its runs share. Pure. */

import { dayMs, timestamp, ttlSeconds } from '../base/time.ts';
import { activeTimeEndMs, type Suspendable } from '../organisations/suspensions.ts';
import type { Job } from './schema.ts';
import { type Attribute, type Attributes, initial, type JobType, jobTypes } from './types.ts';

/** A stored job of any type. The declaration of its type (types.ts) says what the attributes of its runs mean. */
export type JobItem = Job & {
  [Name in Exclude<Attribute, 'blocks'>]?: Exclude<Attributes[Name], undefined>;
} & {
  /** The worker's run that owns the job. When another run takes the job over, the first run may no longer write. */
  attempt: string;
  /** The runs since the last progress: a run that makes progress is no failed attempt, so it sets 0. */
  attempts: number;
  blocks: number;
  /** The job of the same queue that must end before this one starts, if any. */
  after: string | null;
  ttl: number;
};

export const keptMs = 30 * dayMs;

const deadlineExceeded = ({ type }: Pick<Job, 'type'>) => ({
  code: 'deadline_exceeded',
  message: `The job did not end in time. ${jobTypes[type].afterDeadline}`,
});

/** Whether the job has not ended. */
export const isOpen = ({ status }: Pick<Job, 'status'>): boolean =>
  status === 'queued' || status === 'running';

/** Whether the job waits for other workers to compute vectors. The last of their steps continues it. */
export const isEncoding = ({
  status,
  encoding = 0,
}: Pick<Job, 'status'> & { encoding?: number | undefined }): boolean => isOpen({ status }) && encoding > 0;

/** Whether the job removes data. */
export const removesData = ({ type }: Pick<Job, 'type'>): boolean => jobTypes[type].removesData;

/**
 * @param job as it is stored
 * @returns the time until which the job must end: epoch milliseconds, infinity while it waits for the end of a suspension
 */
export function deadlineMs(
  job: Pick<Job, 'type' | 'createdAt' | 'deadlineAt'>,
  organisation: Suspendable,
): number {
  const endMs = Date.parse(job.deadlineAt);
  if (jobTypes[job.type].whileSuspended === 'continues') return endMs;
  const createdMs = Date.parse(job.createdAt);
  return activeTimeEndMs(organisation, createdMs, endMs - createdMs);
}

/**
 * @param job as it is stored
 * @param organisation or a caller: its suspensions move the deadline
 * @returns the job as it is at that time: after its deadline, an open job has failed, even before that is stored
 */
export function jobAt<Some extends Job>(job: Some, nowMs: number, organisation: Suspendable): Some {
  if (!isOpen(job)) return job;
  const endMs = deadlineMs(job, organisation);
  if (endMs === Number.POSITIVE_INFINITY) return job;
  const deadlineAt = timestamp(endMs);
  if (endMs > nowMs) return { ...job, deadlineAt };
  return { ...job, deadlineAt, status: 'failed', error: deadlineExceeded(job), finishedAt: deadlineAt };
}

/** @returns the job that a new one must wait for, if `latest` is the latest job of its queue */
export function waitsFor(latest: JobItem | undefined): string | null {
  if (!latest) return null;
  // A job that was cancelled before it started may have waited for a job that still runs.
  return isOpen(latest) ? latest.id : latest.after;
}

/**
 * @param after the job that it waits for
 * @param environments those of its caller. Only a job that leaves out what other environments have keeps them (types.ts)
 */
export const newJob = (
  id: string,
  type: JobType,
  createdBy: string,
  nowMs: number,
  {
    after = null,
    environments = null,
  }: { after?: string | null; environments?: readonly string[] | null } = {},
): JobItem => ({
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
  deadlineAt: timestamp(nowMs + jobTypes[type].lifetimeMs),
  attempt: '',
  attempts: 0,
  blocks: 0,
  after,
  ...(environments && jobTypes[type].environments === 'kept' && { environments: [...environments] }),
  ttl: ttlSeconds(nowMs + keptMs),
});

type Names<Type extends JobType> = (typeof jobTypes)[Type]['checkpoint'];
type Checkpoint<Type extends JobType> = {
  -readonly [Name in keyof Names<Type>]: Names<Type>[Name] extends Attribute
    ? Attributes[Names<Type>[Name]]
    : never;
};

type Shared = Omit<JobItem, 'type' | Attribute>;

/** A job as its worker knows it. */
export type JobOf<Type extends JobType> = Shared & { type: Type } & Checkpoint<Type>;

/** The changes of a job by a run. */
export type JobProgress<Type extends JobType> = Partial<Omit<Shared, 'id'>> & Partial<Checkpoint<Type>>;

const attributesOfType = (type: JobType): readonly (readonly [name: string, Attribute])[] =>
  Object.entries(jobTypes[type].checkpoint);

/** @returns the job as its worker knows it */
export function stateOf(job: JobItem): JobOf<JobType> {
  const parts = attributesOfType(job.type).map(([name, attribute]) => [
    name,
    job[attribute] ?? initial[attribute],
  ]);
  return { ...job, ...Object.fromEntries(parts) };
}

/** @returns the attributes of these changes in the table */
export function attributesOf<Type extends JobType>(
  type: Type,
  changes: JobProgress<Type>,
): Partial<Omit<JobItem, 'id' | 'type'>> {
  const names = new Map<string, string>(attributesOfType(type));
  const known = Object.entries(changes).filter(([, value]) => value !== undefined);
  return Object.fromEntries(known.map(([name, value]) => [names.get(name) ?? name, value]));
}
