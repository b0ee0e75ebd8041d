/** Requests one page, and stores what it has become. One transaction writes everything, so a page is done once. */

import { again, retry } from '../../base/retry.ts';
import { timestamp } from '../../base/time.ts';
import type { RefreshState } from '../../jobs/refresh.ts';
import { endTurn } from '../../workers/turn.ts';
import type { Write } from '../../workers/worker.ts';
import { maxRetries } from '../rules/limits.ts';
import { noLinks, type Outcome, type PageFailure, type PageLinks } from '../rules/outcome.ts';
import { pageIdOf } from '../rules/urls.ts';
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
import { canonicalLead, planNamed, planOwn } from './canonical.ts';
import { planContent, planUnchanged } from './content.ts';
import { arrive, leadOf, planPages, requestedUrl, tooManyRedirects, withDocuments } from './links.ts';
import { pageDone, type RefreshRun, save } from './progress.ts';
import { requestPage } from './request-page.ts';

/** @throws Paused, Suspended, JobLost, JobFailure */
export async function visitPage(run: RefreshRun, entry: QueueEntry): Promise<void> {
  const { store, source, job, hosts } = run;
  const first = await getPage(store, source.id, entry.pageId);
  // The redirects of another page may have ended at this one.
  const isVisited = first?.visitedIn === job.id && !entry.isFresh;
  if (!first || first.status === 'excluded' || isVisited)
    return void (await save(run, run.state, [dequeue(store, source.id, entry)]));
  const url = requestedUrl(entry);
  const requestedPage = url === entry.url ? first : await getPage(store, source.id, pageIdOf(url));
  // The rules of a slow robots.txt are stored, and the page may take long, too.
  if (await hosts.readRules(new URL(url)))
    await endTurn(run.input, () => save(run, withRequests(run.state, hosts.takeRequestCount())));
  const outcome = await requestPage(run, entry, requestedPage);
  const requestCount = hosts.takeRequestCount();
  const isRepeated = outcome.kind === 'failed' && outcome.isTemporary && entry.tries < maxRetries;
  const isRead = outcome.kind === 'content' || outcome.kind === 'unchanged';
  const lead = await canonicalLead(run, entry, outcome);
  const hasArrived = url !== entry.url && outcome.kind !== 'moved' && !lead && !isRepeated;
  const visit = await change(run, entry, requestCount, async (page, state): Promise<Visit> => {
    if (isRepeated)
      return { state, ids: [], writes: requeue(store, source.id, entry, { tries: entry.tries + 1 }) };
    if (entry.isNamed && !isRead) return { state, ids: [], writes: planOwn(run, entry) };
    if (lead && outcome.kind === 'content') {
      const { links } = outcome;
      if (lead.kind === 'moved') return planVisit(run, entry, page, { ...lead, links }, state);
      return { ids: [], ...planNamed(run, entry, { links, hops: lead.hops }, state) };
    }
    if (!hasArrived) return planOutcome(run, entry, page, outcome, state);
    const redirect = await planPage(run, page, { kind: 'moved', to: url }, state);
    const arrival = await arrive(run, entry, redirect.state);
    return { ...arrival, ids: [], writes: [...redirect.writes, ...arrival.writes] };
  });
  const next = visit?.next;
  if (next) await change(run, next, 0, (page, state) => planVisit(run, next, page, outcome, state));
}

const withRequests = (state: RefreshState, requestCount: number): RefreshState => ({
  ...state,
  counts: { ...state.counts, requests: state.counts.requests + requestCount },
});

type Visit = Plan & {
  /** The pages that are found. */
  ids: string[];
  /** The entry of the page where the redirects end, which is visited with the response that is here already. */
  next?: NewEntry | undefined;
};

/**
 * Commits what becomes of a page.
 * @param requestCount the number of requests
 * @returns undefined if its document was expunged in the meantime
 */
