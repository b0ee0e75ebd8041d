/** What pages say about themselves: the address that names them, that they are left out, and where they lead. */

import { describe, expect, test } from 'vitest';
import { type Json, jobNotice, storedOf } from '../../../samples/api.ts';
import { deliverNotices } from '../../../samples/lambda-queue.ts';
import sourceRefresher from '../../../workers/source-refresher.ts';
import { pdfFile } from '../../support/sample-files.ts';
import { htmlPage, type PageOf, type SitePage } from '../../support/site.ts';
import { finish, openPages, refresherWith } from '../../support/sources.ts';
import { mortal } from '../../support/workers.ts';

/** @returns a page with this in its head */
const pageWith = (head: string, title: string, text: string, links: readonly string[] = []): string =>
  htmlPage(title, text, links).replace('<head>', `<head>${head}`);
const named = (href: string) => `<link rel="canonical" href="${href}">`;
const robots = (content: string) => `<meta name="robots" content="${content}">`;
const leads = (content: string) => `<meta http-equiv="refresh" content="${content}">`;

describe('the address that a page names', () => {
  const text = 'Within 30 days.';
  const variant = (href = '/returns', links: string[] = []) => pageWith(named(href), 'Returns', text, links);

  test('is that of its document, and all pages that name it are one page', async () => {
    const { refresh, documents, pages, site } = await openPages({
      '/': htmlPage('Home', 'Welcome.', ['/returns?print=1', '/returns?page=2']),
      '/returns?print=1': variant('/returns', ['/only-here']),
      '/returns?page=2': variant(`/returns#top`, ['/below']),
      '/returns': variant(),
      '/only-here': htmlPage('Only', 'Only here.'),
      '/below': htmlPage('Below', 'Below it.'),
    });
    const job = await refresh();
    expect(job.result).toMatchObject({
      pages: 6,
      created: 4,
      moved: 2,
      duplicates: 0,
      failedPages: 0,
      requests: 7,
    });
    // Links of the other addresses are followed.
    expect(Object.keys(await documents()).sort()).toEqual(['/', '/below', '/only-here', '/returns']);
    expect((await pages())['/returns?print=1']).toMatchObject({
      status: 'moved',
      movedTo: `${site.url}returns`,
      documentId: null,
    });
    expect((await refresh()).result).toMatchObject({
      created: 0,
      updated: 0,
      removed: 0,
      moved: 2,
      unchanged: 4,
    });
  });

  test('takes the document over, with its id, when the page begins to name it', async () => {
    const { refresh, documents, site } = await openPages({
      '/': htmlPage('Home', 'Welcome.', ['/old', '/a', '/b']),
      '/old': htmlPage('Returns', text),
      '/a': htmlPage('A', 'Page a.'),
      '/b': htmlPage('B', 'Page b.'),
      '/new': htmlPage('Returns', text),
    });
    await refresh();
    const before = await documents();
    site.pages.set('/old', pageWith(named('/new'), 'Returns', text));
    expect((await refresh()).result).toMatchObject({ created: 0, updated: 1, removed: 0 });
    const after = await documents();
    expect(after['/new']?.id).toBe(before['/old']?.id);
    expect(after['/old']).toBeUndefined();
  });

  test.each<[string, Record<string, PageOf>]>([
    ['is missing', {}],
    ['fails', { '/returns': { status: 403 } }],
    ['is empty', { '/returns': '<html></html>' }],
    ['redirects to the page', { '/returns': { status: 301, headers: { location: '/variant' } } }],
    ['redirects elsewhere', { '/returns': { status: 301, headers: { location: '/' } } }],
    ['asks to be left out', { '/returns': pageWith(robots('noindex'), 'Returns', text) }],
  ])('means nothing if it %s', async (_, others) => {
    const { refresh, documents, content, site, pages } = await openPages({
      '/': htmlPage('Home', 'Welcome.', ['/variant']),
      '/variant': variant('/returns', ['/below']),
      '/below': htmlPage('Below', 'Below it.'),
      ...others,
    });
    expect((await refresh()).result).toMatchObject({ pages: 3, created: 3, moved: 0, failedPages: 0 });
    const found = await documents();
    expect(Object.keys(found).sort()).toEqual(['/', '/below', '/variant']);
    expect(await content(found['/variant']?.id)).toContain(text);
    expect(site.requests.filter((path) => path === '/variant')).toHaveLength(2);
    expect(Object.keys(await pages()).sort()).toEqual(['/', '/below', '/variant']);
  });

  test.each<[string, string, Json]>([
    ['another host', 'https://acme.example/returns', {}],
    ['an excluded address', '/returns', { exclude: ['/returns'] }],
    ['an address that is not included', '/returns', { include: ['/', '/variant'] }],
    ['an address that robots.txt forbids', '/returns', {}],
    ['no address', 'mailto:a@b', {}],
    ['two addresses', `/returns">${named('/other').slice(0, -2)}`, {}],
    ['an address for which there is no place', '/returns', { maxPages: 2 }],
  ])('means nothing if it is %s', async (name, href, body) => {
    const forbids = 'User-agent: *\nDisallow: /returns\n';
    const { refresh, documents, site } = await openPages(
      {
        '/': htmlPage('Home', 'Welcome.', ['/variant']),
        '/variant': variant(href),
        '/returns': variant(),
        ...(name.includes('robots') && { '/robots.txt': forbids }),
      },
      body,
    );
    expect((await refresh()).result).toMatchObject({ pages: 2, created: 2, moved: 0 });
    expect(Object.keys(await documents()).sort()).toEqual(['/', '/variant']);
    expect(site.requests).not.toContain('/returns');
  });

  test('ends in a loop and in a long chain at a page with its content', async () => {
    const chain = Array.from({ length: 20 }, (_, at) => `/chain/${at}`);
    const { refresh, documents, site } = await openPages({
      '/': htmlPage('Home', 'Welcome.', ['/a', '/b', '/chain/0']),
      '/a': pageWith(named('/b'), 'Loop', 'A loop.'),
      '/b': pageWith(named('/a'), 'Loop', 'A loop.'),
      ...Object.fromEntries(
        chain.map((path, at) => [path, pageWith(named(`/chain/${at + 1}`), 'Chain', 'A chain.')]),
      ),
    });
    expect((await refresh()).result).toMatchObject({ failedPages: 0, created: 3, moved: 2 });
    const found = Object.keys(await documents());
    expect(found.filter((path) => path === '/a' || path === '/b')).toHaveLength(1);
    expect(found.filter((path) => path.startsWith('/chain'))).toEqual(['/chain/5']);
    expect(site.requests.length).toBeLessThan(12);
  });

  test('is read, too, for a source of one page', async () => {
    const { api, base, project, site, documents } = await openPages({
      '/variant': variant(),
      '/returns': variant(),
    });
    const body = { type: 'url', url: `${site.url}variant`, reindex: false };
    const { data } = await api.call('POST', `${base}/sources`, { body });
    const { data: job } = await api.call('POST', `${base}/sources/${data.id}/refresh`, { body: {} });
    expect(await finish(api, project, `${job.id}`)).toMatchObject({
      status: 'succeeded',
      result: { created: 1 },
    });
    expect(Object.keys(await documents())).toEqual(['/returns']);
  });

  test('whose document was expunged brings nothing back', async () => {
    const { refresh, documents, site, api, base } = await openPages({
      '/': htmlPage('Home', 'Welcome.', ['/returns']),
      '/returns': variant(),
    });
    await refresh();
    const { id } = (await documents())['/returns'] ?? {};
    expect((await api.call('DELETE', `${base}/documents/${id}?expunge=true`)).status).toBe(202);
    site.pages.set('/', htmlPage('Home', 'Welcome.', ['/variant']));
    site.pages.set('/variant', pageWith(named('/returns'), 'Returns', 'Another text.'));
    await refresh();
    expect(Object.keys(await documents())).toEqual(['/']);
  });

  test('is found the same, wherever a run is killed', { tags: ['long'] }, async () => {
    for (let calls = 1; ; calls += 3) {
      const { api, path, project, documents, pages } = await openPages({
        '/': htmlPage('Home', 'Welcome.', ['/variant', '/other']),
        '/variant': variant('/returns', ['/below']),
        '/returns': variant(),
        '/other': pageWith(named('/missing'), 'Other', 'Another text.'),
        '/below': htmlPage('Below', 'Below it.'),
      });
      const { data } = await api.call('POST', `${path}/refresh`, { body: {} });
      const { client, life } = mortal(api.runtime.client);
      life.callsLeft = calls;
      const notice = jobNotice(`${api.organisationId}#live`, project, `${data.id}`);
      const isDone = await deliverNotices({ ...api.runtime, client }, sourceRefresher, [notice]).then(
        () => true,
        () => false,
      );
      expect(await finish(api, project, `${data.id}`)).toMatchObject({ status: 'succeeded' });
      expect(Object.keys(await documents()).sort(), `${calls} calls`).toEqual([
        '/',
        '/below',
        '/other',
        '/returns',
      ]);
      expect(Object.keys(await pages())).toHaveLength(5);
      const queue = (await storedOf(api, 'knowledge')).filter(({ tenant }) => `${tenant}`.endsWith('#queue'));
      expect(queue).toEqual([]);
      if (isDone) break;
    }
  });
});

