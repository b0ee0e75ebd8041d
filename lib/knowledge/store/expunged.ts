/**
 * Documents that are expunged. From the request on, no search shows what an index version says of them, and a job removes
 * it. Two partitions of the table `knowledgeIndexes`, both with the document's id as sort key:
 *
 * - `…#<project>#expunged`: the tombstones. Those of documents stay as long as the project. Those of builds, which held
 *   the text of such a document, stay for 90 days. A copy from a backup does not put back what has one (see restored.ts).
 * - `…#<project>#expunging`: what a job still has to remove. No tombstones.
 */

import type { Store, Within } from '../../dynamodb/store.ts';
import type { Write } from '../../dynamodb/write.ts';
import { dayMs, ttlSeconds } from '../../time.ts';

const tombstonesOf = (projectId: string): Within => [projectId, 'expunged'];
const waitingOf = (projectId: string): Within => [projectId, 'expunging'];

/** @param job the job that is to remove what is stored of the document */
export const expungeDocument = (store: Store, projectId: string, id: string, job: string): Write<never>[] => [
  store.put('knowledgeIndexes', { id }, { within: tombstonesOf(projectId), condition: { kind: 'any' } }),
  store.put('knowledgeIndexes', { id, job }, { within: waitingOf(projectId), condition: { kind: 'any' } }),
];

/**
 * @param ids at most 100
 * @returns those of the documents that are expunged, as it is now
 */
export async function getExpunged(
  store: Store,
  projectId: string,
  ids: readonly string[],
): Promise<string[]> {
  const tombstones = await store.getMany('knowledgeIndexes', ids, tombstonesOf(projectId));
  return tombstones.map(({ id }) => id);
}

/** @returns the documents that this job has to remove: its own, and those that an earlier one did not finish */
export async function listExpunging(store: Store, projectId: string, job: string): Promise<Set<string>> {
  const ids = new Set<string>();
  for (let after: string | undefined; ; ) {
    const query = { within: waitingOf(projectId), from: 'k', to: 'l', after, limit: 1000 };
    const { items, next } = await store.page('knowledgeIndexes', query);
    // Ids of jobs sort by time. What belongs to a later one stays: that one starts from the first version.
    for (const item of items) if ((item.job as string) <= job) ids.add(item.id);
    if (next === null) return ids;
    after = next;
  }
}

/** Notes that nothing is left of the document. A request that came later still waits for its own job. */
export const endExpunging = (store: Store, projectId: string, id: string, job: string): Write<never> =>
  store.remove('knowledgeIndexes', id, {
    within: waitingOf(projectId),
    condition: { kind: 'absent_or_before', attribute: 'job', value: `${job}~` },
  });

/** Sorts before every job. */
const noJob = 'job_';

/** Has the next expunge of the project remove this document too: a restore has brought back what holds its text. */
export const waitForExpunging = (store: Store, projectId: string, id: string): Write<never> =>
  store.put(
    'knowledgeIndexes',
    { id, job: noJob },
    { within: waitingOf(projectId), condition: { kind: 'any' } },
  );

/** A table can be restored to a second of the last 35 days. */
const buildsKnownMs = 90 * dayMs;

/** Notes that a build is removed because it holds text of expunged documents, so that no copy brings it back. */
export const expungeBuild = (store: Store, projectId: string, build: string, nowMs: number): Write<never> =>
  store.put(
    'knowledgeIndexes',
    { id: build, ttl: ttlSeconds(nowMs + buildsKnownMs) },
    { within: tombstonesOf(projectId), condition: { kind: 'any' } },
  );
