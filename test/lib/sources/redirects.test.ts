/** Redirects of pages: of one page, in chains, and without an end. */

import { expect, test } from 'vitest';
import { minuteMs } from '../../../lib/base/time.ts';
import { jobNotice, storedOf } from '../../../samples/api.ts';
import { deliverNotices } from '../../../samples/lambda-queue.ts';
import sourceRefresher from '../../../workers/source-refresher.ts';
import { htmlPage, type SitePages } from '../../support/site.ts';
import { openPages } from '../../support/sources.ts';
import { mortal } from '../../support/workers.ts';

const to = (location: string) => ({ status: 302, headers: { location } });
const leaves = Array.from({ length: 30 }, (_, at) => `/leaf/${at}`);
const endless = Object.fromEntries(
  Array.from({ length: 100 }, (_, at) => [`/go/${at}`, to(`/go/${at + 1}`)]),
);
const error = { code: 'too_many_redirects', message: expect.any(String) };

/** Below two pages there are 30, and beside the first of them there is an endless redirect. */
const deepSite = () => ({
  '/': htmlPage('Home', 'Welcome.', ['/go/1', '/a']),
  '/a': htmlPage('A', 'Page a.', ['/b']),
  '/b': htmlPage('B', 'Page b.', leaves),
  ...Object.fromEntries(leaves.map((path) => [path, htmlPage(path, `The text of ${path}.`)])),
});

/** A chain of redirects from the first path to the last one, which has a page. */
const chain = (...paths: string[]) => ({
  ...Object.fromEntries(paths.slice(0, -1).map((path, at) => [path, to(paths[at + 1] ?? '')])),
  [paths.at(-1) ?? '']: htmlPage('End', `The end of ${paths[0]}.`),
});

const replace = (pages: SitePages, changes: Parameters<typeof openPages>[0]) => {
  for (const [path, page] of Object.entries(changes)) pages.set(path, page);
};

test('an endless redirect is one failed page, and hides no other page', async () => {
  const { refresh, documents, pages, site } = await openPages(
    { ...deepSite(), ...endless },
    { maxPages: 50, maxDepth: 3 },
  );
  const job = await refresh();
  expect(Object.keys(await documents()).sort()).toEqual(['/', '/a', '/b', ...leaves].sort());
  expect(job).toMatchObject({
    status: 'succeeded',
    result: { created: 33, pages: 34, failedPages: 1, moved: 0, isLimited: false, requests: 40 },
  });
  expect((await pages())['/go/1']).toMatchObject({
    status: 'failed',
    error,
    movedTo: null,
    documentId: null,
  });
  expect(site.requests.filter((path) => path.startsWith('/go/'))).toEqual(
    [1, 2, 3, 4, 5, 6].map((at) => `/go/${at}`),
  );
});

test('when an endless redirect appears, pages are still refreshed, and a page that nothing links to is still gone', async () => {
  const { refresh, documents, content, site } = await openPages(deepSite(), { maxPages: 50 });
  await refresh();
  const before = await documents();
  const [gone = '', changed = '', ...rest] = leaves;
  replace(site.pages, {
    ...endless,
    '/b': htmlPage('B', 'Page b.', [changed, ...rest]),
    [changed]: htmlPage(changed, 'Another text.'),
  });
  expect((await refresh()).result).toMatchObject({ updated: 2, removed: 0, isLimited: false });
  expect(await content((await documents())[changed]?.id)).toContain('Another text.');
  expect((await refresh()).result).toMatchObject({ removed: 1, failedPages: 1 });
  expect(
    Object.keys(before)
      .filter((path) => path !== gone)
      .sort(),
  ).toEqual(Object.keys(await documents()).sort());
});

