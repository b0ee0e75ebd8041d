/** The job of a refresh, and the time of the next one. A source has one refresh at a time. */

import { timestamp } from '../../base/time.ts';
import { isOpen, type JobItem, jobAt, newJob } from '../../jobs/job.ts';
import { newRefresh } from '../../jobs/refresh.ts';
import { getJob, type StoredJob } from '../../jobs/store.ts';
import type { WorkerInput } from '../../workers/worker.ts';
import { refreshEveryMs } from '../schema/source.ts';
import type { ProjectStore, StoredSource } from '../store/sources.ts';

/** @returns the job of the source that has not ended */
export async function openRefresh(
  store: ProjectStore,
  { jobId }: Pick<StoredSource, 'jobId'>,
  { nowMs, caller }: { nowMs: number; caller: WorkerInput['organisation'] },
): Promise<StoredJob | undefined> {
  const job = jobId === null ? undefined : await getJob(store, jobId);
  return job && isOpen(jobAt(job, nowMs, caller)) ? job : undefined;
}

type Start = { id: string; createdBy: string; isConfirmed: boolean; isReread?: boolean; nowMs: number };

export const refreshJob = (
  { id: sourceId }: { id: string },
  { id, createdBy, nowMs, ...how }: Start,
): JobItem => ({
  ...newJob(id, 'knowledge.refresh', createdBy, nowMs),
  refresh: newRefresh(sourceId, how),
});

/** @returns when a source that was refreshed, or set, now is refreshed next */
export function nextRefreshAt(
  source: Pick<StoredSource, 'refresh' | 'paused'>,
  nowMs: number,
): string | null {
  const everyMs = source.paused ? undefined : refreshEveryMs(source);
  return everyMs === undefined ? null : timestamp(nowMs + everyMs);
}
