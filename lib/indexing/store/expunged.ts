/**
 * Expunged documents. Searches omit them immediately, and a job removes their text from all index versions.
 * A tombstone prevents a copy from a backup from bringing the text back (see scripts/restore/restored.ts).
 */

import { timeOfId } from '../../base/ids.ts';
import { pagesOf } from '../../base/pages.ts';
import { dayMs, ttlSeconds } from '../../base/time.ts';
import { projectCollection, type Stored } from '../../dynamodb/collection.ts';
import type { ProjectStore } from '../../dynamodb/store.ts';
import type { Write } from '../../dynamodb/write.ts';

/** Tombstones of documents. They stay as long as the project. */
export const expungedDocuments = projectCollection<Stored<{ id: string }>>('knowledgeIndexes', () => [
  'expunged',
]);
/** Tombstones of builds that had the text of such a document. */
export const expungedBuilds = projectCollection<Stored<{ id: string; ttl: number }>>(
  'knowledgeIndexes',
  () => ['expunged'],
);
/** The documents that a job still has to remove. */
export const expungingDocuments = projectCollection<Stored<{ id: string; job: string }>>(
  'knowledgeIndexes',
  () => ['expunging'],
);

/** @param job the job that will remove the document */
export const expungeDocument = (store: ProjectStore, id: string, job: string): Write<never>[] => [
  expungedDocuments.at(store).put({ id }, { condition: { kind: 'any' } }),
  expungingDocuments.at(store).put({ id, job }, { condition: { kind: 'any' } }),
];

/**
 * @param ids at most 100
 * @returns those documents that are expunged
 */
export async function getExpunged(store: ProjectStore, ids: readonly string[]): Promise<string[]> {
  return (await expungedDocuments.at(store).getMany(ids)).map(({ id }) => id);
}

/** Fails if the document is expunged at the moment of the write. */
export const requireKept = (store: ProjectStore, id: string): Write<never> =>
  expungedDocuments.at(store).check(id, { condition: { kind: 'absent' } });

/** This id sorts before the id of every job. */
const noJob = 'job_';

/**
 * @returns the documents that this job must remove: its own, and those that earlier jobs did not finish. What a restore brings back
 *   while the job runs waits for the next one
 */
export async function listExpunging(
  store: ProjectStore,
  { id: job, startedAt }: { id: string; startedAt: string | null },
): Promise<Set<string>> {
  const startedMs = startedAt === null ? Number.POSITIVE_INFINITY : Date.parse(startedAt);
  const isLate = (item: { job: string; changedIn: string }) =>
    item.job === noJob && timeOfId(item.changedIn) > startedMs;
  const ids = new Set<string>();
  const page = { from: 'k', to: 'l', limit: 1000 };
  for await (const items of pagesOf((after) => expungingDocuments.at(store).page({ ...page, after }))) {
    // Ids of jobs sort by time. A later job starts from the first version again.
    for (const item of items) if (item.job <= job && !isLate(item)) ids.add(item.id);
  }
  return ids;
}

/** Records that nothing is left of the document. If it was expunged again, it still waits for the later job. */
export const endExpunging = (store: ProjectStore, id: string, job: string): Write<never> =>
  expungingDocuments
    .at(store)
    .remove(id, { condition: { kind: 'absent_or_before', attribute: 'job', value: `${job}~` } });

/** The next expunge of the project removes this document too: a restore has brought its text back. */
export const waitForExpunging = (store: ProjectStore, id: string): Write<never> =>
  expungingDocuments.at(store).put({ id, job: noJob }, { condition: { kind: 'any' } });

/** A table can be restored to a second of the last 35 days. */
const buildsKnownMs = 90 * dayMs;

/** Records that a build is removed because it contains text of expunged documents. */
export const expungeBuild = (store: ProjectStore, build: string, nowMs: number): Write<never> =>
  expungedBuilds
    .at(store)
    .put({ id: build, ttl: ttlSeconds(nowMs + buildsKnownMs) }, { condition: { kind: 'any' } });
