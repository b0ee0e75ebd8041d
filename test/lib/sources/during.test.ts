/** What happens to a source while it is refreshed. */

import { expect, test } from 'vitest';
import { storedOf, testModeKeyOf } from '../../../samples/api.ts';
import { htmlPage } from '../../support/site.ts';
import { finish, openPages } from '../../support/sources.ts';

const names = ['/a', '/b', '/c', '/d'];

/** A site whose second page starts something while the refresh requests it, and comes only when that has an answer. */
async function open(body = {}) {
  const during: { start: () => Promise<unknown>; started: Promise<unknown>[] } = {
    start: async () => undefined,
    started: [],
  };
  const pages = Object.fromEntries(names.map((path) => [path, htmlPage(path, `The text of ${path}.`)]));
  const opened = await openPages(
    {
      ...pages,
      '/': htmlPage('Home', 'Welcome.', names),
      '/b': async () => {
        during.started.push(during.start());
        await Promise.allSettled(during.started);
        return htmlPage('B', `The text of b.`);
      },
    },
    body,
  );
  return { ...opened, during };
}

test('a source that is deleted during its refresh leaves nothing, and the refresh is cancelled', async () => {
  const { api, path, project, during, work } = await open();
  during.start = () => api.call('DELETE', path);
  const { data: job } = await api.call('POST', `${path}/refresh`, { body: {} });
  expect(await finish(api, project, `${job.id}`)).toMatchObject({ status: 'cancelled' });
  const [deleted] = (await Promise.all(during.started)) as Awaited<ReturnType<typeof api.call>>[];
  expect(deleted?.status).toBe(202);
  await finish(api, project, `${deleted?.data.id}`);
  // A notice that comes late starts nothing.
  await work(job.id);
  const stored = await storedOf(api, 'knowledge');
  const left = stored.filter(
    ({ tenant, id }) => `${tenant}${id}`.match(/src_|kdoc_/) && !/#(deleted|gone)$/.test(`${tenant}`),
  );
  expect(left).toEqual([]);
});

test('a source that is changed during its refresh gets the new values, and no document twice', {
  tags: ['long'],
}, async () => {
  const { api, path, project, during, documents, refresh, site } = await open();
  during.start = () => api.call('PATCH', path, { body: { tags: ['new'], exclude: ['/d'], paused: true } });
  const { data: job } = await api.call('POST', `${path}/refresh`, { body: {} });
  expect(await finish(api, project, `${job.id}`)).toMatchObject({ status: 'succeeded' });
  for (const { status } of (await Promise.all(during.started)) as { status: number }[])
    expect(status).toBe(200);
  const { data: source } = await api.call('GET', path);
  expect(source).toMatchObject({ tags: ['new'], paused: true, nextRefreshAt: null, jobId: job.id });
  expect(source.lastRefresh).toMatchObject({ jobId: job.id, status: 'succeeded' });
  during.start = async () => undefined;
  site.requests.length = 0;
  await api.call('PATCH', path, { body: { paused: false } });
  for (let times = 0; times < 2; times += 1) await refresh();
  expect(site.requests).not.toContain('/d');
  const found = await documents();
  expect(Object.keys(found).sort()).toEqual(['/', '/a', '/b', '/c']);
  for (const { tags } of Object.values(found)) expect(tags).toEqual(['new']);
});

test('a second refresh during a refresh is the same job, and a key of another mode or project sees nothing', {
  tags: ['long'],
}, async () => {
  const { api, base, path, project, during, id } = await open();
  during.start = () => api.call('POST', `${path}/refresh`, { body: {} });
  const { data: job } = await api.call('POST', `${path}/refresh`, { body: {} });
  await finish(api, project, `${job.id}`);
  const [second] = (await Promise.all(during.started)) as Awaited<ReturnType<typeof api.call>>[];
  expect(second).toMatchObject({ status: 200, data: { id: job.id } });
  const other = await api.createProject();
  const bound = await api.createKey({ scopes: ['knowledge:write'], projectIds: [other] });
  const testKey = await testModeKeyOf(api.runtime, api.organisationId);
  const body = { paused: true };
  for (const request of [
    () => api.call('GET', path, { key: bound.secret }),
    () => api.call('GET', `${path}/pages`, { key: bound.secret }),
    () => api.call('PATCH', `/projects/${other}/knowledge/sources/${id}`, { body }),
    () => api.call('DELETE', `/projects/${other}/knowledge/sources/${id}`, { key: bound.secret }),
    () => api.call('POST', `${base}/sources/${id}/refresh`, { key: bound.secret, body: {} }),
    () => api.call('GET', path, { key: testKey }),
    () => api.call('PATCH', path, { key: testKey, body }),
  ])
    expect((await request()).status).toBe(404);
});
