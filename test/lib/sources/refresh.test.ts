/** Refreshes of a site on this machine. */

import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import type { Json } from '../../../samples/api.ts';
import { htmlPage, openSite } from '../../support/site.ts';
import { openPages as open, openSources, pageId } from '../../support/sources.ts';

test('a site becomes documents with the main content of its pages', { tags: ['long'] }, async () => {
  const { site, refresh, documents, content, id, pages } = await open({
    '/': htmlPage('Home', 'Welcome to our site.', ['/returns', '/delivery#times']),
    '/returns': htmlPage('Returns', 'Within 30 days.', ['https://other.example/']),
    '/delivery': htmlPage('Delivery', 'In two days.'),
  });
  const job = await refresh();
  expect(job).toMatchObject({
    type: 'knowledge.refresh',
    status: 'succeeded',
    progress: { total: 3, done: 3, failed: 0 },
    result: { sourceId: id, pages: 3, created: 3, requests: 4, failedPages: 0 },
  });
  const found = await documents();
  expect(Object.keys(found).sort()).toEqual(['/', '/delivery', '/returns']);
  const url = `${site.url}returns`;
  expect(found['/returns']).toMatchObject({
    title: 'Returns',
    source: id,
    externalId: pageId(url),
    url,
    mimeType: 'text/markdown',
  });
  const text = await content(found['/returns']?.id);
  expect(text).not.toContain('# Returns');
  expect(text).toContain('Within 30 days.');
  expect(text).not.toContain('Home');
  expect(text).not.toContain('All rights reserved');
  expect((await pages())['/returns']).toMatchObject({ status: 'stored', documentId: found['/returns']?.id });
  expect(site.requests).toEqual(['/robots.txt', '/', expect.any(String), expect.any(String)]);
  expect(site.load.most).toBe(1);
});

test('unchanged pages write no document, with and without an ETag', { tags: ['long'] }, async () => {
  const { refresh, documents } = await open({
    '/': htmlPage('Home', 'Welcome.', ['/plain']),
    '/plain': { body: htmlPage('Plain', 'No tag.'), isPlain: true },
  });
  await refresh();
  const before = await documents();
  const job = await refresh();
  expect(job.result).toMatchObject({ created: 0, updated: 0, unchanged: 2, removed: 0 });
  expect(await documents()).toEqual(before);
});

test('a change, a new page and other tags reach the documents', { tags: ['long'] }, async () => {
  const { site, api, path, refresh, documents, content } = await open({
    '/': htmlPage('Home', 'Welcome.', ['/returns']),
    '/returns': htmlPage('Returns', 'Within 30 days.'),
  });
  await refresh();
  const before = await documents();
  site.pages.set('/returns', htmlPage('Returns', 'Within 14 days.', ['/new']));
  site.pages.set('/new', htmlPage('New', 'A new page.'));
  expect((await refresh()).result).toMatchObject({ created: 1, updated: 1, unchanged: 1, pages: 3 });
  const after = await documents();
  expect(after['/returns']?.id).toBe(before['/returns']?.id);
  expect(await content(after['/returns']?.id)).toContain('Within 14 days.');
  await api.call('PATCH', path, { body: { tags: ['site'] } });
  expect((await refresh()).result).toMatchObject({ created: 0, updated: 3, unchanged: 0 });
  expect((await documents())['/new']).toMatchObject({ tags: ['site'] });
});

test('a page that is gone loses its document: at once after a 404, after two refreshes if nothing links to it', {
  tags: ['long'],
}, async () => {
  const { site, refresh, documents, pages } = await open({
    '/': htmlPage('Home', 'Welcome.', ['/a', '/b', '/c', '/d']),
    '/a': htmlPage('A', 'Page a.'),
    '/b': htmlPage('B', 'Page b.'),
    '/c': htmlPage('C', 'Page c.'),
    '/d': htmlPage('D', 'Page d.'),
  });
  await refresh();
  site.pages.delete('/a');
  site.pages.set('/', htmlPage('Home', 'Welcome.', ['/a', '/c', '/d']));
  site.pages.set('/c', { status: 500 });
  const job = await refresh();
  expect(job.result).toMatchObject({ removed: 1, failedPages: 1, unconfirmed: 0, requests: 4 + 1 + 2 });
  expect(Object.keys(await documents()).sort()).toEqual(['/', '/b', '/c', '/d']);
  expect(await pages()).toMatchObject({
    '/a': { status: 'gone', documentId: null },
    '/c': { status: 'failed', error: { code: 'http_error' }, documentId: expect.any(String) },
  });
  expect((await refresh()).result).toMatchObject({ removed: 1 });
  expect(Object.keys(await documents()).sort()).toEqual(['/', '/c', '/d']);
});

