/** What a job is: its states, its deadline, and the job that it waits for. */

import { dayMs, hourMs, timestamp, ttlSeconds } from '../time.ts';
import type { ExpungeResult, Job } from './schema.ts';

/** A job as its worker knows it. */
export type JobState = Job & {
  /** The worker's run that owns the job. When another run takes the job over, the first one may no longer write. */
  attempt: string;
  attempts: number;
  /** The number of stored blocks of the build, or parts of the export: where the next run continues. */
  blocks: number;
  /** For an erasure: the conversations that are erased, and may not be purged yet. A limited number. */
  erasing?: readonly string[];
  /** The job of the same queue that must end before this one starts, if any. */
  after: string | null;
  /** For an expunge: what it has done so far. */
  tally?: ExpungeResult;
  /** The last index version (expunge), conversation (re-index) or line (export, import) that is done. Empty for none. */
  position?: string;
  /** For an export: the size of its files so far. */
  exportedBytes?: number;
  /** For an import: what it has done so far. */
  imported?: { created: number; unchanged: number };
  ttl: number;
};

const keptMs = 30 * dayMs;

/** The files of an export live for a day, so it must not take that long. */
export const exportLifetimeMs = 6 * hourMs;

/** The file of an import lives for a day. */
export const importLifetimeMs = 6 * hourMs;

/** A job must end this long after its request. Only the first kind is usually done in minutes. */
const lifetimesMs: Readonly<Record<Job['type'], number>> = {
  'knowledge.reindex': hourMs,
  'knowledge.expunge': dayMs,
  'conversations.erase': dayMs,
  'conversations.reindex': dayMs,
  'conversations.export': exportLifetimeMs,
  'conversations.import': importLifetimeMs,
  'knowledge.export': exportLifetimeMs,
  'audit.export': exportLifetimeMs,
};

const deadlineExceeded = {
  code: 'deadline_exceeded',
  message: 'The job did not end in time. Start another one: it continues with what has changed since.',
};

/** @returns the scope that a caller needs to read or cancel the job */
export function scopeOf({ type }: Pick<Job, 'type'>, permission: 'read' | 'write') {
  const [resource, action] = type.split('.') as ['conversations' | 'knowledge' | 'audit', string];
  // Who may read the content may export it.
  return `${resource}:${action === 'export' ? 'read' : permission}` as const;
}

/** Whether the job has not ended. */
export const isOpen = ({ status }: Pick<Job, 'status'>): boolean =>
  status === 'queued' || status === 'running';

/** @returns the job as it is at that time: after its deadline, an open job has failed, even before that is stored */
export function jobAt<Some extends Job>(job: Some, nowMs: number): Some {
  if (!isOpen(job) || Date.parse(job.deadlineAt) > nowMs) return job;
  return { ...job, status: 'failed', error: deadlineExceeded, finishedAt: job.deadlineAt };
}

/** @returns the job that a new one must wait for, if `latest` is the latest of its queue */
export function waitsFor(latest: JobState | undefined): string | null {
  if (!latest) return null;
  // A job that was cancelled before it started may have been waiting for one that still runs.
  return isOpen(latest) ? latest.id : latest.after;
}

/** @param after the job that it waits for */
export const newJob = (
  id: string,
  type: Job['type'],
  createdBy: string,
  nowMs: number,
  after: string | null = null,
): JobState => ({
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
  deadlineAt: timestamp(nowMs + lifetimesMs[type]),
  attempt: '',
  attempts: 0,
  blocks: 0,
  after,
  ttl: ttlSeconds(nowMs + keptMs),
});