test('five redirects are followed, and the sixth is not', async () => {
  const five = ['/five', '/1', '/2', '/3', '/4', '/end'];
  const six = ['/six', '/s1', '/s2', '/s3', '/s4', '/s5', '/never'];
  const { refresh, documents, pages, site } = await openPages({
    '/': htmlPage('Home', 'Welcome.', ['/five', '/six']),
    ...chain(...five),
    ...chain(...six),
  });
  const job = await refresh();
  expect(job.result).toMatchObject({ pages: 4, created: 2, moved: 1, failedPages: 1, requests: 14 });
  expect(Object.keys(await documents()).sort()).toEqual(['/', '/end']);
  const found = await pages();
  expect(Object.keys(found).sort()).toEqual(['/', '/end', '/five', '/six']);
  expect(found['/five']).toMatchObject({ status: 'moved', movedTo: `${site.url}end`, documentId: null });
  expect(found['/six']).toMatchObject({ status: 'failed', error });
  // What is unchanged is requested with a condition, and is still one page.
  expect((await refresh()).result).toMatchObject({
    pages: 4,
    created: 0,
    unchanged: 2,
    moved: 1,
    failedPages: 1,
  });
});

test('a redirect keeps the depth of its page, and comes before all deeper pages', async () => {
  const { refresh, documents, site } = await openPages(
    {
      '/': htmlPage('Home', 'Welcome.', ['/a', '/old']),
      '/a': htmlPage('A', 'Page a.', ['/a/1', '/a/2']),
      '/a/1': htmlPage('A1', 'Page a1.'),
      '/a/2': htmlPage('A2', 'Page a2.'),
      ...chain('/old', '/older', '/new'),
      '/new': htmlPage('New', 'The new page.', ['/new/1']),
      '/new/1': htmlPage('New 1', 'Below the new page.', ['/deep']),
      '/deep': htmlPage('Deep', 'Too deep.'),
    },
    { maxDepth: 2, maxPages: 6 },
  );
  // The pages are: the first, /a, /old, /new, and two of those below.
  expect((await refresh()).result).toMatchObject({ pages: 6, moved: 1, isLimited: true });
  expect(site.requests.indexOf('/new')).toBeLessThan(site.requests.findIndex((path) => /\/\d$/.test(path)));
  expect(await documents()).toHaveProperty('/new');
  expect(site.requests).not.toContain('/deep');
});

test.each([['/'], ['/', '/b']])(
  'pages that become a loop, found from %j, have failed, and keep their documents',
  async (...from) => {
    const { refresh, documents, pages, site } = await openPages({
      '/': htmlPage('Home', 'Welcome.', ['/a', '/b']),
      '/a': htmlPage('A', 'Page a.'),
      '/b': htmlPage('B', 'Page b.'),
    });
    await refresh();
    const before = await documents();
    replace(site.pages, {
      '/': htmlPage('Home', 'Welcome.', from.length > 1 ? ['/a', '/b'] : ['/a']),
      '/a': to('/b'),
      '/b': to('/a'),
    });
    for (let times = 0; times < 3; times += 1) {
      expect((await refresh({ confirm: true })).result).toMatchObject({
        pages: 3,
        failedPages: 2,
        moved: 0,
        removed: 0,
        isLimited: false,
      });
      const found = await pages();
      for (const path of ['/a', '/b']) expect(found[path]).toMatchObject({ status: 'failed', error });
    }
    expect(Object.keys(await documents()).sort()).toEqual(Object.keys(before).sort());
  },
);

test('a page that redirects to itself has failed, and the refresh of a single page says why', async () => {
  const { refresh } = await openPages({ '/': to('/?utm_source=x') }, { type: 'url' });
  expect(await refresh()).toMatchObject({ status: 'failed', error });
});

test('redirects to one page request it once, and it is one page', async () => {
  const { refresh, documents, pages, site } = await openPages({
    '/': htmlPage('Home', 'Welcome.', ['/a', '/b', '/c', '/end']),
    ...chain('/a', '/b', '/c', '/end'),
  });
  expect((await refresh()).result).toMatchObject({ pages: 5, created: 2, moved: 3, duplicates: 0 });
  expect(site.requests.filter((path) => path === '/end')).toHaveLength(1);
  expect(Object.keys(await documents()).sort()).toEqual(['/', '/end']);
  for (const path of ['/a', '/b', '/c']) expect((await pages())[path]?.movedTo).toBe(`${site.url}end`);
});

