/** Requests one page, and stores what it has become. One transaction writes everything, so a page is done once. */

import { again, retry } from '../../../base/retry.ts';
import { timestamp } from '../../../base/time.ts';
import type { RefreshState } from '../../../jobs/refresh.ts';
import type { Write } from '../../../workers/worker.ts';
import { maxPageBytes, maxRetries } from '../rules/limits.ts';
import { type FoundLinks, failure, type Outcome, outcomeOf, type PageFailure } from '../rules/outcome.ts';
import {
  dequeue,
  enqueue,
  getLinks,
  getPage,
  leaveLinks,
  packLinks,
  putLinks,
  putPage,
  type QueueEntry,
  removeLinks,
  type StoredPage,
} from '../store/pages.ts';
import { planContent, planUnchanged } from './content.ts';
import { findPages } from './links.ts';
import { pageDone, type RefreshRun, save } from './run.ts';

/** @throws Paused, Suspended, JobLost, JobFailure */
export async function visitPage(run: RefreshRun, entry: QueueEntry): Promise<void> {
  const { store, source, hosts } = run;
  const first = await getPage(store, source.id, entry.pageId);
  if (!first || first.status === 'excluded')
    return void (await save(run, run.state, [dequeue(store, source.id, entry)]));
  const outcome = await requestPage(run, entry, first);
  const sent = hosts.takeSent();
  const attempt = async () => {
    const page = await getPage(store, source.id, entry.pageId);
    const counts = { ...run.state.counts, requests: run.state.counts.requests + sent };
    const state = { ...run.state, counts };
    // Its document was expunged in the meantime.
    if (!page || page.status === 'excluded') {
      return (await save(run, state, [dequeue(store, source.id, entry)])) ? undefined : again;
    }
    const isRepeated = outcome.kind === 'failed' && outcome.isTemporary && entry.tries < maxRetries;
    const plan = isRepeated
      ? { writes: [...requeue(run, entry)], state, ids: [] }
      : await planOutcome(run, entry, page, outcome, state);
    if (!(await save(run, plan.state, plan.writes))) return again;
    for (const id of plan.ids) run.found.add(id);
    return undefined;
  };
  await retry(attempt, { failure: () => new Error(`${entry.pageId} is being changed`) });
}

const requeue = ({ store, source }: RefreshRun, entry: QueueEntry): Write[] => {
  const { pageId, url, depth, isFresh, kind } = entry;
  const tries = entry.tries + 1;
  return [
    dequeue(store, source.id, entry),
    enqueue(store, source.id, { pageId, url, depth, isFresh, kind, tries }),
  ];
};

/** @returns what the response means. A pause that the host wants begins now. @throws JobFailure if it is too long */
async function requestPage(
  { hosts, input, reader }: RefreshRun,
  { url, isFresh }: QueueEntry,
  page: StoredPage,
): Promise<Outcome> {
  const isConditional = !isFresh && page.contentHash !== null && page.documentId !== null;
  const { etag, lastModified } = page;
  const headers = {
    ...(isConditional && etag !== undefined && { 'if-none-match': etag }),
    ...(isConditional && lastModified !== undefined && { 'if-modified-since': lastModified }),
  };
  const response = await hosts.request(new URL(url), headers, maxPageBytes);
  if ('error' in response && response.error === 'robots_disallowed')
    return failure('robots_disallowed', 'The robots.txt of the host does not allow the request.');
  if ('error' in response && response.error === 'robots_unreachable')
    return failure('robots_unreachable', 'The robots.txt of the host could not be read.');
  const { error } = 'error' in response ? response : { error: undefined };
  const known = error === 'robots_disallowed' || error === 'robots_unreachable' ? undefined : error;
  const requested = { url, isConditional: Object.keys(headers).length > 0 };
  const context = { rules: input.network, nowMs: input.nowMs(), readHtml: reader.page };
  if (known !== undefined) return outcomeOf({ error: known }, requested, context);
  if ('error' in response) throw new Error('unknown outcome');
  const outcome = await outcomeOf(response, requested, context);
  if (outcome.kind === 'failed' && outcome.pauseMs !== undefined)
    await hosts.pause(new URL(url), outcome.pauseMs);
  return outcome;
}

