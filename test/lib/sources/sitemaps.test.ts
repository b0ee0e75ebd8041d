/** Sitemaps that fail for a while, and that redirect. */

import { expect, onTestFinished, test } from 'vitest';
import { dayMs, secondMs } from '../../../lib/base/time.ts';
import { storedOf } from '../../../samples/api.ts';
import { htmlPage, openSite, type SitePage } from '../../support/site.ts';
import { openSources } from '../../support/sources.ts';

const sitemap = (name: string, urls: readonly string[]) => ({
  headers: { 'content-type': 'application/xml' },
  body: `<${name}>${urls.map((url) => `<x><loc>${url}</loc></x>`).join('')}</${name}>`,
});

const busyOnce = (page: SitePage, headers = {}) => {
  let isBusy = true;
  return () => {
    if (!isBusy) return page;
    isBusy = false;
    return { status: 503, headers };
  };
};

async function open(path = 'index.xml', body = {}) {
  const site = await openSite();
  onTestFinished(() => site.close());
  const at = (one: string) => `${site.url}${one}`;
  const index = sitemap('sitemapindex', [at('1.xml')]);
  const child = sitemap('urlset', [at('a'), at('b')]);
  site.pages.set('/index.xml', index).set('/1.xml', child);
  for (const name of ['a', 'b']) site.pages.set(`/${name}`, htmlPage(name, `Page ${name}.`));
  const opened = await openSources({ url: site.url }, { type: 'sitemap', url: at(path), ...body });
  return { site, index, child, at, ...opened };
}

test('a refresh leaves no list of a sitemap, and the rules of robots.txt for a day', async () => {
  const { api, refresh } = await open();
  await refresh();
  const stored = await storedOf(api, 'knowledge');
  expect(stored.filter(({ tenant }) => `${tenant}`.endsWith('#links'))).toEqual([]);
  const rules = stored.filter(({ tenant }) => `${tenant}`.endsWith('#robots'));
  expect(rules).toHaveLength(1);
  expect(Number(rules[0]?.ttl) * 1000).toBeLessThanOrEqual(api.runtime.nowMs() + dayMs + secondMs);
});

test('an index and a sitemap that fail once are requested again', async () => {
  const { site, index, child, refresh } = await open();
  site.pages.set('/index.xml', busyOnce(index)).set('/1.xml', busyOnce(child, { 'retry-after': '0' }));
  expect(await refresh()).toMatchObject({
    status: 'succeeded',
    result: { created: 2, isLimited: false, requests: 1 + 2 + 2 + 2 },
  });
});

test('a sitemap that goes on failing is requested three times', { tags: ['long'] }, async () => {
  const { site, refresh } = await open();
  await refresh();
  site.requests.length = 0;
  site.pages.set('/1.xml', { status: 503 });
  expect((await refresh()).result).toMatchObject({ isLimited: true, removed: 0 });
  expect(site.requests.filter((path) => path === '/1.xml')).toHaveLength(3);
  site.pages.set('/index.xml', { status: 503 });
  expect(await refresh()).toMatchObject({ status: 'failed', error: { code: 'sitemap_failed' } });
});

test('redirects of a sitemap are followed', async () => {
  const { site, child, refresh, documents } = await open('sitemap.xml');
  const to = (location: string) => ({ status: 301, headers: { location } });
  site.pages.set('/sitemap.xml', to('/index.xml'));
  site.pages.set('/1.xml', to('/maps/1.xml')).set('/maps/1.xml', child);
  expect((await refresh()).result).toMatchObject({ created: 2, isLimited: false });
  expect(Object.keys(await documents()).sort()).toEqual(['/a', '/b']);
});

test('a loop of redirects ends, and a redirect leaves neither the host nor public networks', async () => {
  const { site, refresh } = await open('sitemap.xml');
  const failed = { status: 'failed', error: { code: 'sitemap_failed' } };
  for (const location of ['/sitemap.xml', 'https://other.example/s.xml', 'http://169.254.169.254/latest/']) {
    site.requests.length = 0;
    site.pages.set('/sitemap.xml', { status: 302, headers: { location } });
    expect(await refresh()).toMatchObject(failed);
    expect(site.requests.length).toBeLessThanOrEqual(1 + 6);
  }
});

test('a feed keeps the pages that have left it', async () => {
  const feed = (...names: string[]) => ({
    headers: { 'content-type': 'application/rss+xml' },
    body: `<rss><channel>${names.map((name) => `<item><link>${name}</link></item>`).join('')}</channel></rss>`,
  });
  const { site, at, refresh, documents } = await open('feed.xml', { type: 'feed' });
  site.pages.set('/feed.xml', feed(at('a')));
  expect((await refresh()).result).toMatchObject({ created: 1, isLimited: true });
  site.pages.set('/feed.xml', feed(at('b')));
  for (let times = 0; times < 3; times += 1) await refresh();
  expect(Object.keys(await documents()).sort()).toEqual(['/a', '/b']);
});

test('a sitemap of 40 MB is read only as far as its pages are wanted', async () => {
  const { site, at, refresh } = await open('sitemap.xml', { maxPages: 2 });
  const urls = [
    at('a'),
    at('b'),
    ...Array.from({ length: 49_000 }, (_, index) => at(`${'x'.repeat(800)}${index}`)),
  ];
  site.pages.set('/sitemap.xml', sitemap('urlset', urls));
  expect((await refresh()).result).toMatchObject({ created: 2, isLimited: true });
});

test('a robots.txt in UTF-16 is read', async () => {
  const { site, refresh } = await open();
  site.pages.set('/robots.txt', { body: Buffer.from('\ufeffUser-agent: *\nDisallow: /a\n', 'utf16le') });
  expect((await refresh()).result).toMatchObject({ created: 1, failedPages: 1 });
});
