/** Pauses, leases, timers and ends of refreshes. */

import { expect, onTestFinished, test } from 'vitest';
import { hourMs, minuteMs } from '../../../lib/base/time.ts';
import { storedOf } from '../../../samples/api.ts';
import eventWriter from '../../../workers/event-writer.ts';
import sourceRefresher from '../../../workers/source-refresher.ts';
import { eventsOf } from '../../support/events.ts';
import { dueNotices, runDue } from '../../support/schedule.ts';
import { htmlPage, openSite } from '../../support/site.ts';
import { finish, openSources } from '../../support/sources.ts';
import { handleAll } from '../../support/suspensions.ts';
import { follow } from '../../support/workers.ts';

async function open(body = {}) {
  const site = await openSite(
    new Map([
      ['/', htmlPage('Home', 'Welcome.', ['/a'])],
      ['/a', htmlPage('A', 'Page a.')],
    ]),
  );
  onTestFinished(() => site.close());
  return { site, ...(await openSources(site, body)) };
}

test('a host that wants a pause gets no request before its end', { tags: ['long'] }, async () => {
  const { site, api, path, project, work, documents } = await open();
  let isBusy = true;
  site.pages.set('/a', () =>
    isBusy ? { status: 503, headers: { 'retry-after': '600' } } : htmlPage('A', 'Page a.'),
  );
  const { data } = await api.call('POST', `${path}/refresh`, { body: {} });
  await work(data.id);
  const sent = site.requests.length;
  expect((await dueNotices(api)).map(({ id }) => id)).toContain(data.id);
  await work(data.id);
  expect(site.requests).toHaveLength(sent);
  isBusy = false;
  api.advance(11 * minuteMs);
  await runDue(api);
  const { data: job } = await api.call('GET', `/projects/${project}/jobs/${data.id}`);
  expect(job).toMatchObject({ status: 'succeeded', result: { created: 2, failedPages: 0 } });
  expect(Object.keys(await documents()).sort()).toEqual(['/', '/a']);
});

test('a second source of the same host waits for the first one', { tags: ['long'] }, async () => {
  const { site, api, base, path, project, work } = await open();
  site.pages.set('/a', { status: 503, headers: { 'retry-after': '600' } });
  const first = await api.call('POST', `${path}/refresh`, { body: {} });
  await work(first.data.id);
  const other = await api.call('POST', `${base}/sources`, { body: { type: 'url', url: site.url } });
  const second = await api.call('POST', `${base}/sources/${other.data.id}/refresh`, { body: {} });
  const sent = site.requests.length;
  await work(second.data.id);
  expect(site.requests).toHaveLength(sent);
  expect((await api.call('GET', `/projects/${project}/jobs/${second.data.id}`)).data.status).toBe('running');
  api.advance(11 * minuteMs);
  expect(await finish(api, project, `${second.data.id}`)).toMatchObject({ status: 'succeeded' });
});

test('a source is refreshed when its time has come, and its events say so', { tags: ['long'] }, async () => {
  const { site, api, base, path, project, id } = await open({ refresh: '2h', reindex: true });
  const { data: created } = await api.call('GET', path);
  expect(created.nextRefreshAt).toBe(created.createdAt);
  const feed = await follow(api, [eventWriter]);
  onTestFinished(() => feed.stop());
  await api.call('POST', `${base}/sources`, { body: { type: 'url', url: site.url } });
  const jobs = async () => {
    const { data } = await api.call('GET', `/projects/${project}/jobs`);
    return data.items as { id: string; type: string; createdBy: string }[];
  };
  await handleAll(api, sourceRefresher, 'knowledge', (one) => one.id === id);
  const [job] = await jobs();
  expect(job).toMatchObject({ type: 'knowledge.refresh', createdBy: created.setBy });
  await finish(api, project, `${job?.id}`);
  expect((await jobs()).map(({ type }) => type).sort()).toEqual(['knowledge.refresh', 'knowledge.reindex']);
  await handleAll(api, sourceRefresher, 'knowledge', (one) => one.id === id);
  expect(await jobs()).toHaveLength(2);
  api.advance(2 * hourMs + minuteMs);
  await runDue(api);
  expect(await jobs()).toHaveLength(3);
  const again = (await jobs()).find(({ id: one, type }) => type === 'knowledge.refresh' && one !== job?.id);
  await finish(api, project, `${again?.id}`);
  // Nothing has changed, so nothing is re-indexed.
  expect(await jobs()).toHaveLength(3);
  await api.call('PATCH', path, { body: { paused: true } });
  await handleAll(api, sourceRefresher, 'knowledge', (one) => one.id === id);
  api.advance(3 * hourMs);
  await runDue(api);
  expect(await jobs()).toHaveLength(3);
  await feed.settled();
  const types = (await eventsOf(api)).map(({ type }) => type).filter((type) => type.startsWith('source.'));
  expect(new Set(types)).toEqual(new Set(['source.created', 'source.refreshed', 'source.updated']));
});

