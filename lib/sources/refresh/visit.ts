/** Requests one page, and stores what it has become. One transaction writes everything, so a page is done once. */

import { again, retry } from '../../base/retry.ts';
import { timestamp } from '../../base/time.ts';
import type { RefreshState } from '../../jobs/refresh.ts';
import type { Write } from '../../workers/worker.ts';
import { pageIdOf } from '../rules/canonical-url.ts';
import { maxPageBytes, maxRetries } from '../rules/limits.ts';
import { type FoundLinks, failure, type Outcome, outcomeOf, type PageFailure } from '../rules/outcome.ts';
import {
  dequeue,
  getLinks,
  getPage,
  leaveLinks,
  type NewEntry,
  packLinks,
  putLinks,
  putPage,
  type QueueEntry,
  removeLinks,
  requeue,
  type StoredPage,
} from '../store/pages.ts';
import { planContent, planUnchanged } from './content.ts';
import { findPages } from './links.ts';
import { pageDone, type RefreshRun, save } from './progress.ts';
import { arrive, leadOf, requestedUrl, tooManyRedirects, withDocuments } from './redirects.ts';

/** @throws Paused, Suspended, JobLost, JobFailure */
export async function visitPage(run: RefreshRun, entry: QueueEntry): Promise<void> {
  const { store, source, job, hosts } = run;
  const first = await getPage(store, source.id, entry.pageId);
  // The redirects of another page may have ended at this one.
  const isVisited = first?.visitedIn === job.id && !entry.isFresh;
  if (!first || first.status === 'excluded' || isVisited)
    return void (await save(run, run.state, [dequeue(store, source.id, entry)]));
  const url = requestedUrl(entry);
  const known = url === entry.url ? first : await getPage(store, source.id, pageIdOf(url));
  const outcome = await requestPage(run, { url, isFresh: entry.isFresh }, known);
  const sent = hosts.takeSent();
  const isRepeated = outcome.kind === 'failed' && outcome.isTemporary && entry.tries < maxRetries;
  const hasArrived = url !== entry.url && outcome.kind !== 'moved' && !isRepeated;
  const done = await change(run, entry, sent, async (page, state): Promise<Visit> => {
    if (isRepeated)
      return { state, ids: [], writes: requeue(store, source.id, entry, { tries: entry.tries + 1 }) };
    if (!hasArrived) return planOutcome(run, entry, page, outcome, state);
    const moved = await planPage(run, page, { kind: 'moved', to: url }, state);
    const arrival = await arrive(run, entry, moved.state);
    return { ...arrival, ids: [], writes: [...moved.writes, ...arrival.writes] };
  });
  const next = done?.next;
  if (next) await change(run, next, 0, (page, state) => planVisit(run, next, page, outcome, state));
}

type Visit = Plan & {
  /** The pages that are found. */
  ids: string[];
  /** The entry of the page where the redirects end, which is visited with the response that is here already. */
  next?: NewEntry | undefined;
};

/**
 * Commits what becomes of a page.
 * @param sent the number of requests
 * @returns undefined if its document was expunged in the meantime
 */
async function change(
  run: RefreshRun,
  entry: NewEntry,
  sent: number,
  plan: (page: StoredPage, state: RefreshState) => Promise<Visit>,
): Promise<Visit | undefined> {
  const { store, source } = run;
  const attempt = async () => {
    const page = await getPage(store, source.id, entry.pageId);
    const counts = { ...run.state.counts, requests: run.state.counts.requests + sent };
    const state = { ...run.state, counts };
    if (!page || page.status === 'excluded') {
      return (await save(run, state, [dequeue(store, source.id, entry)])) ? undefined : again;
    }
    const planned = await plan(page, state);
    if (!(await save(run, planned.state, planned.writes))) return again;
    for (const id of planned.ids) run.found.add(id);
    return planned;
  };
  return retry(attempt, { failure: () => new Error(`${entry.pageId} is being changed`) });
}

/**
 * @param page the page of the URL, if there is one
 * @returns what the response means. A pause that the host wants begins now. @throws JobFailure if it is too long
 */
