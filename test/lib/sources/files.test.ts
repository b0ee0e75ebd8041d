/** Files of a site: read as uploads are, and decided like pages. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { extractText } from '../../../lib/extraction/extract.ts';
import { NotExtractable } from '../../../lib/readers/types.ts';
import { maxStarts } from '../../../lib/sources/rules/limits.ts';
import { storedOf, toLoopback } from '../../../samples/api.ts';
import { intercept } from '../../support/faults.ts';
import { docxFile, pdfFile } from '../../support/sample-files.ts';
import { htmlPage, type SitePage } from '../../support/site.ts';
import {
  finish,
  openPages,
  openSources,
  quickRefresher,
  refresherWith,
  workOnce,
} from '../../support/sources.ts';
import { resumeAndGoOn, suspendNow } from '../../support/suspensions.ts';
import { mortal } from '../../support/workers.ts';

const served = (contentType: string, body: string | Uint8Array): SitePage => ({
  headers: { 'content-type': contentType },
  body,
});
const pdf = (...lines: string[]) => served('application/pdf', pdfFile([lines]));
const home = (...links: string[]) => htmlPage('Home', 'Welcome.', links);

test('the files of a site are documents, read in a process of their own', { tags: ['long'] }, async () => {
  const { refresh, documents, content, id, site } = await openPages({
    '/': home('/terms.pdf', '/letter'),
    '/terms.pdf': pdf('Within 30 days.'),
    // The name and the stated type are wrong.
    '/letter': {
      headers: { 'content-type': 'text/html', 'content-disposition': 'attachment; filename="letter.exe"' },
      body: docxFile([['Dear customer', 'Heading1'], ['We repair it.']]),
    },
  });
  expect(await refresh()).toMatchObject({
    status: 'succeeded',
    result: { pages: 3, created: 3, requests: 4, failedPages: 0 },
  });
  const found = await documents();
  expect(found['/terms.pdf']).toMatchObject({
    title: 'terms.pdf',
    source: id,
    url: `${site.url}terms.pdf`,
    mimeType: 'text/plain',
    extraction: null,
  });
  expect(await content(found['/terms.pdf']?.id)).toContain('Within 30 days.');
  expect(found['/letter']).toMatchObject({ title: 'Dear customer', mimeType: 'text/markdown' });
  expect(await content(found['/letter']?.id)).toContain('We repair it.');
});

test.each(['url', 'sitemap', 'feed', 'site'])('a source of type %s reads files', async (type) => {
  const start = { url: '/start', sitemap: '/sitemap.xml', feed: '/feed.xml', site: '/' }[type] ?? '/';
  const opened = await openPages({
    '/': home('/start'),
    '/start': pdf('Within 30 days.'),
    '/sitemap.xml': () =>
      served('text/xml', `<urlset><url><loc>${opened.site.url}start</loc></url></urlset>`),
    '/feed.xml': () =>
      served('text/xml', `<rss><channel><item><link>${opened.site.url}start</link></item></channel></rss>`),
  });
  const { api, base, project, site, documents } = opened;
  const body = { type, url: `${site.url}${start.slice(1)}`, reindex: false };
  const { data } = await api.call('POST', `${base}/sources`, { body });
  const { data: job } = await api.call('POST', `${base}/sources/${data.id}/refresh`, { body: {} });
  expect(await finish(api, project, `${job.id}`, quickRefresher)).toMatchObject({ status: 'succeeded' });
  expect(await documents()).toHaveProperty('/start');
});

test('the name of a file in its address is its title, decoded, unless it begins with a heading', async () => {
  const { refresh, documents } = await openPages({
    '/': home('/a/Preis%20%C3%BCbersicht.pdf', '/%E0%A4%A', '/list.csv?v=2', '/guide.md'),
    '/a/Preis%20%C3%BCbersicht.pdf': pdf('One.'),
    '/%E0%A4%A': pdf('Two.'),
    '/list.csv?v=2': served('text/csv', 'name,price\nchair,3\ntable,4\n'),
    '/guide.md': served('text/markdown', '# The guide\n\nText.'),
  });
  await refresh({}, quickRefresher);
  const titles = Object.fromEntries(
    Object.entries(await documents()).map(([path, { title }]) => [path, title]),
  );
  expect(titles).toEqual({
    '/': 'Home',
    '/a/Preis%20%C3%BCbersicht.pdf': 'Preis übersicht.pdf',
    '/%E0%A4%A': '%E0%A4%A',
    '/list.csv?v=2': 'list.csv',
    '/guide.md': 'The guide',
  });
});

test('the title in the properties of a file is its title', async () => {
  const file = served('application/pdf', 'A file.');
  const { refresh, documents } = await openPages({ '/': home('/terms.pdf'), '/terms.pdf': file });
  const properties = {
    text: '# Terms',
    mimeType: 'text/markdown',
    notes: [],
    title: 'Terms of 2026',
  } as const;
  await refresh(
    {},
    refresherWith(async () => properties),
  );
  expect((await documents())['/terms.pdf']).toMatchObject({ title: 'Terms of 2026' });
});

test('duplicates, failures and what is gone are decided by the text of a file', async () => {
  const same = pdf('The same text.');
  const { refresh, documents, pages, site, content } = await openPages({
    '/': home('/a/terms.pdf', '/b/terms.pdf', '/scan.pdf', '/plan.pdf'),
    '/a/terms.pdf': same,
    '/b/terms.pdf': same,
    '/scan.pdf': pdf(),
    '/plan.pdf': pdf('The plan.'),
  });
  expect((await refresh({}, quickRefresher)).result).toMatchObject({
    created: 3,
    duplicates: 1,
    failedPages: 1,
  });
  const before = await documents();
  expect((await pages())['/scan.pdf']).toMatchObject({
    status: 'failed',
    error: { code: 'no_text', message: expect.stringContaining('OCR') },
  });
  // A file that cannot be read keeps its document, and another one is gone. A page takes the place of the third.
  site.pages.set('/plan.pdf', served('application/pdf', '%PDF-1.7 broken'));
  const owner = '/a/terms.pdf' in before ? '/a/terms.pdf' : '/b/terms.pdf';
  site.pages.delete(owner);
  site.pages.set('/scan.pdf', htmlPage('Scan', 'It has a text now.'));
  expect((await refresh({}, quickRefresher)).result).toMatchObject({
    created: 1,
    removed: 0,
    failedPages: 1,
  });
  const after = await documents();
  expect((await pages())['/plan.pdf']).toMatchObject({
    status: 'failed',
    documentId: before['/plan.pdf']?.id,
  });
  expect(await content(after['/plan.pdf']?.id)).toContain('The plan.');
  expect(after['/scan.pdf']).toMatchObject({ title: 'Scan', mimeType: 'text/markdown' });
  expect(Object.values(after).map(({ id }) => id)).toContain(before[owner]?.id);
});

test('a file that has not changed is not read again', async () => {
  let reads = 0;
  const worker = refresherWith((file) => {
    reads += 1;
    return extractText(file);
  });
  const { refresh, site } = await openPages({ '/': home('/terms.pdf'), '/terms.pdf': pdf('One.') });
  await refresh({}, worker);
  expect((await refresh({}, worker)).result).toMatchObject({ unchanged: 2, updated: 0 });
  expect(reads).toBe(1);
  site.pages.set('/terms.pdf', pdf('Two.'));
  expect((await refresh({}, worker)).result).toMatchObject({ unchanged: 1, updated: 1 });
});

test('pictures, programs, feeds and archives are no documents', async () => {
  const files: Record<string, SitePage> = {
    '/photo.jpg': served('image/jpeg', Buffer.from('\xff\xd8\xff\xe0', 'latin1')),
    '/photo.pdf': served('application/pdf', Buffer.from('\x89PNG\r\n\x1a\n\0', 'latin1')),
    '/feed.xml': served('application/rss+xml', '<rss><channel><title>News</title></channel></rss>'),
    '/data.json': served('application/json', '{"text": "Hello"}'),
    '/setup.exe': served('application/octet-stream', Buffer.from('MZ\0\0 program')),
    '/site.css': served('text/css', 'p { color: red }'),
    '/app.js': served('text/javascript; charset=utf-8', 'alert(1)'),
  };
  const { refresh, pages, documents } = await openPages({ '/': home(...Object.keys(files)), ...files });
  // Nothing of them is read.
  const worker = refresherWith(() => Promise.reject(new Error('a file was read')));
  expect((await refresh({}, worker)).result).toMatchObject({ created: 1, failedPages: 7 });
  for (const path of Object.keys(files))
    expect((await pages())[path], path).toMatchObject({
      status: 'failed',
      error: { code: 'unsupported_type' },
    });
  expect(Object.keys(await documents())).toEqual(['/']);
});

test('a file that comes slowly is read, one that is too slow has failed, and neither stops its host', async () => {
  // Its first KB comes at once.
  const file = Buffer.concat([pdfFile([['Within 30 days.']]), Buffer.alloc(1024, ' ')]);
  const timeoutMs = 1000;
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    requests.push(path);
    if (!path.endsWith('.pdf')) {
      const page = path === '/' ? home('/slow.pdf', '/endless.pdf') : '';
      return void response.writeHead(200, { 'content-type': 'text/html' }).end(page);
    }
    response.writeHead(200, { 'content-type': 'application/pdf' }).write(file);
    const timer = setInterval(() => response.write(' '), 100);
    response.once('close', () => clearInterval(timer));
    if (path === '/slow.pdf') {
      const end = () => {
        clearInterval(timer);
        response.end();
      };
      setTimeout(end, 1.5 * timeoutMs);
    }
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const { refresh, pages } = await openSources({ url }, {}, (runtime) => {
    const { network } = toLoopback(runtime);
    return { network: { ...network, timeoutMs } };
  });
  expect((await refresh({}, quickRefresher)).result).toMatchObject({
    created: 2,
    failedPages: 1,
    requests: 4,
  });
  expect((await pages())['/endless.pdf']).toMatchObject({ status: 'failed', error: { code: 'too_slow' } });
  expect(requests.filter((path) => path === '/robots.txt')).toHaveLength(1);
});

test('a file that ends the process of its refresh is given up, and the refresh goes on', async () => {
  const { api, path, project, refresh, pages, documents } = await openPages({
    '/': home('/bomb.pdf', '/terms.pdf'),
    '/bomb.pdf': pdf('Bomb.'),
    '/terms.pdf': pdf('Terms.'),
  });
  let ends = 0;
  const worker = refresherWith(async (file) => {
    const { text } = await extractText(file);
    if (!text.includes('Bomb.')) return { text, mimeType: 'text/plain', notes: [] };
    ends += 1;
    throw new Error('the process has ended');
  });
  const { data: job } = await api.call('POST', `${path}/refresh`, { body: {} });
  const run = () => workOnce(api, project, `${job.id}`, worker);
  for (let starts = 0; starts < maxStarts; starts += 1) await expect(run()).rejects.toThrow();
  expect(await finish(api, project, `${job.id}`, worker)).toMatchObject({
    status: 'succeeded',
    result: { created: 2, failedPages: 1 },
  });
  expect(ends).toBe(maxStarts);
  expect((await pages())['/bomb.pdf']).toMatchObject({
    status: 'failed',
    error: { code: 'document_too_complex' },
  });
  expect(await documents()).toHaveProperty('/terms.pdf');
  // The next refresh tries again.
  const tries = refresherWith(() => Promise.reject(new NotExtractable('encrypted', 'It has a password.')));
  await refresh({}, tries);
  expect((await pages())['/bomb.pdf']).toMatchObject({ error: { code: 'encrypted' } });
});

/** A site with a file, while which is read something happens. */
async function whileRead(
  act: (opened: Awaited<ReturnType<typeof openPages>>, job: string) => Promise<unknown>,
) {
  const opened = await openPages({ '/': home('/terms.pdf'), '/terms.pdf': pdf('Within 30 days.') });
  const { api, path, project } = opened;
  const { data } = await api.call('POST', `${path}/refresh`, { body: {} });
  let acted: Promise<unknown> | undefined;
  const worker = refresherWith(async (file) => {
    acted ??= act(opened, `${data.id}`);
    await acted;
    return extractText(file);
  });
  return { ...opened, job: `${data.id}`, worker, end: () => finish(api, project, `${data.id}`, worker) };
}

