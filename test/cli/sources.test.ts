/** `knowledge add URL` and `knowledge sources`. */

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { toLoopback } from '../../samples/api.ts';
import sourceRefresher from '../../workers/source-refresher.ts';
import { jsonLines, useCli } from '../support/cli.ts';
import { htmlPage, openSite, type Site } from '../support/site.ts';

const cli = useCli({ workers: [sourceRefresher], adjust: toLoopback });
let project: typeof cli.project;
let site: Site;

beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());
beforeEach(async () => {
  project = await cli.newProject();
  site.pages.clear();
  site.pages.set('/', htmlPage('Home', 'Welcome to the shop.', ['/a', '/b']));
  site.pages.set('/a', htmlPage('Returns', 'Within 30 days.'));
  site.pages.set('/b', htmlPage('Delivery', 'Within 3 days.'));
});

const run = (...args: string[]) => cli.run(args, { env: project.env });
const knowledge = (...args: string[]) => run('knowledge', ...args);
const titles = async () =>
  (await project.project.knowledge.documents.list()).items.map(({ title }) => title).sort();

test('a site is added, refreshed, listed, changed and deleted', { tags: ['long'] }, async () => {
  const added = await knowledge('add', site.url, '--type', 'site', '--tag', 'shop', '--no-reindex');
  expect(added).toMatchObject({ code: 0 });
  expect(added.stdout).toBe(`${site.url}: 3 pages, 3 created, 0 updated, 0 unchanged\n`);
  const [, id = ''] = /Created the source (src_\w+)\./.exec(added.stderr) ?? [];
  expect(await titles()).toEqual(['Delivery', 'Home', 'Returns']);
  const twice = await knowledge('add', site.url, '--type', 'site');
  expect(twice).toMatchObject({ code: 5 });
  expect(twice.stderr).toContain(`platform knowledge sources refresh ${id}`);

  const [listed] = jsonLines(await knowledge('sources', 'list', '--json'));
  expect(listed).toMatchObject({ id, type: 'site', tags: ['shop'], reindex: false, refresh: 'manual' });
  expect((await knowledge('sources', 'list')).stdout).toMatch(
    /^src_\w+ +http\S+ +site +manual +succeeded +3/m,
  );
  // Its URL names it.
  const changed = await knowledge('sources', 'update', site.url, '--refresh', '24h', '--json');
  expect(jsonLines(changed)).toMatchObject([{ id, refresh: '24h' }]);
  expect(jsonLines(await knowledge('sources', 'get', site.url, '--json'))).toMatchObject([
    { refresh: '24h' },
  ]);
  expect(await knowledge('sources', 'get', 'https://nobody.example/')).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('platform knowledge sources list'),
  });

  site.pages.set('/a', htmlPage('Returns', 'Within 60 days.'));
  const refreshed = await knowledge('sources', 'refresh', id, '--json');
  expect(jsonLines(refreshed)).toMatchObject([{ pages: 3, updated: 1, unchanged: 2, sourceId: id }]);
  const pages = jsonLines(await knowledge('sources', 'pages', id, '--status', 'stored', '--json'));
  expect(pages.map(({ url }) => url).sort()).toEqual([site.url, `${site.url}a`, `${site.url}b`]);

  expect(await knowledge('sources', 'delete', id)).toMatchObject({ code: 2 });
  const deleted = await knowledge('sources', 'delete', id, '--yes', '--json');
  expect(jsonLines(deleted)).toMatchObject([{ status: 'succeeded', result: { removedDocuments: 3 } }]);
  expect(await titles()).toEqual([]);
});

test('pages that cannot be read are named, and documents are removed only with --confirm', {
  tags: ['long'],
}, async () => {
  site.pages.set('/', htmlPage('Home', 'Welcome to the shop.', ['/a', '/b', '/c']));
  site.pages.set('/c', { status: 403 });
  const added = await knowledge('add', site.url, '--type', 'site');
  expect(added).toMatchObject({ code: 0 });
  expect(added.stdout).toBe(`${site.url}: 4 pages, 3 created, 0 updated, 0 unchanged, 1 failed\n`);
  expect(added.stderr).toMatch(/Warning: 1 page could not be read: .* src_\w+ --status failed\n/);
  expect(added.stderr).toContain(`  ${site.url}c: The server answered with 403.\n`);
  for (const path of ['/a', '/b']) site.pages.delete(path);
  const gone = await knowledge('sources', 'refresh', site.url);
  expect(gone.stderr).toMatch(/2 documents would be removed.*refresh src_\w+ --confirm/);
  expect(await titles()).toHaveLength(3);
  await knowledge('sources', 'refresh', site.url, '--confirm');
  expect(await titles()).toEqual(['Home']);
});

test('pages with noindex are counted and named', { tags: ['long'] }, async () => {
  const hidden = htmlPage('Returns', 'Within 30 days.').replace(
    '<head>',
    '<head><meta name="robots" content="noindex">',
  );
  site.pages.set('/a', hidden);
  const added = await knowledge('add', site.url, '--type', 'site', '--no-reindex');
  expect(added).toMatchObject({ code: 0 });
  expect(added.stdout).toBe(`${site.url}: 3 pages, 2 created, 0 updated, 0 unchanged, 1 noindex\n`);
  expect(added.stderr).toMatch(/Warning: 1 page with noindex was left out: .* src_\w+ --status noindex\n/);
  const [, id = ''] = /Created the source (src_\w+)\./.exec(added.stderr) ?? [];
  const pages = jsonLines(await knowledge('sources', 'pages', id, '--status', 'noindex', '--json'));
  expect(pages.map(({ url }) => url)).toEqual([`${site.url}a`]);
});

test('a page that cannot be read exits with 7, and --no-wait says how to wait', {
  tags: ['long'],
}, async () => {
  site.pages.set('/a', { status: 403 });
  expect(await knowledge('add', `${site.url}a`)).toMatchObject({
    code: 7,
    stderr: expect.stringContaining('The server answered with 403.'),
  });
  const ran = await knowledge('add', `${site.url}b`, '--no-wait', '--json');
  const [source] = jsonLines(ran);
  expect(source).toMatchObject({ type: 'url', jobId: expect.stringMatching(/^job_/) });
  expect(ran.stderr).toContain(`platform jobs wait ${source?.jobId}`);
  expect(await run('jobs', 'wait', String(source?.jobId))).toMatchObject({ code: 0 });
  const kept = ['sources', 'delete', String(source?.id), '--yes', '--keep-documents', '--json'];
  expect(jsonLines(await knowledge(...kept))).toMatchObject([{ result: { releasedDocuments: 1 } }]);
  expect(await titles()).toEqual(['Delivery']);
});

test('Ctrl+C says how to wait, and a terminal shows the pages', async () => {
  site.pages.set('/b', () => {
    running.interrupt();
    return htmlPage('Delivery', 'Within 3 days.');
  });
  const running = cli.start(['knowledge', 'add', site.url, '--type', 'site'], {
    env: { ...project.env, FORCE_COLOR: '1' },
  });
  const { code, stderr } = await running.ended;
  expect(code).toBe(130);
  expect(stderr).toMatch(/The refresh goes on\. To wait for it: platform jobs wait job_\w+/);
  expect(stderr).toMatch(/Refreshing /);
});