async function requestPage(
  { hosts, input, reader }: RefreshRun,
  { url, isFresh }: Pick<QueueEntry, 'url' | 'isFresh'>,
  page: StoredPage | undefined,
): Promise<Outcome> {
  const isConditional = !isFresh && page && page.contentHash !== null && page.documentId !== null;
  const { etag, lastModified } = page ?? {};
  const headers = {
    ...(isConditional && etag !== undefined && { 'if-none-match': etag }),
    ...(isConditional && lastModified !== undefined && { 'if-modified-since': lastModified }),
  };
  const response = await hosts.request(new URL(url), headers, maxPageBytes);
  const requested = { url, isConditional: Object.keys(headers).length > 0 };
  const context = { rules: input.network, nowMs: input.nowMs(), readHtml: reader.page };
  if ('error' in response) {
    const { error } = response;
    if (error === 'robots_disallowed')
      return failure(error, 'The robots.txt of the host does not allow the request.');
    if (error === 'robots_unreachable')
      return failure(error, 'The robots.txt of the host could not be read.');
    return outcomeOf({ error }, requested, context);
  }
  const outcome = await outcomeOf(response, requested, context);
  if (outcome.kind === 'failed' && outcome.pauseMs !== undefined)
    await hosts.pause(new URL(url), outcome.pauseMs);
  return outcome;
}

export type Plan = { writes: readonly Write[]; state: RefreshState };

/** Plans the next request of a page that redirects, or its visit. */
async function planOutcome(
  run: RefreshRun,
  entry: NewEntry,
  page: StoredPage,
  outcome: Outcome,
  state: RefreshState,
): Promise<Visit> {
  const { store, source } = run;
  if (outcome.kind !== 'moved') return planVisit(run, entry, page, outcome, state);
  const lead = await leadOf(run, entry, outcome.to);
  if (lead.kind === 'moved') return planVisit(run, entry, page, lead, state);
  if (lead.kind === 'request') {
    const { hops } = lead;
    return { state, ids: [], writes: requeue(store, source.id, entry, { hops, tries: 0 }) };
  }
  const onTheWay = await withDocuments(run, entry.hops ?? []);
  return planVisit(run, entry, page, tooManyRedirects, state, onTheWay);
}

/**
 * Plans the page and its document, and the pages behind its links.
 * @param onTheWay further pages that count as found
 */
async function planVisit(
  run: RefreshRun,
  entry: NewEntry,
  page: StoredPage,
  outcome: Outcome,
  before: RefreshState,
  onTheWay: readonly string[] = [],
): Promise<Visit> {
  const { store, source } = run;
  const plan = await planPage(run, page, outcome, before);
  const own = source.type === 'site' && 'links' in outcome ? outcome.links : undefined;
  const packed = own && packLinks(own);
  const links = await linksBehind(run, entry, page, outcome, own);
  const found = await findPages(run, plan.state, [...onTheWay, ...links.urls], entry.depth + 1);
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
  before: StoredPage,
  outcome: Outcome,
  state: RefreshState,
): Promise<Plan> {
  const { store, source, job, input } = run;
  const requestedAt = timestamp(input.nowMs());
  const page = { ...before, visitedIn: job.id };
  const { replacedBy: _, ...kept } = page;
  const base = { ...kept, error: null, movedTo: null, requestedAt };
  // A page that is not there has no content of another page.
  const emptied =
    page.duplicateOf === null ? base : { ...base, documentId: null, duplicateOf: null, contentHash: null };
  switch (outcome.kind) {
    case 'content':
      return planContent(run, page, before, outcome, state);
    case 'unchanged':
      return planUnchanged(run, page, before, state);
    case 'moved': {
      const after = { ...emptied, status: 'moved' as const, movedTo: outcome.to };
      return { writes: [putPage(store, source.id, after, before)], state: pageDone(state, 'moved') };
    }
    case 'gone':
      return {
        writes: [putPage(store, source.id, { ...emptied, status: 'gone' as const }, before)],
        state: pageDone(state),
      };
    case 'failed':
      return {
        writes: [putPage(store, source.id, failedPage(base, outcome), before)],
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
  { depth, pageId }: NewEntry,
  page: StoredPage,
  outcome: Outcome,
  own: FoundLinks | undefined,
): Promise<FoundLinks> {
  const isEnd = outcome.kind === 'gone' || outcome.kind === 'moved';
  if (source.type !== 'site' || isEnd || depth >= source.maxDepth) return noLinks;
  if (own) return own;
  return page.requestedAt === null ? noLinks : getLinks(store, source.id, pageId);
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
