/** Deleted sources, excluded pages and paused sources stay so after a restore. */

import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { storedOf, type TestApi } from '../../samples/api.ts';
import keyRevoker from '../../workers/key-revoker.ts';
import { copyAll, replaceAll, restoreAll } from '../support/restored.ts';
import { htmlPage } from '../support/site.ts';
import { openPages } from '../support/sources.ts';
import { handleAll } from '../support/suspensions.ts';

async function openRefreshed() {
  const opened = await openPages({
    '/': htmlPage('Home', 'Welcome.', ['/a']),
    '/a': htmlPage('A', 'Page a.'),
  });
  await opened.refresh();
  return opened;
}

/** @returns what is stored of sources, besides the tombstones of deleted resources */
const ofSources = async (api: TestApi) =>
  (await storedOf(api, 'knowledge')).filter(({ tenant }) =>
    /#(src_\w+|sources|setters|removals)(#(?!gone)|$)/.test(`${tenant}`),
  );

test('nothing of a deleted source comes back, in either direction', { tags: ['long'] }, async () => {
  const { api, path, project, work } = await openRefreshed();
  const restored = await restoreAll(api);
  const { data } = await api.call('DELETE', path);
  await work(data.id);
  expect(await ofSources(api)).toEqual([]);
  await copyAll(api, restored);
  expect(await ofSources(api)).toEqual([]);
  const replaced = await replaceAll(api, restored);
  expect((await replaced.get(path)).status).toBe(404);
  expect(await ofSources(replaced)).toEqual([]);
  const counts = (await storedOf(replaced, 'knowledge')).filter(({ id }) => id === 'sources');
  expect(counts).toMatchObject([{ count: 0 }]);
  const { data: left } = await replaced.get(`/projects/${project}/knowledge/documents`);
  expect(left.items).toEqual([]);
});

test('a lost source comes back with its pages, and is paused until somebody resumes it', {
  tags: ['long'],
}, async () => {
  const { api, path } = await openRefreshed();
  await api.call('PATCH', path, { body: { refresh: '1h' } });
  const restored = await restoreAll(api);
  const before = await ofSources(api);
  for (const { tenant, id } of before) {
    const TableName = api.runtime.tableNames.knowledge;
    await api.runtime.client.send(new DeleteCommand({ TableName, Key: { tenant, id } }));
  }
  await copyAll(api, restored);
  expect((await ofSources(api)).length).toBe(before.length);
  expect((await api.call('GET', path)).data).toMatchObject({
    paused: true,
    pausedReason: 'restored',
    nextRefreshAt: null,
  });
  expect((await api.call('POST', `${path}/refresh`, { body: {} })).error.code).toBe('source_paused');
  const { id, secret: key } = await api.createKey({ scopes: ['knowledge:write'] });
  const { data } = await api.call('PATCH', path, { key, body: { paused: false } });
  expect(data).toMatchObject({ paused: false, pausedReason: null, setBy: id });
});

test('the page of an expunged document stays excluded', { tags: ['long'] }, async () => {
  const { api, base, path, documents } = await openRefreshed();
  const restored = await restoreAll(api);
  const id = (await documents())['/a']?.id;
  expect((await api.call('DELETE', `${base}/documents/${id}?expunge=true`)).status).toBe(202);
  const replaced = await replaceAll(api, restored);
  const { data } = await replaced.get(`${path}/pages?status=excluded`);
  expect(data.items).toMatchObject([{ status: 'excluded', documentId: null }]);
});

test('a source that was paused with a key stays paused', { tags: ['long'] }, async () => {
  const { api, base } = await openRefreshed();
  const { id, secret: key } = await api.createKey({ scopes: ['knowledge:write'] });
  const body = { type: 'url', url: 'https://acme.example/', refresh: '1h' };
  const { data: source } = await api.call('POST', `${base}/sources`, { key, body });
  const restored = await restoreAll(api);
  const { data: later } = await api.call('POST', `${base}/sources`, { key, body });
  await api.call('DELETE', `/api-keys/${id}?children=true`);
  await handleAll(api, keyRevoker, 'apiKeys', (one) => one.id === id);
  const replaced = await replaceAll(api, restored);
  for (const one of [source, later])
    expect((await replaced.get(`${base}/sources/${one.id}`)).data).toMatchObject({
      paused: true,
      pausedReason: 'key_revoked',
      nextRefreshAt: null,
    });
  const stored = await storedOf(replaced, 'knowledge');
  expect(stored.find((item) => item.id === 'sources')).toMatchObject({ count: 3 });
  const setters = stored.filter(({ tenant }) => `${tenant}`.includes('#setters#'));
  expect(setters.map((item) => item.id)).toEqual(expect.arrayContaining([source.id, later.id]));
});