test('a cancelled refresh is noted, and the next one begins anew', { tags: ['long'] }, async () => {
  const { site, api, path, project, work, refresh, documents } = await open();
  site.pages.set('/a', { status: 503, headers: { 'retry-after': '600' } });
  const { data } = await api.call('POST', `${path}/refresh`, { body: {} });
  await work(data.id);
  await api.call('POST', `/projects/${project}/jobs/${data.id}/cancel`);
  await work(data.id);
  expect((await api.call('GET', path)).data.lastRefresh).toMatchObject({
    status: 'cancelled',
    jobId: data.id,
  });
  expect((await storedOf(api, 'schedule')).filter(({ id }) => `${id}`.endsWith(`${data.id}`))).toEqual([]);
  site.pages.set('/a', htmlPage('A', 'Page a.'));
  api.advance(11 * minuteMs);
  expect(await refresh()).toMatchObject({ status: 'succeeded' });
  expect(Object.keys(await documents())).toHaveLength(2);
});

test('what a cancelled refresh has changed is re-indexed, once', async () => {
  const { site, api, path, project, work } = await open({ reindex: true });
  site.pages.set('/a', { status: 503, headers: { 'retry-after': '600' } });
  const { data } = await api.call('POST', `${path}/refresh`, { body: {} });
  await work(data.id);
  await api.call('POST', `/projects/${project}/jobs/${data.id}/cancel`);
  for (let times = 0; times < 2; times += 1) await work(data.id);
  const { data: list } = await api.call('GET', `/projects/${project}/jobs`);
  const types = (list.items as { type: string }[]).map(({ type }) => type);
  expect(types.sort()).toEqual(['knowledge.refresh', 'knowledge.reindex']);
  // A refresh that has changed nothing requests nothing.
  api.advance(11 * minuteMs);
  await api.call('PATCH', path, { body: { reindex: false } });
  const { data: next } = await api.call('POST', `${path}/refresh`, { body: {} });
  await work(next.id);
  await api.call('PATCH', path, { body: { reindex: true } });
  await api.call('POST', `/projects/${project}/jobs/${next.id}/cancel`);
  await work(next.id);
  expect((await api.call('GET', path)).data.lastRefresh).toMatchObject({ jobId: next.id, updated: 0 });
  const { data: after } = await api.call('GET', `/projects/${project}/jobs`);
  expect(after.items).toHaveLength(3);
});

test('a deleted source removes its documents, or releases them', { tags: ['long'] }, async () => {
  for (const keep of [false, true]) {
    const { api, base, path, project, refresh, documents, work } = await open();
    await refresh();
    const [document] = Object.values(await documents());
    expect(
      (await api.call('PATCH', `${base}/documents/${document?.id}`, { body: { title: 'Mine' } })).error.code,
    ).toBe('managed_by_source');
    expect((await api.call('DELETE', `${base}/documents/${document?.id}`)).error.code).toBe(
      'managed_by_source',
    );
    const { status, data } = await api.call('DELETE', `${path}?keepDocuments=${keep}`);
    expect(status).toBe(202);
    await work(data.id);
    const { data: job } = await api.call('GET', `/projects/${project}/jobs/${data.id}`);
    expect(job).toMatchObject({
      status: 'succeeded',
      result: { removedDocuments: keep ? 0 : 2, releasedDocuments: keep ? 2 : 0 },
    });
    expect(Object.keys(await documents())).toHaveLength(keep ? 2 : 0);
    expect((await api.call('GET', path)).status).toBe(404);
    const left = (await storedOf(api, 'knowledge')).filter(({ tenant }) =>
      /#(src_|removals|sources|setters)/.test(`${tenant}`),
    );
    expect(left.map(({ tenant }) => tenant)).toEqual([]);
    if (keep) {
      const change = await api.call('PATCH', `${base}/documents/${document?.id}`, {
        body: { title: 'Mine' },
      });
      expect(change.status).toBe(200);
    }
  }
});

test('an expunged document does not come back, also from another address', { tags: ['long'] }, async () => {
  const { site, api, base, refresh, documents, pages } = await open();
  await refresh();
  const { id } = (await documents())['/a'] ?? {};
  expect((await api.call('DELETE', `${base}/documents/${id}?expunge=true`)).status).toBe(202);
  site.pages.set('/', htmlPage('Home', 'Welcome.', ['/a', '/b']));
  site.pages.set('/b', htmlPage('A', 'Page a.'));
  await refresh();
  expect(Object.keys(await documents())).toEqual(['/']);
  expect(await pages()).toMatchObject({
    '/a': { status: 'excluded', documentId: null },
    '/b': { status: 'duplicate', documentId: null },
  });
});
