/** Adds the pages that are found to the pages of a source, and to the queue. */

import type { RefreshState } from '../../jobs/refresh.ts';
import type { Write } from '../../workers/worker.ts';
import { pageIdOf } from '../rules/canonical-url.ts';
import { pagesAtOnce } from '../rules/limits.ts';
import { isInScope } from '../rules/scope.ts';
import { enqueue, type NewPage, pages } from '../store/pages.ts';
import type { RefreshRun } from './progress.ts';

export const newPage = (id: string, url: string, jobId: string): NewPage => ({
  id,
  url,
  status: 'pending',
  documentId: null,
  duplicateOf: null,
  contentHash: null,
  movedTo: null,
  error: null,
  requestedAt: null,
  changedAt: null,
  seenIn: jobId,
});

export type Found = {
  writes: Write[];
  state: RefreshState;
  /** Whether further pages are left for another transaction. */
  isRest: boolean;
  /** The pages that are found once the writes are written. */
  ids: string[];
};

/**
 * Plans the pages of links that the refresh has not found yet.
 * @param links in one spelling
 * @param depth of these pages
 */
export async function findPages(
  run: RefreshRun,
  state: RefreshState,
  links: Iterable<string>,
  depth: number,
): Promise<Found> {
  const { store, source, job, found } = run;
  const unknown = new Map<string, string>();
  for (const url of links) {
    const id = pageIdOf(url);
    if (!found.has(id) && !unknown.has(id) && isInScope(url, source)) unknown.set(id, url);
  }
  const writes: Write[] = [];
  const ids: string[] = [];
  const counts = { ...state.counts };
  const none = { writes, state: { ...state, counts }, ids };
  for (const some of inGroups([...unknown])) {
    const stored = new Map(
      (await pages.at(store, source.id).getMany(some.map(([id]) => id))).map((one) => [one.id, one]),
    );
    for (const [id, url] of some) {
      const before = stored.get(id);
      if (before?.seenIn === job.id || before?.status === 'excluded') {
        found.add(id);
        continue;
      }
      if (counts.pages >= source.maxPages) {
        counts.isLimited = true;
        return { ...none, isRest: false };
      }
      if (ids.length === pagesAtOnce) return { ...none, isRest: true };
      counts.pages += 1;
      ids.push(id);
      const { missingSince: _, ...page } = before ?? newPage(id, url, job.id);
      const condition = before
        ? ({ kind: 'unchanged', changedIn: before.changedIn } as const)
        : ({ kind: 'absent' } as const);
      writes.push(
        pages.at(store, source.id).put({ ...page, seenIn: job.id }, { condition }),
        enqueue(store, source.id, { pageId: id, url, depth }),
      );
    }
  }
  return { ...none, isRest: false };
}

/** BatchGetItem reads at most 100. */
const groupSize = 100;

function* inGroups<Value>(values: readonly Value[]): Generator<readonly Value[]> {
  for (let from = 0; from < values.length; from += groupSize) yield values.slice(from, from + groupSize);
}
