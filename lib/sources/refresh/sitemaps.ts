/** Reads a sitemap, and adds its pages. An index adds its sitemaps to the queue. */

import { gunzipSync } from 'node:zlib';
import { JobFailure } from '../../jobs/run.ts';
import { maxPageBytes, maxRedirects, maxRetries, maxSitemaps } from '../rules/limits.ts';
import { isBusy, isRedirect, retryPauseMs } from '../rules/outcome.ts';
import { readSitemap, type Sitemap } from '../rules/sitemap.ts';
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

const maxPacked = 50;

/** @throws JobFailure if it is the first sitemap and cannot be read. Otherwise no page counts as no longer linked */
export async function visitSitemap(run: RefreshRun, entry: QueueEntry): Promise<void> {
  const { store, source, hosts, input } = run;
  const { response, url } = await requestSitemap(run, new URL(entry.url));
  const counts = { ...run.state.counts };
  counts.requests += hosts.takeRequestCount();
  const sitemap = 'error' in response || response.status !== 200 ? undefined : parseSitemap(response.body);
  if (!sitemap) {
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
        message: 'The sitemap could not be read. No page was changed.',
      });
    counts.isLimited = true;
    await save(run, { ...run.state, counts }, [dequeue(store, source.id, entry)]);
    return;
  }
  const urls = [...canonicals(sitemap.urls, run, url)];
  if (!sitemap.isIndex) {
    // One page more than the source may have shows that pages are missing.
    const pageUrls = urls.filter((one) => isInScope(one, source)).slice(0, source.maxPages + 1);
    const links = packLinks({ urls: pageUrls, isCut: pageUrls.length > source.maxPages });
    if (links.isCut) counts.isLimited = true;
    await save(run, { ...run.state, counts }, [
      putLinks(store, source.id, entry.pageId, links),
      leaveLinks(store, source.id, entry),
    ]);
    return;
  }
  const sitemapUrls = entry.depth === 0 ? urls.filter((one) => isSameSite(one, run)) : [];
  if (sitemapUrls.length < urls.length || sitemapUrls.length > maxSitemaps) counts.isLimited = true;
  const children = sitemapUrls
    .slice(0, maxSitemaps)
    .map((one) => ({ pageId: pageIdOf(one), url: one, depth: 1 }));
  await save(run, { ...run.state, counts }, [
    dequeue(store, source.id, entry),
    ...children
      .filter(({ pageId }) => pageId !== entry.pageId)
      .map((child) => enqueue(store, source.id, { ...child, kind: 'sitemap' })),
  ]);
}

/** Follows redirects on the host of the source, and to hosts that `include` names. */
async function requestSitemap(run: RefreshRun, first: URL) {
  const { hosts, input } = run;
  let url = first;
  for (let redirects = 0; ; redirects += 1) {
    const response = await hosts.request(url, {}, maxPageBytes);
    if ('error' in response || !isRedirect(response) || redirects === maxRedirects) return { response, url };
    const to = canonicalUrl(response.headers.location ?? '', input.network, url.href);
    if (to === undefined || !isSameSite(to, run)) return { response, url };
    url = new URL(to);
  }
}

const lastingErrors = new Set([
  'address_not_allowed',
  'tls_failed',
  'too_large',
  'robots_disallowed',
  'robots_unreachable',
]);

function* canonicals(urls: readonly string[], { input }: RefreshRun, { href }: URL): Generator<string> {
  const seen = new Set<string>();
  for (const url of urls) {
    const canonical = canonicalUrl(url, input.network, href);
    if (canonical === undefined || seen.has(canonical)) continue;
    seen.add(canonical);
    yield canonical;
  }
}

/** The sitemaps of an index are on its host, or on a host that `include` names. */
const isSameSite = (url: string, { source }: RefreshRun): boolean =>
  new URL(url).host === new URL(source.url).host || isInScope(url, source);

function parseSitemap(body: Uint8Array): Sitemap | undefined {
  try {
    const isPacked = body[0] === 0x1f && body[1] === 0x8b;
    const text = isPacked ? gunzipSync(body, { maxOutputLength: maxPacked * 1024 * 1024 }) : body;
    return readSitemap(new TextDecoder().decode(text));
  } catch {
    return undefined;
  }
}