describe('a page with noindex', () => {
  const hidden = (content: string, links: readonly string[] = []) =>
    pageWith(robots(content), 'Hidden', 'Not for everybody.', links);
  const withHeader = (value: string, page: SitePage): SitePage =>
    typeof page === 'string'
      ? { headers: { 'x-robots-tag': value }, body: page }
      : { ...page, headers: { ...page.headers, 'x-robots-tag': value } };

  test.each<[string, SitePage, boolean]>([
    ['noindex', hidden('noindex', ['/below']), true],
    ['noindex, nofollow', hidden('noindex, nofollow', ['/below']), false],
    ['none', hidden('none', ['/below']), false],
    ['a header', withHeader('noindex', htmlPage('Hidden', 'Not for everybody.', ['/below'])), true],
    ['a header none', withHeader('none', htmlPage('Hidden', 'Not for everybody.', ['/below'])), false],
  ])('is left out: %s', async (_, page, isFollowed) => {
    const { refresh, documents, pages, api, path } = await openPages({
      '/': htmlPage('Home', 'Welcome.', ['/hidden']),
      '/hidden': page,
      '/below': htmlPage('Below', 'Below it.'),
    });
    const expected = { noindex: 1, failedPages: 0, created: isFollowed ? 2 : 1 };
    expect((await refresh()).result).toMatchObject(expected);
    expect(Object.keys(await documents()).sort()).toEqual(isFollowed ? ['/', '/below'] : ['/']);
    expect((await pages())['/hidden']).toMatchObject({ status: 'noindex', documentId: null, error: null });
    const { data } = await api.call('GET', `${path}/pages?status=noindex`);
    expect(data.items).toHaveLength(1);
    expect((await api.call('GET', path)).data.lastRefresh).toMatchObject({ noindex: 1 });
    expect((await refresh()).result).toMatchObject({ noindex: 1, created: 0, removed: 0 });
  });

  test('loses its document, or leaves it to a page with the same content', async () => {
    const same = htmlPage('Same', 'The same text.');
    const { refresh, documents, site } = await openPages({
      '/': htmlPage('Home', 'Welcome.', ['/a', '/b', '/c']),
      '/a': same,
      '/b': same,
      '/c': htmlPage('C', 'Page c.'),
    });
    await refresh();
    const before = await documents();
    const [owner = '', other = ''] = '/a' in before ? ['/a', '/b'] : ['/b', '/a'];
    site.pages.set(owner, hidden('noindex'));
    expect((await refresh()).result).toMatchObject({ noindex: 1, removed: 0 });
    expect((await documents())[other]?.id).toBe(before[owner]?.id);
    site.pages.set('/c', hidden('noindex'));
    expect((await refresh()).result).toMatchObject({ noindex: 2, removed: 1 });
    expect(Object.keys(await documents()).sort()).toEqual(['/', other]);
  });

  test('is left out also if only a header of an unchanged page says so, and comes back', async () => {
    const page = htmlPage('Page', 'A page.', ['/below']);
    const { refresh, documents, site } = await openPages({
      '/': htmlPage('Home', 'Welcome.', ['/page']),
      '/page': page,
      '/below': htmlPage('Below', 'Below it.'),
    });
    await refresh();
    let sent = 0;
    site.pages.set('/page', () => {
      sent += 1;
      return { status: 304, headers: { 'x-robots-tag': 'noindex' }, isPlain: true };
    });
    expect((await refresh()).result).toMatchObject({ noindex: 1, removed: 1 });
    expect(sent).toBe(1);
    expect(Object.keys(await documents()).sort()).toEqual(['/', '/below']);
    site.pages.set('/page', page);
    expect((await refresh()).result).toMatchObject({ noindex: 0, created: 1 });
  });

  test('may be a file, which is not read', async () => {
    const { refresh, pages } = await openPages({
      '/': htmlPage('Home', 'Welcome.', ['/a.pdf']),
      '/a.pdf': withHeader('noindex', {
        headers: { 'content-type': 'application/pdf' },
        body: pdfFile([['Text.']]),
      }),
    });
    const worker = refresherWith(() => Promise.reject(new Error('the file was read')));
    expect((await refresh({}, worker)).result).toMatchObject({ noindex: 1, failedPages: 0 });
    expect((await pages())['/a.pdf']).toMatchObject({ status: 'noindex' });
  });

  test('takes more than half of the documents only after a confirmation', async () => {
    const { refresh, documents, site } = await openPages({
      '/': htmlPage('Home', 'Welcome.', ['/a', '/b']),
      '/a': htmlPage('A', 'Page a.'),
      '/b': htmlPage('B', 'Page b.'),
    });
    await refresh();
    for (const path of ['/a', '/b']) site.pages.set(path, hidden('noindex'));
    expect((await refresh()).result).toMatchObject({ noindex: 2, removed: 0, unconfirmed: 2 });
    expect((await refresh({ confirm: true })).result).toMatchObject({ removed: 2, unconfirmed: 0 });
    expect(Object.keys(await documents())).toEqual(['/']);
  });

  test('is the target of a page that has moved', async () => {
    const { refresh, documents, site } = await openPages({
      '/': htmlPage('Home', 'Welcome.', ['/a', '/b', '/c']),
      '/a': htmlPage('A', 'Page a.'),
      '/b': htmlPage('B', 'Page b.'),
      '/c': htmlPage('C', 'Page c.'),
    });
    await refresh();
    site.pages.set('/a', { status: 301, headers: { location: '/new' } });
    site.pages.set('/new', hidden('noindex'));
    expect((await refresh()).result).toMatchObject({ noindex: 1, moved: 1, removed: 1 });
    expect(Object.keys(await documents()).sort()).toEqual(['/', '/b', '/c']);
  });

  test('a page with only nofollow is a document, and its links are not followed', async () => {
    const { refresh, documents } = await openPages({
      '/': htmlPage('Home', 'Welcome.', ['/a']),
      '/a': pageWith(robots('nofollow'), 'A', 'Page a.', ['/b']),
      '/b': htmlPage('B', 'Page b.'),
    });
    expect((await refresh()).result).toMatchObject({ created: 2, noindex: 0 });
    expect(Object.keys(await documents()).sort()).toEqual(['/', '/a']);
  });
});

