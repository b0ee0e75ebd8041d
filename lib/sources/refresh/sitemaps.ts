/** Reads a sitemap or a feed, and adds its pages. An index adds its sitemaps to the queue. */

import { JobFailure } from '../../jobs/run.ts';
import { maxRedirects, maxRetries, maxSitemaps } from '../rules/limits.ts';
import { isBusy, isRedirect, retryPauseMs } from '../rules/outcome.ts';
import { canonicalUrl, isInScope, pageIdOf } from '../rules/urls.ts';
import {
  dequeue,
  enqueue,
  leaveLinks,
  packLinks,
  putLinks,
  type QueueEntry,
  requeue,
} from '../store/pages.ts';
import { type RefreshRun, save } from './progress.ts';
import { sitemapBody } from './read-sitemap.ts';

/** @throws JobFailure if it is the first sitemap and cannot be read. Otherwise no page counts as no longer linked */
export async function visitSitemap(run: RefreshRun, entry: QueueEntry): Promise<void> {
  const { store, source, hosts, input } = run;
  const { response, url, addresses } = await requestSitemap(run, entry);
  const counts = { ...run.state.counts };
  counts.requests += hosts.takeRequestCount();
  if ('error' in response || response.status !== 200 || response.body === false) {
    const isTemporary = 'error' in response ? !lastingErrors.has(response.error) : isBusy(response);
    const pauseMs = 'error' in response ? undefined : retryPauseMs(response, input.nowMs());
    if (pauseMs !== undefined) await hosts.pause(url, pauseMs);
    if (isTemporary && entry.tries < maxRetries) {
      const again = requeue(store, source.id, entry, { tries: entry.tries + 1 });
      await save(run, { ...run.state, counts }, again);
      return;
    }
    if (entry.depth === 0)
      throw new JobFailure({
        code: 'sitemap_failed',
        message: `The ${source.type} could not be read. No page was changed.`,
      });
    counts.isLimited = true;
    await save(run, { ...run.state, counts }, [dequeue(store, source.id, entry)]);
    return;
  }
  // A feed has only the newest pages.
  if (addresses.isLimited || source.type === 'feed') counts.isLimited = true;
  const urls = [...addresses.urls];
  if (!addresses.isIndex) {
    const links = packLinks({ urls, isCut: response.body === 'cut' });
    if (links.isCut) counts.isLimited = true;
    await save(run, { ...run.state, counts }, [
      putLinks(store, source.id, entry.pageId, links),
      leaveLinks(store, source.id, entry),
    ]);
    return;
  }
  const children = urls.map((one) => ({ pageId: pageIdOf(one), url: one, depth: 1 }));
  await save(run, { ...run.state, counts }, [
    dequeue(store, source.id, entry),
    ...children
      .filter(({ pageId }) => pageId !== entry.pageId)
      .map((child) => enqueue(store, source.id, { ...child, kind: 'sitemap' })),
  ]);
}

/** Follows redirects on the host of the source, and to hosts that `include` names. */
async function requestSitemap(run: RefreshRun, entry: QueueEntry) {
  const { hosts, input } = run;
  let url = new URL(entry.url);
  for (let redirects = 0; ; redirects += 1) {
    const addresses = newAddresses();
    const wants = (text: string, isIndex: boolean) =>
      addAddress(run, entry, addresses, { text, isIndex, url });
    const response = await hosts.request(url, {}, sitemapBody(wants));
    const result = { response, url, addresses };
    if ('error' in response || !isRedirect(response) || redirects === maxRedirects) return result;
    const to = canonicalUrl(response.headers.location ?? '', input.network, url.href);
    if (to === undefined || !isSameSite(to, run)) return result;
    url = new URL(to);
  }
}

type Addresses = { isIndex: boolean; urls: Set<string>; isLimited: boolean };

const newAddresses = (): Addresses => ({ isIndex: false, urls: new Set(), isLimited: false });

/** @returns whether further addresses are wanted */
function addAddress(
  run: RefreshRun,
  { depth }: QueueEntry,
  addresses: Addresses,
  { text, isIndex, url: { href } }: { text: string; isIndex: boolean; url: URL },
): boolean {
  const { source, input } = run;
  addresses.isIndex = isIndex;
  const url = canonicalUrl(text, input.network, href);
  if (url === undefined || addresses.urls.has(url)) return true;
  // The sitemaps of an index are no indexes.
  const isWanted = isIndex ? depth === 0 && isSameSite(url, run) : isInScope(url, source);
  if (!isWanted) {
    addresses.isLimited ||= isIndex;
    return true;
  }
  if (addresses.urls.size === (isIndex ? maxSitemaps : source.maxPages)) {
    addresses.isLimited = true;
    return false;
  }
  addresses.urls.add(url);
  return true;
}

const lastingErrors = new Set([
  'address_not_allowed',
  'tls_failed',
  'too_large',
  'robots_disallowed',
  'robots_unreachable',
]);

/** The sitemaps of an index are on its host, or on a host that `include` names. */
const isSameSite = (url: string, { source }: RefreshRun): boolean =>
  new URL(url).host === new URL(source.url).host || isInScope(url, source);
