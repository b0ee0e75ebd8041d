/**
 * Where the links and the redirects of a page lead. Pages that are found are added to the pages of the source, and to the queue.
 *
 * Only the page where redirects end is a page of the source: the other URLs are only requested. The queue keeps the URLs so far, so
 * a refresh that is killed continues with the next request.
 */

import type { RefreshState } from '../../jobs/refresh.ts';
import type { Write } from '../../workers/worker.ts';
import { ownDocument } from '../rules/gone.ts';
import { maxRedirects, pagesAtOnce } from '../rules/limits.ts';
import { failure } from '../rules/outcome.ts';
import { isInScope, pageIdOf } from '../rules/urls.ts';
import {
  dequeue,
  enqueue,
  getPage,
  leaveLinks,
  type NewEntry,
  type NewPage,
  newEntry,
  pages,
  putPage,
  type QueueEntry,
} from '../store/pages.ts';
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

const code = 'too_many_redirects';
export const tooManyRedirects = failure(
  code,
  `It redirects more than ${maxRedirects} times, or its redirects are a loop.`,
);

export const requestedUrl = ({ url, hops }: Pick<QueueEntry, 'url' | 'hops'>): string => hops?.at(-1) ?? url;

/** Where a redirect leads: this needs another request, it is known, or the redirects have no end. */
export type Lead = { kind: 'request'; hops: string[] } | { kind: 'moved'; to: string } | { kind: 'endless' };

/**
 * @param to where the requested URL redirects to
 * @returns where this leads. Pages that this refresh has visited already are not requested again
 */
export async function leadOf(
  { store, source, job }: RefreshRun,
  { url, hops = [] }: Pick<QueueEntry, 'url' | 'hops'>,
  to: string,
): Promise<Lead> {
  const chain = [url, ...hops];
  for (let next = to; ; ) {
    if (chain.length > maxRedirects || chain.includes(next)) return { kind: 'endless' };
    if (!isInScope(next, source)) return { kind: 'moved', to: next };
    const page = await getPage(store, source.id, pageIdOf(next));
    if (page?.status === 'excluded') return { kind: 'moved', to: next };
    chain.push(next);
    if (page?.visitedIn !== job.id) return { kind: 'request', hops: chain.slice(1) };
    if (page.error?.code === code) return { kind: 'endless' };
    if (page.status !== 'moved' || page.movedTo === null) return { kind: 'moved', to: next };
    next = page.movedTo;
  }
}

type Arrival = {
  writes: Write[];
  state: RefreshState;
  /** The entry of the page where the redirects end; undefined if it is not visited. */
  next: NewEntry | undefined;
};

/** Plans the entry of the page where redirects end. It has the depth of the page that redirects. */
export async function arrive(
  { store, source, job }: RefreshRun,
  entry: NewEntry,
  state: RefreshState,
): Promise<Arrival> {
  const { depth, isFresh } = entry;
  const url = requestedUrl(entry);
  const id = pageIdOf(url);
  const before = await getPage(store, source.id, id);
  const isFound = before?.seenIn === job.id;
  const isLimited = !isFound && state.counts.pages >= source.maxPages;
  // The page that names this address has links of its own.
  const hasLinks = entry.isNamed && source.type === 'site' && depth < source.maxDepth;
  const end = hasLinks ? leaveLinks(store, source.id, entry) : dequeue(store, source.id, entry);
  // Its document was expunged in the meantime, or the source has no place for another page.
  if (before?.status === 'excluded') return { writes: [end], state, next: undefined };
  if (isLimited) {
    const counts = { ...state.counts, isLimited };
    return { writes: [end], state: { ...state, counts }, next: undefined };
  }
  const { missingSince: _, ...page } = before ?? newPage(id, url, job.id);
  const next = newEntry({ pageId: id, url, depth, isFresh });
  const counts = { ...state.counts, pages: state.counts.pages + (isFound ? 0 : 1) };
  return {
    writes: [
      end,
      ...(isFound ? [] : [putPage(store, source.id, { ...page, seenIn: job.id }, before)]),
      enqueue(store, source.id, next),
    ],
    state: { ...state, counts },
    next,
  };
}

/**
 * @returns the URLs whose pages have a document. These pages count as found, like the links of a page that cannot be read: redirects
 *   without an end are probably a mistake that is corrected soon
 */
export async function withDocuments(
  { store, source }: RefreshRun,
  urls: readonly string[],
): Promise<string[]> {
  const storedPages = await pages.at(store, source.id).getMany(urls.map(pageIdOf));
  const ids = new Set(storedPages.filter((page) => ownDocument(page) !== null).map(({ id }) => id));
  return urls.filter((url) => ids.has(pageIdOf(url)));
}