test('to remove more than half of the documents needs a confirmation', { tags: ['long'] }, async () => {
  const { site, refresh, documents } = await open({
    '/': htmlPage('Home', 'Welcome.', ['/a', '/b']),
    '/a': htmlPage('A', 'Page a.'),
    '/b': htmlPage('B', 'Page b.'),
  });
  await refresh();
  site.pages.delete('/a');
  site.pages.delete('/b');
  expect((await refresh()).result).toMatchObject({ removed: 0, unconfirmed: 2 });
  expect(Object.keys(await documents())).toHaveLength(3);
  expect((await refresh({ confirm: true })).result).toMatchObject({ removed: 2, unconfirmed: 0 });
  expect(Object.keys(await documents())).toEqual(['/']);
});

test('the same content under two addresses is one document, which survives either of them', {
  tags: ['long'],
}, async () => {
  const same = htmlPage('Same', 'The same text.');
  const { site, refresh, documents, pages } = await open({
    '/': htmlPage('Home', 'Welcome.', ['/a', '/b']),
    '/a': same,
    '/b': same,
  });
  expect((await refresh()).result).toMatchObject({ created: 2, duplicates: 1 });
  const before = await documents();
  const [owner = '', other = ''] = '/a' in before ? ['/a', '/b'] : ['/b', '/a'];
  expect((await pages())[other]).toMatchObject({ status: 'duplicate', documentId: before[owner]?.id });
  // The owner gets another content: the other page becomes a document in the same refresh.
  site.pages.set(owner, htmlPage('Changed', 'Another text.'));
  expect((await refresh()).result).toMatchObject({ created: 1, updated: 1, removed: 0 });
  expect(Object.keys(await documents()).sort()).toEqual(['/', '/a', '/b']);
  // And back: they are one document again, whose page then goes away.
  site.pages.set(owner, same);
  await refresh();
  expect(Object.keys(await documents()).sort()).toEqual(['/', other]);
  const kept = (await documents())[other]?.id;
  site.pages.delete(other);
  expect((await refresh()).result).toMatchObject({ removed: 0 });
  expect((await documents())[owner]?.id).toBe(kept);
});

test('a page that moves keeps its document, and a loop fails', { tags: ['long'] }, async () => {
  const { site, refresh, documents, pages, api, base, project } = await open({
    '/': htmlPage('Home', 'Welcome.', ['/old', '/loop']),
    '/old': htmlPage('Page', 'It moves.'),
    '/loop': { status: 302, headers: { location: '/pool' } },
    '/pool': { status: 302, headers: { location: '/loop' } },
  });
  await refresh();
  const reindex = async () => {
    const { data } = await api.call('POST', `${base}/reindex`);
    await api.workOff(project, `${data.id}`);
  };
  const urls = async () =>
    ((await api.call('GET', `${base}/search?q=moves`)).data.items as Json[]).map(({ url }) => url);
  await reindex();
  expect(await urls()).toEqual([`${site.url}old`]);
  const before = await documents();
  expect(Object.keys(before).sort()).toEqual(['/', '/old']);
  site.pages.set('/old', { status: 301, headers: { location: '/new' } });
  site.pages.set('/new', htmlPage('Page', 'It moves.'));
  const job = await refresh();
  expect(job.result).toMatchObject({ removed: 0, moved: 1, failedPages: 1 });
  const after = await documents();
  expect(after['/new']).toMatchObject({
    id: before['/old']?.id,
    url: `${site.url}new`,
    externalId: pageId(`${site.url}new`),
    // The index has another address of it.
    status: 'pending',
  });
  expect(await urls()).toEqual([`${site.url}old`]);
  await reindex();
  expect(await urls()).toEqual([`${site.url}new`]);
  expect(after['/old']).toBeUndefined();
  expect((await pages())['/old']).toMatchObject({
    status: 'moved',
    movedTo: `${site.url}new`,
    documentId: null,
  });
});

test('redirects to another network, and pages that lie about their type, store nothing', {
  tags: ['long'],
}, async () => {
  const { refresh, documents, pages } = await open(
    {
      '/': htmlPage('Home', 'Welcome.', ['/metadata', '/pdf', 'http://169.254.169.254/latest/']),
      '/metadata': { status: 302, headers: { location: 'http://169.254.169.254/latest/meta-data/' } },
      '/pdf': { headers: { 'content-type': 'text/html' }, body: '%PDF-1.7 not a page' },
    },
    { include: ['*'] },
  );
  const job = await refresh();
  expect(job.result).toMatchObject({ created: 1 });
  expect(Object.keys(await documents())).toEqual(['/']);
  const found = Object.values(await pages());
  const errors = found.flatMap(({ error }) => (error ? [(error as { code: string }).code] : []));
  expect(errors.sort()).toEqual(['address_not_allowed', 'address_not_allowed', 'unreadable_file']);
});

test('of a robots.txt of 10 MB, also as a bomb, the beginning is respected', { tags: ['long'] }, async () => {
  const rules = `User-agent: *\nDisallow: /private\n${'# filling\n'.repeat(1_000_000)}`;
  for (const robots of [
    { body: rules },
    { body: gzipSync(rules), headers: { 'content-encoding': 'gzip', 'content-type': 'text/plain' } },
  ]) {
    const { site, refresh, documents } = await open({
      '/': htmlPage('Home', 'Welcome.', ['/private', '/public']),
      '/private': htmlPage('Private', 'Secret.'),
      '/public': htmlPage('Public', 'Known.'),
      '/robots.txt': robots,
    });
    expect(await refresh()).toMatchObject({ status: 'succeeded' });
    expect(Object.keys(await documents()).sort()).toEqual(['/', '/public']);
    expect(site.requests).not.toContain('/private');
  }
});