async function change(
  run: RefreshRun,
  entry: NewEntry,
  requestCount: number,
  plan: (page: StoredPage, state: RefreshState) => Promise<Visit>,
): Promise<Visit | undefined> {
  const { store, source } = run;
  const attempt = async () => {
    const page = await getPage(store, source.id, entry.pageId);
    const state = withRequests(run.state, requestCount);
    if (!page || page.status === 'excluded') {
      return (await save(run, state, [dequeue(store, source.id, entry)])) ? undefined : again;
    }
    const visit = await plan(page, state);
    if (!(await save(run, visit.state, visit.writes))) return again;
    for (const id of visit.ids) run.pageIds.add(id);
    return visit;
  };
  return retry(attempt, { failure: () => new Error(`${entry.pageId} is being changed`) });
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
  const pageLinks = source.type === 'site' && 'links' in outcome ? outcome.links : undefined;
  const packedLinks = pageLinks && packLinks(pageLinks);
  const links = await linksBehind(run, entry, page, outcome, pageLinks);
  const pagePlan = await planPages(run, plan.state, [...onTheWay, ...links.urls], entry.depth + 1);
  const isCut = links.isCut || (links === pageLinks && packedLinks?.isCut === true);
  const { state } = pagePlan;
  return {
    ids: pagePlan.ids,
    state: isCut ? { ...state, counts: { ...state.counts, isLimited: true } } : state,
    writes: [
      ...plan.writes,
      ...(packedLinks ? [putLinks(store, source.id, page.id, packedLinks)] : []),
      ...pagePlan.writes,
      pagePlan.isRest ? leaveLinks(store, source.id, entry) : dequeue(store, source.id, entry),
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
  const { replacedBy: _, ...rest } = page;
  const base = { ...rest, error: null, movedTo: null, requestedAt };
  // A page that is not there has no content of another page.
  const withoutContent =
    page.duplicateOf === null ? base : { ...base, documentId: null, duplicateOf: null, contentHash: null };
  switch (outcome.kind) {
    case 'content':
      return planContent(run, page, before, outcome, state);
    case 'unchanged':
      return planUnchanged(run, page, before, state);
    case 'moved': {
      const after = { ...withoutContent, status: 'moved' as const, movedTo: outcome.to };
      return { writes: [putPage(store, source.id, after, before)], state: pageDone(state, 'moved') };
    }
    case 'gone':
    case 'noindex': {
      const { kind: status } = outcome;
      return {
        writes: [putPage(store, source.id, { ...withoutContent, status }, before)],
        state: status === 'noindex' ? pageDone(state, status) : pageDone(state),
      };
    }
    case 'failed':
      return {
        writes: [putPage(store, source.id, failedPage(base, outcome), before)],
        state: pageDone(state, 'failedPages'),
      };
  }
}

const failedPage = (page: StoredPage, { code, message }: PageFailure): StoredPage => ({
  ...page,
  // The content of the page stays, so that a later refresh knows to which page it belongs.
  status: 'failed',
  error: { code, message },
});

/**
 * A page that could not be read still links to what it linked to before.
 * @param pageLinks the links of the page, if it was read
 */
async function linksBehind(
  { store, source }: RefreshRun,
  { depth, pageId }: NewEntry,
  page: StoredPage,
  outcome: Outcome,
  pageLinks: PageLinks | undefined,
): Promise<PageLinks> {
  if (source.type !== 'site' || depth >= source.maxDepth) return noLinks;
  if (pageLinks) return pageLinks;
  const isEnd = outcome.kind === 'gone' || outcome.kind === 'moved';
  return isEnd || page.requestedAt === null ? noLinks : getLinks(store, source.id, pageId);
}

/** Adds the rest of the pages behind the links of a page. */
export async function addFurtherPages(run: RefreshRun, entry: QueueEntry): Promise<void> {
  const { store, source, state } = run;
  const isSitemap = entry.kind === 'sitemap';
  const { urls } = await getLinks(store, source.id, entry.pageId);
  const depth = isSitemap ? 0 : entry.depth + 1;
  const pagePlan = await planPages(run, state, urls, depth);
  // The links of a page are needed in the next refresh, too, if it cannot be read then.
  const removals = isSitemap ? [removeLinks(store, source.id, entry.pageId)] : [];
  const end = pagePlan.isRest ? [] : [dequeue(store, source.id, entry), ...removals];
  if (await save(run, pagePlan.state, [...pagePlan.writes, ...end]))
    for (const id of pagePlan.ids) run.pageIds.add(id);
}
