/** What exports were asked for. The filters may name a user, so they are removed when the job ends. */

import { projectCollection, type Stored } from '../dynamodb/collection.ts';
import { load } from '../dynamodb/load.ts';
import type { ProjectStore } from '../dynamodb/store.ts';
import type { Write } from '../dynamodb/write.ts';
import type { JobState } from '../jobs/job.ts';
import { jobAt } from '../jobs/job.ts';
import { jobs } from '../jobs/store.ts';
import { dayMs, ttlSeconds } from '../time.ts';
import { contentOf } from './content.ts';
import type { ExportRequest } from './schema.ts';

export type { ProjectStore };

type StoredRequest = Stored<{ id: string; request?: ExportRequest; removeAt: string; ttl: number }>;

export const exportRequests = projectCollection<StoredRequest>('jobs', () => ['exports']);

/** A file lives for a day, unless something in it expires earlier. */
export const fileLifetimeMs = dayMs;

/** At most this many exports of a project are kept at the same time, so that an erasure looks at a limited number of parts. */
export const maxExports = 50;

/** The job in the path, if it is an export. */
export const exportInPath = load({
  from: [jobs],
  read: (get, { job_id }: { job_id: string }) => get(jobs, job_id),
  find: (job, { nowMs }: { nowMs: number }) =>
    job && contentOf(job.type) !== undefined ? jobAt(job, nowMs) : undefined,
});

/** @param removeAtMs when its files are removed */
export const queueExport = (
  store: ProjectStore,
  job: JobState,
  request: ExportRequest,
  removeAtMs: number,
): Write<never>[] => {
  const removeAt = new Date(removeAtMs).toISOString();
  return [
    jobs.at(store).put(job),
    exportRequests.at(store).put({ id: job.id, request, removeAt, ttl: ttlSeconds(removeAtMs) }),
  ];
};

/** Whether the project has as many exports as it may have. */
export async function hasMaxExports(store: ProjectStore, nowMs: number): Promise<boolean> {
  const { items } = await exportRequests.at(store).page({ limit: maxExports });
  return items.filter(({ removeAt }) => Date.parse(removeAt) > nowMs).length >= maxExports;
}

export const getExportRequest = (store: ProjectStore, jobId: string): Promise<StoredRequest | undefined> =>
  exportRequests.at(store).get(jobId);

/** Keeps that there is an export, and forgets its filters. */
export const forgetFilters = (store: ProjectStore, jobId: string): Write<never> =>
  exportRequests.at(store).update(jobId, {}, { condition: { kind: 'present' }, drop: ['request'] });

export const removeExportRequest = (store: ProjectStore, jobId: string): Write<never> =>
  exportRequests.at(store).remove(jobId, { condition: { kind: 'any' } });