export type Plan = { writes: readonly Write[]; state: RefreshState };

/** Plans the page and its document, and the pages behind its links. */
async function planOutcome(
  run: RefreshRun,
  entry: QueueEntry,
  page: StoredPage,
  outcome: Outcome,
  before: RefreshState,
): Promise<Plan & { ids: string[] }> {
  const { store, source } = run;
  const plan = await planPage(run, page, outcome, before);
  const own = source.type === 'site' && 'links' in outcome ? outcome.links : undefined;
  const packed = own && packLinks(own);
  const { links, depth } = await linksBehind(run, entry, page, outcome, own);
  const found = await findPages(run, plan.state, links.urls, depth);
  const isCut = links.isCut || (links === own && packed?.isCut === true);
  const { state } = found;
  return {
    ids: found.ids,
    state: isCut ? { ...state, counts: { ...state.counts, isLimited: true } } : state,
    writes: [
      ...plan.writes,
      ...(packed ? [putLinks(store, source.id, page.id, packed)] : []),
      ...found.writes,
      found.isRest ? leaveLinks(store, source.id, entry) : dequeue(store, source.id, entry),
    ],
  };
}

async function planPage(
  run: RefreshRun,
  page: StoredPage,
  outcome: Outcome,
  state: RefreshState,
): Promise<Plan> {
  const { store, source, input } = run;
  const requestedAt = timestamp(input.nowMs());
  const { replacedBy: _, ...kept } = page;
  const base = { ...kept, error: null, movedTo: null, requestedAt };
  // A page that is not there has no content of another page.
  const emptied =
    page.duplicateOf === null ? base : { ...base, documentId: null, duplicateOf: null, contentHash: null };
  switch (outcome.kind) {
    case 'content':
      return planContent(run, page, outcome, state);
    case 'unchanged':
      return planUnchanged(run, page, state);
    case 'moved': {
      const after = { ...emptied, status: 'moved' as const, movedTo: outcome.to };
      return { writes: [putPage(store, source.id, after, page)], state: pageDone(state, 'moved') };
    }
    case 'gone':
      return {
        writes: [putPage(store, source.id, { ...emptied, status: 'gone' as const }, page)],
        state: pageDone(state),
      };
    case 'failed':
      return {
        writes: [putPage(store, source.id, failedPage(base, outcome), page)],
        state: pageDone(state, 'failedPages'),
      };
  }
}

const failedPage = (page: StoredPage, { code, message }: PageFailure): StoredPage => ({
  ...page,
  // What it has stays. A later refresh still knows whose content it is.
  status: 'failed',
  error: { code, message },
});

const noLinks: FoundLinks = { urls: [], isCut: false };

/**
 * A page that could not be read still links to what it linked to before.
 * @param own the links of the page, if it was read
 */
async function linksBehind(
  { store, source }: RefreshRun,
  { depth, pageId }: QueueEntry,
  page: StoredPage,
  outcome: Outcome,
  own: FoundLinks | undefined,
): Promise<{ links: FoundLinks; depth: number }> {
  if (outcome.kind === 'moved') return { links: { urls: [outcome.to], isCut: false }, depth };
  if (source.type !== 'site' || outcome.kind === 'gone' || depth >= source.maxDepth)
    return { links: noLinks, depth };
  if (own) return { links: own, depth: depth + 1 };
  const links = page.requestedAt === null ? noLinks : await getLinks(store, source.id, pageId);
  return { links, depth: depth + 1 };
}

/** Adds the rest of the pages behind the links of a page. */
export async function addFurtherPages(run: RefreshRun, entry: QueueEntry): Promise<void> {
  const { store, source, state } = run;
  const isSitemap = entry.kind === 'sitemap';
  const { urls } = await getLinks(store, source.id, entry.pageId);
  const depth = isSitemap ? 0 : entry.depth + 1;
  const found = await findPages(run, state, urls, depth);
  // The links of a page are needed in the next refresh, too, if it cannot be read then.
  const used = isSitemap ? [removeLinks(store, source.id, entry.pageId)] : [];
  const end = found.isRest ? [] : [dequeue(store, source.id, entry), ...used];
  if (await save(run, found.state, [...found.writes, ...end])) for (const id of found.ids) run.found.add(id);
}