const textsOf = async (api: Parameters<typeof storedOf>[0]) =>
  JSON.stringify(await storedOf(api, 'knowledge')).includes('Within 30 days.');

test('a refresh that is cancelled while it reads a file stores nothing of it', async () => {
  const { end, api, pages } = await whileRead(({ api, project }, job) =>
    api.call('POST', `/projects/${project}/jobs/${job}/cancel`),
  );
  expect(await end()).toMatchObject({ status: 'cancelled' });
  expect(await textsOf(api)).toBe(false);
  expect((await pages())['/terms.pdf']).toMatchObject({ status: 'pending', documentId: null });
});

test('a source that is deleted while it reads a file leaves nothing of it', async () => {
  let removal = '';
  const { end, api, project, documents } = await whileRead(async ({ api, path }) => {
    removal = `${(await api.call('DELETE', path)).data.id}`;
  });
  expect(await end()).toMatchObject({ status: 'cancelled' });
  await finish(api, project, removal);
  expect(await textsOf(api)).toBe(false);
  expect(await documents()).toEqual({});
});

const longText = Array.from({ length: 30_000 }, (_, at) => `The secret plan, line ${at}.`).join('\n');
const longFile = refresherWith(async () => ({ text: longText, mimeType: 'text/plain', notes: [] }));
const partsOf = async (api: Parameters<typeof storedOf>[0]) =>
  (await storedOf(api, 'knowledge')).filter(({ tenant }) => /#(text|texts|content)$/.test(`${tenant}`));

/** A run that writes the parts of a long text. When it comes to the second part, something happens, which may kill it. */
async function whileWritten(
  act: (opened: Awaited<ReturnType<typeof openPages>>, job: string) => Promise<boolean>,
) {
  const opened = await openPages({ '/': pdf('Plan.') }, { type: 'url' });
  const { api, path, project } = opened;
  const { data } = await api.call('POST', `${path}/refresh`, { body: {} });
  let acted: Promise<boolean> | undefined;
  const client = intercept(api.runtime.client, (command, proceed) => {
    if (!acted && JSON.stringify(command.input).includes('#0002')) acted = act(opened, `${data.id}`);
    return acted?.then((isKilled) => (isKilled ? Promise.reject(new Error('killed')) : proceed()));
  });
  const killable = { ...api, runtime: { ...api.runtime, client } };
  await workOnce(killable, project, `${data.id}`, longFile).catch(() => undefined);
  expect(acted).toBeDefined();
  return { ...opened, job: `${data.id}` };
}

test('a refresh that is cancelled between the parts of a long text leaves none of them', async () => {
  const { api, work, job } = await whileWritten(async ({ api, project }, job) => {
    await api.call('POST', `/projects/${project}/jobs/${job}/cancel`);
    return false;
  });
  await work(job);
  expect(await partsOf(api)).toEqual([]);
});

test('a source that is deleted when a run was killed between the parts of a long text leaves none of them', async () => {
  let removal = '';
  const { api, project } = await whileWritten(async ({ api, path }) => {
    removal = `${(await api.call('DELETE', path)).data.id}`;
    return true;
  });
  expect(await partsOf(api)).not.toEqual([]);
  await finish(api, project, removal);
  expect(await partsOf(api)).toEqual([]);
});

test('a long text is stored once, wherever a run is killed', { tags: ['long'] }, async () => {
  for (let calls = 1, isDone = false; !isDone; calls += 2) {
    const { api, path, project, documents } = await openPages({ '/': pdf('Plan.') }, { type: 'url' });
    const { data } = await api.call('POST', `${path}/refresh`, { body: {} });
    const { client, life } = mortal(api.runtime.client);
    life.callsLeft = calls;
    life.afterwards = calls % 4 === 1;
    const killable = { ...api, runtime: { ...api.runtime, client } };
    isDone = await workOnce(killable, project, `${data.id}`, longFile).then(
      () => true,
      () => false,
    );
    expect(await finish(api, project, `${data.id}`, longFile)).toMatchObject({ status: 'succeeded' });
    const [document] = Object.values(await documents());
    const parts = await partsOf(api);
    expect(parts).toHaveLength(Math.ceil(longText.length / (200 * 1024)));
    for (const { id } of parts) expect(`${id}`).toContain(`${document?.id}`);
  }
});

test('two runs that read the same file at once make one document', async () => {
  const { api, job, project, worker, documents } = await whileRead(({ api, project }, job) =>
    // This run takes the job over, and ends it.
    finish(api, project, job, quickRefresher),
  );
  await workOnce(api, project, job, worker);
  expect(Object.keys(await documents()).sort()).toEqual(['/', '/terms.pdf']);
  const { data } = await api.call('GET', `/projects/${project}/jobs/${job}`);
  expect(data).toMatchObject({ status: 'succeeded', result: { created: 2, failedPages: 0 } });
});

test('a document that is expunged while its file is read again does not come back', async () => {
  const { api, base, refresh, documents, pages, site } = await openPages({
    '/': home('/terms.pdf'),
    '/terms.pdf': pdf('Within 30 days.'),
  });
  await refresh({}, quickRefresher);
  const { id } = (await documents())['/terms.pdf'] ?? {};
  site.pages.set('/terms.pdf', pdf('Within 60 days.'));
  const worker = refresherWith(async (file) => {
    expect((await api.call('DELETE', `${base}/documents/${id}?expunge=true`)).status).toBe(202);
    return extractText(file);
  });
  await refresh({}, worker);
  expect(Object.keys(await documents())).toEqual(['/']);
  expect((await pages())['/terms.pdf']).toMatchObject({ status: 'excluded', documentId: null });
  expect(JSON.stringify(await storedOf(api, 'knowledge'))).not.toContain('Within 60 days.');
});

test('an organisation that is suspended while a file is read gets the document when it is resumed', async () => {
  let suspended: Promise<unknown> | undefined;
  const { api, job, project, documents, worker } = await whileRead(({ api }) => {
    suspended = suspendNow(api);
    return suspended;
  });
  await workOnce(api, project, job, worker);
  expect(suspended).toBeDefined();
  expect(await textsOf(api)).toBe(false);
  await resumeAndGoOn(api);
  await finish(api, project, job, worker);
  expect(await documents()).toHaveProperty('/terms.pdf');
});

test('after a key is revoked with its children while a file is read, no further file is read', async () => {
  const opened = await openPages({
    '/': home('/one.pdf', '/two.pdf'),
    '/one.pdf': pdf('One.'),
    '/two.pdf': pdf('Two.'),
  });
  const { api, path, project } = opened;
  const key = await api.createKey({ scopes: ['knowledge:write'] });
  const { data } = await api.call('POST', `${path}/refresh`, { key: key.secret, body: {} });
  let reads = 0;
  const worker = refresherWith(async (file) => {
    reads += 1;
    await api.call('DELETE', `/api-keys/${key.id}?children=true`);
    return extractText(file);
  });
  expect(await finish(api, project, `${data.id}`, worker)).toMatchObject({
    status: 'failed',
    error: { code: 'credential_revoked' },
  });
  expect(reads).toBe(1);
});

test('a refresh of many files reads one after the other, and each turn ends after a file', async () => {
  const paths = Array.from({ length: 12 }, (_, at) => `/${at}.pdf`);
  const load = { now: 0, most: 0 };
  const worker = refresherWith(async (file) => {
    load.now += 1;
    load.most = Math.max(load.most, load.now);
    try {
      return await extractText(file);
    } finally {
      load.now -= 1;
    }
  });
  const { refresh, documents } = await openPages(
    { '/': home(...paths), ...Object.fromEntries(paths.map((path) => [path, pdf(`Text of ${path}`)])) },
    {},
    () => ({ turnMs: 0 }),
  );
  expect((await refresh({}, worker)).result).toMatchObject({ created: 13, requests: 14 });
  expect(Object.keys(await documents())).toHaveLength(13);
  expect(load.most).toBe(1);
});

test('5,000 files are read in one refresh', { tags: ['nightly'] }, async () => {
  const paths = Array.from({ length: 4999 }, (_, at) => `/${at}.pdf`);
  const lists = Array.from({ length: 5 }, (_, at) => `/list/${at}`);
  const worker = refresherWith(async (file) => ({
    text: Buffer.from(file).toString(),
    mimeType: 'text/plain',
    notes: [],
  }));
  const { refresh, documents } = await openPages(
    {
      '/': home(...lists),
      ...Object.fromEntries(
        lists.map((path, at) => [
          path,
          htmlPage(path, `List ${at}.`, paths.slice(1000 * at, 1000 * (at + 1))),
        ]),
      ),
      ...Object.fromEntries(
        paths.map((path) => [path, served('application/pdf', `%PDF-1.7 text of ${path}`)]),
      ),
    },
    { maxPages: 5000 },
  );
  const { result } = await refresh({}, worker);
  expect(result).toMatchObject({ pages: 5000, created: 5000, requests: 5001, isLimited: true });
  expect(Object.keys(await documents())).toHaveLength(5000);
});