describe('a page that leads elsewhere with a refresh', () => {
  test('is a redirect, and one that shows itself again or waits long is a page', async () => {
    const { refresh, documents, pages, site } = await openPages({
      '/': htmlPage('Home', 'Welcome.', ['/old', '/news', '/slides']),
      '/old': pageWith(leads('0; url=new'), 'Old', 'It has moved.'),
      '/new': htmlPage('New', 'The new page.'),
      '/news': pageWith(leads('5; url=/news#top'), 'News', 'The news.'),
      '/slides': pageWith(leads('60; url=/new'), 'Slides', 'The slides.'),
    });
    expect((await refresh()).result).toMatchObject({ created: 4, moved: 1, failedPages: 0 });
    expect(Object.keys(await documents()).sort()).toEqual(['/', '/new', '/news', '/slides']);
    expect((await pages())['/old']).toMatchObject({ status: 'moved', movedTo: `${site.url}new` });
  });

  test('is checked like any other redirect', async () => {
    const { refresh, documents, pages, site } = await openPages({
      '/': htmlPage('Home', 'Welcome.', ['/inwards', '/away', '/secret', '/loop', '/0']),
      '/inwards': pageWith(leads('0;url=http://169.254.169.254/latest/meta-data/'), 'In', 'Inwards.'),
      '/away': pageWith(leads('0;url=https://acme.example/'), 'Away', 'Away.'),
      '/secret': pageWith(leads('0;url=/forbidden'), 'Secret', 'Secret.'),
      '/forbidden': htmlPage('Forbidden', 'Forbidden.'),
      '/robots.txt': 'User-agent: *\nDisallow: /forbidden\n',
      '/loop': pageWith(leads('0;url=/pool'), 'Loop', 'Loop.'),
      '/pool': pageWith(leads('0;url=/loop'), 'Pool', 'Pool.'),
      ...Object.fromEntries(
        Array.from({ length: 20 }, (_, at) => [
          `/${at}`,
          pageWith(leads(`0;url=/${at + 1}`), 'Chain', 'Chain.'),
        ]),
      ),
    });
    await refresh();
    const found = await pages();
    expect(found['/loop']).toMatchObject({ status: 'failed', error: { code: 'too_many_redirects' } });
    expect(found['/0']).toMatchObject({ status: 'failed', error: { code: 'too_many_redirects' } });
    expect(found['/forbidden']).toMatchObject({ status: 'failed', error: { code: 'robots_disallowed' } });
    for (const path of ['/inwards', '/away', '/secret'])
      expect(found[path], path).toMatchObject({ status: 'moved' });
    expect(site.requests).not.toContain('/forbidden');
    expect(Object.keys(await documents())).toEqual(['/']);
  });
});
