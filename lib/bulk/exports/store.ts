/** Exports as they are stored: their requests and places. Filters may name a user, so they are removed when the job ends. */

import type { Caller } from '../../base/caller.ts';
import { dayMs, timestamp, ttlSeconds } from '../../base/time.ts';
import { projectCollection, type Stored } from '../../dynamodb/collection.ts';
import type { Contents } from '../../dynamodb/contents.ts';
import { load } from '../../dynamodb/load.ts';
import { chanceOf, findPlace } from '../../dynamodb/places.ts';
import type { ProjectStore } from '../../dynamodb/store.ts';
import type { Write } from '../../dynamodb/write.ts';
import { type JobItem, jobAt } from '../../jobs/job.ts';
import { jobs } from '../../jobs/store.ts';
import { isInEnvironments, type JobType, scopeOf } from '../../jobs/types.ts';
import type { ExportContent } from './files/store.ts';
import type { ExportRequest } from './schema.ts';

export const exportJobTypes = {
  conversations: 'conversations.export',
  documents: 'knowledge.export',
  audit: 'audit.export',
} as const satisfies Record<ExportContent, JobType>;

export const exportJobs = Object.values(exportJobTypes);
export type ExportJob = (typeof exportJobs)[number];

export const contentOf = (type: JobType): ExportContent | undefined =>
  (Object.keys(exportJobTypes) as ExportContent[]).find((what) => exportJobTypes[what] === type);

export const exportScopes = Object.values(exportJobTypes).map((type) => scopeOf({ type }, 'read'));

export type { ProjectStore };

export type StoredRequest = Stored<{
  id: string;
  request?: ExportRequest;
  removeAt: string;
  /** Missing while the job waits for the end of a suspension. */
  ttl?: number;
}>;

const exportRequests = projectCollection<StoredRequest>('jobs', () => ['exports']);

/** A file lives for a day, unless something in it expires earlier. */
export const fileLifetimeMs = dayMs;

/** At most this many exports of a project are kept at the same time, so that an erasure looks at a limited number of parts. */
export const maxExports = 50;

/** Each place names the last export that took it. */
type StoredPlace = Stored<{ id: string; jobId: string; ttl: number }>;
const exportPlaces = projectCollection<StoredPlace>('jobs', () => ['exports', 'places']);

export const exportInPath = load({
  from: [jobs],
  read: (get, { job_id }: { job_id: string }) => get(jobs, job_id),
  find: (job, { nowMs, caller }: { nowMs: number; caller: Pick<Caller, 'suspensions' | 'environments'> }) =>
    job && contentOf(job.type) !== undefined && isInEnvironments(caller, job)
      ? jobAt(job, nowMs, caller)
      : undefined,
});

/** @param removeAtMs when its files are removed */
export const queueExport = (
  store: ProjectStore,
  job: JobItem,
  request: ExportRequest,
  removeAtMs: number,
): Write<never>[] => {
  const removeAt = timestamp(removeAtMs);
  return [
    jobs.at(store).put(job),
    exportRequests.at(store).put({ id: job.id, request, removeAt, ttl: ttlSeconds(removeAtMs) }),
  ];
};

/**
 * Takes one of the project's places for an export. A cancelled export has left its place, and a worker removes its files soon.
 * @returns undefined if the project has the allowed number of exports
 */
export async function takeExportPlace(
  store: ProjectStore,
  jobId: string,
  { nowMs, removeAtMs }: { nowMs: number; removeAtMs: number },
): Promise<Write<never> | undefined> {
  const places = exportPlaces.at(store);
  const endedOf = async (places: readonly StoredPlace[]) => {
    const placeJobs = await jobs.at(store).getMany(places.map((place) => place.jobId));
    const activeIds = new Set(placeJobs.filter(({ status }) => status !== 'cancelled').map(({ id }) => id));
    return places.filter((place) => !activeIds.has(place.jobId));
  };
  const chance = chanceOf(jobId);
  const place = await findPlace(places, { count: maxExports, nowMs, chance, endedOf });
  if (!place) return undefined;
  const { id, condition } = place;
  const write: Write<never> = places.put({ id, jobId, ttl: ttlSeconds(removeAtMs) }, { condition });
  return write;
}

export const getExportRequest = (store: ProjectStore, jobId: string): Promise<StoredRequest | undefined> =>
  exportRequests.at(store).get(jobId);

/** Keeps that there is an export, and forgets its filters. */
export const forgetFilters = (store: ProjectStore, jobId: string): Write<never> =>
  exportRequests.at(store).update(jobId, {}, { condition: { kind: 'present' }, drop: ['request'] });

/** Keeps the request of the export for as long as the job waits for the end of a suspension. */
export const keepRequest = (store: ProjectStore, jobId: string): Write<never> =>
  exportRequests.at(store).update(jobId, {}, { condition: { kind: 'present' }, drop: ['ttl'] });

/** @param removeAtMs when the files are removed: a suspension has moved the deadline of the job */
export const postponeRemoval = (store: ProjectStore, jobId: string, removeAtMs: number): Write<never> =>
  exportRequests
    .at(store)
    .update(
      jobId,
      { removeAt: timestamp(removeAtMs), ttl: ttlSeconds(removeAtMs) },
      { condition: { kind: 'present' } },
    );

export const removeExportRequest = (store: ProjectStore, jobId: string): Write<never> =>
  exportRequests.at(store).remove(jobId, { condition: { kind: 'any' } });

/** @returns the exports' part of a project, without the parts of exports, which name files; see lib/dynamodb/contents.ts */
export const exportRequestContents = (store: ProjectStore): Contents[] => [
  exportRequests.at(store),
  exportPlaces.at(store),
];