test('a redirect out of the scope requests nothing there, and its document goes', async () => {
  const { refresh, documents, pages, site } = await openPages(
    {
      '/': htmlPage('Home', 'Welcome.', ['/a', '/b', '/c']),
      '/a': htmlPage('A', 'Page a.'),
      '/b': htmlPage('B', 'Page b.'),
      '/c': htmlPage('C', 'Page c.'),
    },
    { exclude: ['/private/*'] },
  );
  await refresh();
  replace(site.pages, {
    ...chain('/a', '/a/2', '/private/page'),
    '/b': to('https://other.example/page'),
  });
  expect((await refresh()).result).toMatchObject({ moved: 2, removed: 2, pages: 4, isLimited: false });
  expect(site.requests).not.toContain('/private/page');
  expect(Object.keys(await documents()).sort()).toEqual(['/', '/c']);
  expect((await pages())['/a']).toMatchObject({ status: 'moved', movedTo: `${site.url}private/page` });
  expect((await pages())['/b']).toMatchObject({ status: 'moved', movedTo: 'https://other.example/page' });
});

test('the page where redirects end may be gone, forbidden or broken', async () => {
  const { refresh, pages, site } = await openPages({
    '/': htmlPage('Home', 'Welcome.', ['/a', '/b', '/c']),
    '/robots.txt': { headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisallow: /private' },
    '/a': to('/gone'),
    '/b': to('/private'),
    '/c': to('/broken'),
    '/broken': { status: 500 },
  });
  expect((await refresh()).result).toMatchObject({ pages: 7, moved: 3, failedPages: 2 });
  const found = await pages();
  expect(found['/gone']).toMatchObject({ status: 'gone' });
  expect(found['/private']).toMatchObject({ status: 'failed', error: { code: 'robots_disallowed' } });
  expect(found['/broken']).toMatchObject({ status: 'failed', error: { code: 'http_error' } });
  expect(site.requests.filter((path) => path === '/broken')).toHaveLength(3);
  expect(site.requests).not.toContain('/private');
});

test('a page whose target has no place in the source keeps its document', async () => {
  const { refresh, documents, site } = await openPages(
    { '/': htmlPage('Home', 'Welcome.', ['/a']), '/a': htmlPage('A', 'Page a.') },
    { maxPages: 2 },
  );
  await refresh();
  replace(site.pages, chain('/a', '/new'));
  expect((await refresh({ confirm: true })).result).toMatchObject({ isLimited: true, moved: 1, removed: 0 });
  expect(Object.keys(await documents()).sort()).toEqual(['/', '/a']);
});

test('a refresh that is killed anywhere in a chain continues with the next hop', {
  tags: ['long'],
}, async () => {
  const paths = ['/a', '/1', '/2', '/3', '/end'];
  const { api, project, path, documents, pages, site } = await openPages({
    '/': htmlPage('Home', 'Welcome.', ['/a']),
    ...chain(...paths),
    '/end': htmlPage('End', 'The end.', ['/behind']),
    '/behind': htmlPage('Behind', 'Behind the end.'),
  });
  const { data } = await api.call('POST', `${path}/refresh`, { body: {} });
  const notice = jobNotice(`${api.organisationId}#live`, project, `${data.id}`);
  let kills = 0;
  for (let calls = 1; ; calls += 1) {
    const { client, life } = mortal(api.runtime.client);
    life.callsLeft = 12 + (calls % 25);
    life.afterwards = calls % 2 === 0;
    const isDead = await deliverNotices({ ...api.runtime, client }, sourceRefresher, [notice]).then(
      () => false,
      () => true,
    );
    if (!isDead) break;
    kills += 1;
    // The place of the killed run expires.
    api.advance(5 * minuteMs);
  }
  expect(kills).toBeGreaterThan(3);
  const { data: job } = await api.call('GET', `/projects/${project}/jobs/${data.id}`);
  expect(job).toMatchObject({
    status: 'succeeded',
    result: { pages: 4, created: 3, moved: 1, failedPages: 0 },
  });
  expect(Object.keys(await documents()).sort()).toEqual(['/', '/behind', '/end']);
  expect((await pages())['/a']).toMatchObject({ status: 'moved', movedTo: `${site.url}end` });
  const left = (await storedOf(api, 'knowledge')).filter(({ tenant }) => `${tenant}`.endsWith('#queue'));
  expect(left).toEqual([]);
  // A kill repeats one request at most, and robots.txt.
  expect(site.requests.length).toBeLessThanOrEqual(1 + 7 + 2 * kills);
});
