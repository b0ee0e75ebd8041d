/**
 * A page may name another address of its host as its own (`rel=canonical`). This address is requested next, as after a redirect, and the
 * page has moved there. If the address has no content, must not be requested, or names the page again, the page keeps its content.
 */

import type { RefreshState } from '../../jobs/refresh.ts';
import type { Write } from '../../workers/worker.ts';
import { maxRedirects } from '../rules/limits.ts';
import type { Outcome } from '../rules/outcome.ts';
import { isInScope, pageIdOf } from '../rules/urls.ts';
import { getPage, packLinks, putLinks, type QueueEntry, requeue, type StoredPage } from '../store/pages.ts';
import { targetOf } from './content.ts';
import type { Lead } from './links.ts';
import type { RefreshRun } from './progress.ts';

/** @returns where the address that a page names leads; undefined if the page keeps its content */
export async function canonicalLead(
  run: RefreshRun,
  entry: QueueEntry,
  outcome: Outcome,
): Promise<Exclude<Lead, { kind: 'endless' }> | undefined> {
  const { store, source, job, state } = run;
  const { url, hops = [] } = entry;
  if (outcome.kind !== 'content' || outcome.canonical === undefined || entry.isFinal) return undefined;
  const to = outcome.canonical;
  if (hops.length >= maxRedirects || [url, ...hops].includes(to)) return undefined;
  if (!isInScope(to, source)) return undefined;
  const page = await getPage(store, source.id, pageIdOf(to));
  if (page?.visitedIn === job.id || page?.status === 'excluded')
    return (await hasContent(run, page)) ? { kind: 'moved', to } : undefined;
  // The source may have no place for another page.
  if (page?.seenIn !== job.id && state.counts.pages >= source.maxPages) return undefined;
  return { kind: 'request', hops: [...hops, to] };
}

/** Whether a page has a document in this refresh, or must not have one. */
async function hasContent(run: RefreshRun, page: StoredPage): Promise<boolean> {
  const status = (await targetOf(run, page))?.status;
  return status === 'stored' || status === 'duplicate' || status === 'excluded';
}

/** Plans the request of the address that a page names. The links of the page are followed then. */
export function planNamed(
  { store, source }: RefreshRun,
  entry: QueueEntry,
  { links, hops }: { links: Parameters<typeof packLinks>[0]; hops: readonly string[] },
  state: RefreshState,
): { writes: Write[]; state: RefreshState } {
  const packed = packLinks(links);
  const isLimited = state.counts.isLimited || packed.isCut;
  return {
    state: { ...state, counts: { ...state.counts, isLimited } },
    writes: [
      ...requeue(store, source.id, entry, { hops, isNamed: true, tries: 0 }),
      ...(source.type === 'site' ? [putLinks(store, source.id, entry.pageId, packed)] : []),
    ],
  };
}

/** Plans another request of the page that names an address without a content. */
export const planOwn = ({ store, source }: RefreshRun, entry: QueueEntry): Write[] =>
  requeue(store, source.id, entry, {
    hops: entry.hops?.slice(0, -1) ?? [],
    isNamed: false,
    isFinal: true,
    tries: 0,
  });
