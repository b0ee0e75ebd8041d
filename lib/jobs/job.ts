/** A job: its states, its deadline, and the job that it waits for. */

import { dayMs, timestamp, ttlSeconds } from '../base/time.ts';
import { activeTimeEndMs, type Suspendable } from '../organisations/suspensions.ts';
import type { EvaluationState } from './evaluation.ts';
import type { RefreshState } from './refresh.ts';
import type { ExpungeResult, Job } from './schema.ts';
import { type JobType, jobTypes } from './types.ts';

/** A stored job of any type. checkpoint.ts gives the meaning of the attributes of its runs for each type. */
export type JobItem = Job & {
  /** The worker's run that owns the job. When another run takes the job over, the first run may no longer write. */
  attempt: string;
  attempts: number;
  /** The number of stored blocks of the build, or parts of the export: where the next run continues. */
  blocks: number;
  /** For an erasure: the conversations that are erased, and may not be purged yet. A limited number. */
  erasing?: readonly string[];
  /** The job of the same queue that must end before this one starts, if any. */
  after: string | null;
  /** For a re-index: the number of steps that still compute vectors. Undefined before there are such steps. */
  encoding?: number;
  /** For an expunge: its progress. */
  tally?: ExpungeResult;
  /**
   * The last index version (expunge), conversation (re-index) or line (export, import) that is done. Empty before the first.
   */
  position?: string;
  /** For an export: the size of its files so far. */
  exportedBytes?: number;
  /** For a refresh of a source: its progress. */
  refresh?: RefreshState;
  /** For an evaluation run: its progress. */
  evaluation?: EvaluationState;
  /** For an import: its progress. */
  imported?: { created: number; unchanged: number };
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

/** Whether the job removes data. Then it does not wait for the end of a suspension. */
export const removesData = ({ type }: Pick<Job, 'type'>): boolean => jobTypes[type].removesData;

/** @returns the time until which the job must end: epoch milliseconds, infinity while it waits for the end of a suspension */
function deadlineMs(job: Pick<Job, 'type' | 'createdAt' | 'deadlineAt'>, organisation: Suspendable): number {
  const endMs = Date.parse(job.deadlineAt);
  if (removesData(job)) return endMs;
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

/** @param after the job that it waits for */
export const newJob = (
  id: string,
  type: JobType,
  createdBy: string,
  nowMs: number,
  after: string | null = null,
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
  ttl: ttlSeconds(nowMs + keptMs),
});
