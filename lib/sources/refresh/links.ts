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

export type PagePlan = {
  writes: Write[];
  state: RefreshState;
  /** Whether further pages are left for another transaction. */
  isRest: boolean;
  /** The pages that are found once the writes are written. */
  ids: string[];
};

/**
 * Plans the pages of links that the refresh has not found yet.
 * @param links canonical URLs
 * @param depth the depth of these pages
 */
export async function planPages(
  run: RefreshRun,
  state: RefreshState,
  links: Iterable<string>,
  depth: number,
): Promise<PagePlan> {
  const { store, source, job, pageIds: found } = run;
  const newUrls = new Map<string, string>();
  for (const url of links) {
    const id = pageIdOf(url);
    if (!found.has(id) && !newUrls.has(id) && isInScope(url, source)) newUrls.set(id, url);
  }
  const writes: Write[] = [];
  const ids: string[] = [];
  const counts = { ...state.counts };
  const plan = { writes, state: { ...state, counts }, ids };
  for (const group of inGroups([...newUrls])) {
    const storedPages = new Map(
      (await pages.at(store, source.id).getMany(group.map(([id]) => id))).map((one) => [one.id, one]),
    );
    for (const [id, url] of group) {
      const before = storedPages.get(id);
      if (before?.seenIn === job.id || before?.status === 'excluded') {
        found.add(id);
        continue;
      }
      if (counts.pages >= source.maxPages) {
        counts.isLimited = true;
        return { ...plan, isRest: false };
      }
      if (ids.length === pagesAtOnce) return { ...plan, isRest: true };
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
  return { ...plan, isRest: false };
}

/** BatchGetItem reads at most 100. */
const groupSize = 100;

function* inGroups<Value>(values: readonly Value[]): Generator<readonly Value[]> {
  for (let from = 0; from < values.length; from += groupSize) yield values.slice(from, from + groupSize);
}