test('robots.txt is respected, and a page that it forbids keeps its document', {
  tags: ['long'],
}, async () => {
  const { site, refresh, documents, pages } = await open({
    '/': htmlPage('Home', 'Welcome.', ['/private', '/public']),
    '/private': htmlPage('Private', 'Not for you.'),
    '/public': htmlPage('Public', 'For all.'),
  });
  await refresh();
  site.pages.set('/robots.txt', {
    headers: { 'content-type': 'text/plain' },
    body: 'User-agent: *\nDisallow: /private',
  });
  site.requests.length = 0;
  await refresh();
  expect(site.requests).not.toContain('/private');
  expect((await pages())['/private']).toMatchObject({
    status: 'failed',
    error: { code: 'robots_disallowed' },
  });
  expect(Object.keys(await documents()).sort()).toEqual(['/', '/private', '/public']);
  site.pages.set('/robots.txt', { status: 503 });
  expect(await refresh()).toMatchObject({ status: 'failed', error: { code: 'robots_unreachable' } });
  expect(Object.keys(await documents())).toHaveLength(3);
});

test('maxPages and maxDepth bound a refresh, and what it misses is not gone', {
  tags: ['long'],
}, async () => {
  const pages = Object.fromEntries(
    Array.from({ length: 20 }, (_, at) => [`/p${at}`, htmlPage(`Page ${at}`, `The text of ${at}.`)]),
  );
  const { api, path, refresh, documents } = await open({
    '/': htmlPage('Home', 'Welcome.', Object.keys(pages)),
    ...pages,
  });
  expect((await refresh()).result).toMatchObject({ pages: 21, created: 21, isLimited: false });
  await api.call('PATCH', path, { body: { maxPages: 10 } });
  for (let times = 0; times < 2; times += 1)
    expect((await refresh()).result).toMatchObject({ pages: 10, removed: 0, isLimited: true });
  expect(Object.keys(await documents())).toHaveLength(21);
  await api.call('PATCH', path, { body: { maxDepth: 0 } });
  expect((await refresh()).result).toMatchObject({ pages: 1 });
});

test('a sitemap says which pages there are', { tags: ['long'] }, async () => {
  const sitemap = (name: string, urls: readonly string[]) => ({
    headers: { 'content-type': 'application/xml' },
    body: `<${name}>${urls.map((url) => `<x><loc>${url}</loc></x>`).join('')}</${name}>`,
  });
  const site = await openSite();
  onTestFinished(() => site.close());
  const at = (path: string) => `${site.url}${path}`;
  site.pages.set('/index.xml', sitemap('sitemapindex', [at('1.xml'), at('2.xml')]));
  site.pages.set('/1.xml', sitemap('urlset', [at('a'), at('b')]));
  site.pages.set('/2.xml', sitemap('urlset', [at('c')]));
  for (const name of ['a', 'b', 'c', 'd'])
    site.pages.set(`/${name}`, htmlPage(name, `Page ${name}.`, ['/d']));
  const { refresh, documents } = await openSources(
    { url: site.url },
    { type: 'sitemap', url: at('index.xml') },
  );
  expect((await refresh()).result).toMatchObject({ pages: 3, created: 3 });
  expect(Object.keys(await documents()).sort()).toEqual(['/a', '/b', '/c']);
  site.pages.set('/2.xml', { status: 404 });
  for (let times = 0; times < 2; times += 1)
    expect((await refresh()).result).toMatchObject({ removed: 0, isLimited: true });
  site.pages.set('/2.xml', sitemap('urlset', []));
  await refresh();
  expect((await refresh()).result).toMatchObject({ removed: 1 });
  site.pages.delete('/index.xml');
  expect(await refresh()).toMatchObject({ status: 'failed', error: { code: 'sitemap_failed' } });
});

test('a page that moved in a loop keeps its document, so a page with the same text is a duplicate', {
  tags: ['long'],
}, async () => {
  const { site, refresh, documents, content } = await open({
    '/': htmlPage('Start', 'The start.', ['/one', '/list']),
    '/one': htmlPage('Page', 'The first text.'),
    // One click further away, so it is visited later.
    '/list': htmlPage('List', 'A list.', ['/other']),
    '/other': htmlPage('Page', 'The second text.'),
  });
  await refresh();
  site.pages.set('/one', { status: 302, headers: { location: '/loop' } });
  site.pages.set('/loop', { status: 302, headers: { location: '/one' } });
  site.pages.set('/other', htmlPage('Page', 'The first text.'));
  await refresh({ confirm: true });
  const texts = await Promise.all(Object.values(await documents()).map(({ id }) => content(id)));
  expect(texts.filter((text) => text.includes('The first text.'))).toHaveLength(1);
});
