/** Copies lost items back from a restored table. */
// @module-tag long

import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { fillProjects } from '../../bench/fill.ts';
import { tableNames } from '../../lib/dynamodb/tables.ts';
import { openApi, storedOf, type TestApi } from '../../samples/api.ts';
import { identityBody } from '../../samples/samples.ts';
import { changeRecord } from '../../samples/stream-records.ts';
import { createTestTables } from '../../samples/tables.ts';
import { copyMissing } from '../../scripts/copy-missing.ts';
import { findStage } from '../../scripts/restore/stage-tables.ts';
import conversationCounter from '../../workers/conversation-counter.ts';
import conversationEraser from '../../workers/conversation-eraser.ts';
import projectPurger from '../../workers/project-purger.ts';
import { expire, namingProject, storedPurge } from '../support/purges.ts';
import { copyAll, replaceAll, restoreAll } from '../support/restored.ts';
import { withoutGone } from '../support/stored.ts';
import { deliver } from '../support/workers.ts';

/** A new organisation, and restored tables next to the service's. */
async function openRestored() {
  const api = await openApi();
  const client = new DynamoDBClient({});
  const prefix = `restored-${randomUUID()}`;
  await createTestTables(client, prefix);
  const { apiKeys = '', projects = '' } = api.runtime.tableNames;
  const tenant = `${api.organisationId}#live`;
  return {
    ...api,
    client,
    tenant,
    apiKeys: { live: apiKeys, restored: `${prefix}-apiKeys` },
    projects: { live: projects, restored: `${prefix}-projects` },
  };
}

test('a lost project is copied, and a changed one is not overwritten', async () => {
  const api = await openRestored();
  const { client, projects, tenant, call } = api;
  const kept = await api.createProject({ name: 'then' });
  await copyMissing(client, { from: projects.live, to: projects.restored, tenant });
  await call('PATCH', `/projects/${kept}`, { body: { name: 'now' } });
  const lost = 'proj_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';
  const { data } = await call('GET', `/projects/${kept}`);
  const item = { ...data, tenant, id: lost, name: 'lost', changedBy: 'key', changedIn: 'evt' };
  await api.runtime.client.send(new PutCommand({ TableName: projects.restored, Item: item }));

  expect(await copyMissing(client, { from: projects.restored, to: projects.live })).toEqual({
    removed: 0,
    copied: 1,
    present: 1,
    skipped: 0,
  });
  expect((await call('GET', `/projects/${kept}`)).data.name).toBe('now');
  expect((await call('GET', `/projects/${lost}`)).data.name).toBe('lost');
});

test('a key that was revoked after the restored second stays revoked', async () => {
  const api = await openRestored();
  const { client, apiKeys, tenant, call } = api;
  const { id, secret } = await api.createKey();
  await copyMissing(client, { from: apiKeys.live, to: apiKeys.restored, tenant });
  await call('DELETE', `/api-keys/${id}`);
  await copyMissing(client, { from: apiKeys.restored, to: apiKeys.live, tenant });
  expect((await call('GET', '/api-keys/me', { key: secret })).status).toBe(401);
});

test('a workload identity that was deleted, suspended or changed after the restored second stays so', async () => {
  const api = await openApi();
  const create = async () =>
    `/workload-identities/${(await api.call('POST', '/workload-identities', { body: identityBody })).data.id}`;
  const [deleted, suspended, changed, same] = [
    await create(),
    await create(),
    await create(),
    await create(),
  ];
  const restored = await restoreAll(api);
  await api.call('DELETE', deleted);
  await api.call('PATCH', suspended, { body: { status: 'suspended' } });
  await api.call('PATCH', changed, { body: { subject: 'system:serviceaccount:ci:other' } });
  const replaced = await replaceAll(api, restored);
  expect((await replaced.get(deleted)).data.status).toBe('deleted');
  expect((await replaced.get(suspended)).data.status).toBe('suspended');
  expect((await replaced.get(changed)).data.subject).toBe('system:serviceaccount:ci:other');
  expect((await replaced.get(same)).data.status).toBe('active');
});

test('a secret that was replaced after the restored second stays replaced', async () => {
  const api = await openApi();
  const { id, secret } = await api.createKey();
  const restored = await restoreAll(api);
  const { data } = await api.call('POST', `/api-keys/${id}/rotate`, { body: { overlap: 0 } });
  const replaced = await replaceAll(api, restored);
  expect((await replaced.get('/api-keys/me', secret)).status).toBe(401);
  expect((await replaced.get('/api-keys/me', String(data.secret))).status).toBe(200);
});

test('--tenant copies only this partition, with all of its pages', { tags: ['nightly'] }, async () => {
  const { client, projects, tenant, runtime } = await openRestored();
  const restored = { client: runtime.client, tableNames: { projects: projects.restored } };
  const other = `${tenant}#deleted`;
  await fillProjects(restored, { tenant, from: 0, to: 600 });
  await fillProjects(restored, { tenant: other, from: 600, to: 601 });
  const copy = { from: projects.restored, to: projects.live };
  expect(await copyMissing(client, { ...copy, tenant })).toEqual({
    copied: 600,
    present: 0,
    skipped: 0,
    removed: 0,
  });
  expect(await copyMissing(client, { ...copy, tenant: other })).toEqual({
    removed: 0,
    copied: 1,
    present: 0,
    skipped: 0,
  });
});

/** The stored content of messages: as text, and as words of the search. */
async function traces(api: TestApi, secret: string): Promise<string[]> {
  const found: string[] = [];
  for (const table of tableNames) {
    const items = await storedOf(api, table);
    if (items.some((item) => JSON.stringify(item).includes(secret))) found.push(table);
  }
  return found;
}

async function converse(api: TestApi, project: string, secret: string): Promise<string> {
  const path = await api.createConversation({ channel: secret, externalUserId: secret }, project);
  const messages = [{ role: 'user', text: `say ${secret}`, clientMessageId: 'm' }];
  await api.call('POST', `${path}/messages`, { body: { messages }, idempotencyKey: path });
  await api.indexMessages(project);
  const [started] = (await storedOf(api, 'conversations')).filter(
    ({ id, startedAt }) => startedAt && path.endsWith(`${id}`),
  );
  await deliver(api, conversationCounter, [changeRecord(undefined, started)]);
  return path;
}

async function erase(api: TestApi, path: string) {
  await api.call('DELETE', path);
  const [tombstone] = (await storedOf(api, 'conversations')).filter(
    ({ id, erasedAt }) => erasedAt && path.endsWith(`${id}`),
  );
  await deliver(api, conversationEraser, [changeRecord(undefined, tombstone)]);
}

test('nothing of an erased conversation is copied; a lost one is copied completely', async () => {
  const api = await openApi();
  const project = await api.createProject();
  const [gone, lost] = ['gone4711', 'lost4711'];
  const erased = await converse(api, project, gone);
  const other = await converse(api, project, lost);
  const restored = await restoreAll(api);
  expect(await traces(api, gone)).toEqual([
    'conversations',
    'messages',
    'conversationStats',
    'conversationSearch',
    'idempotency',
  ]);
  await erase(api, erased);
  // The other one is lost.
  const id = other.split('/').at(-1) ?? '';
  for (const table of ['conversations', 'messages', 'conversationStats', 'conversationSearch'] as const) {
    for (const item of await storedOf(api, table)) {
      if (!`${item.tenant} ${item.id}`.includes(id)) continue;
      const Key = { tenant: item.tenant, id: item.id };
      await api.runtime.client.send(new DeleteCommand({ TableName: api.runtime.tableNames[table], Key }));
    }
  }
  await copyAll(api, restored);
  expect(await traces(api, gone)).toEqual([]);
  for (const read of [erased, `${erased}/transcript`]) {
    expect((await api.call('GET', read)).status).toBe(404);
  }
  expect((await api.call('GET', `${other}/transcript`)).data.messages).toHaveLength(1);
  const counted = (await storedOf(api, 'conversationStats')).map(({ id: key }) => key);
  expect(counted).toContain(id);
  // Nothing is copied twice.
  const before = JSON.stringify(await storedOf(api, 'conversationStats'));
  await copyAll(api, restored);
  expect(JSON.stringify(await storedOf(api, 'conversationStats'))).toBe(before);
});

test('a deleted project stays deleted, and a restored one exists once', async () => {
  const api = await openApi();
  const [deleted, back] = [await api.createProject(), await api.createProject()];
  await api.call('DELETE', `/projects/${back}`);
  const restored = await restoreAll(api);
  await api.call('DELETE', `/projects/${deleted}`);
  await api.call('POST', `/projects/${back}/restore`);
  await copyAll(api, restored);
  expect((await api.call('GET', `/projects/${deleted}`)).status).toBe(404);
  expect((await api.call('GET', `/projects/${back}`)).status).toBe(200);
  expect(await storedOf(api, 'projects')).toHaveLength(2);
});

test('nothing is copied below a missing project', async () => {
  const api = await openApi();
  const project = await api.createProject();
  await converse(api, project, 'gone4711');
  const restored = await restoreAll(api);
  for (const table of tableNames) {
    for (const { tenant, id } of await storedOf(api, table)) {
      if (!`${tenant} ${id}`.includes(project)) continue;
      const TableName = api.runtime.tableNames[table];
      await api.runtime.client.send(new DeleteCommand({ TableName, Key: { tenant, id } }));
    }
  }
  for (const table of tableNames.filter((name) => name !== 'projects')) {
    const to = api.runtime.tableNames[table] ?? '';
    await copyMissing(new DynamoDBClient({}), { from: restored(table), to });
  }
  expect(await traces(api, 'gone4711')).toEqual([]);
});

test('a purged project stays purged, whether items are copied or tables are replaced', async () => {
  const api = await openApi();
  const project = await api.createProject();
  await converse(api, project, 'gone4711');
  await api.call('DELETE', `/projects/${project}`);
  const restored = await restoreAll(api);
  await deliver(api, projectPurger, [await expire(api, project)]);
  const begun = await storedPurge(api);
  await deliver(api, projectPurger, [changeRecord(undefined, begun)]);
  const purged = (await api.call('GET', `/projects/${project}/purge`)).data;
  expect(purged.status).toBe('succeeded');
  await copyAll(api, restored);
  expect(await traces(api, 'gone4711')).toEqual([]);
  expect(Object.keys(await namingProject(api, project))).toEqual(['projects']);
  expect((await api.call('GET', `/projects/${project}/purge`)).data).toEqual(purged);

  const from = api.runtime.tableNames.projects ?? '';
  await copyMissing(new DynamoDBClient({}), { from, to: restored('projects'), tombstones: true });
  const tables = Object.fromEntries(tableNames.map((table) => [table, restored(table)]));
  const other = { ...api, runtime: { ...api.runtime, tableNames: tables } } as TestApi;
  const [record, ...others] = withoutGone(await storedOf(other, 'projects'));
  expect(others).toEqual([]);
  expect(record).toMatchObject({ status: 'running', run: 2 });
  await deliver(other, projectPurger, [changeRecord(begun, record)]);
  expect(Object.keys(await namingProject(other, project))).toEqual(['projects']);
});

test('--tombstones copies revocations and tombstones to a restored table', async () => {
  const api = await openApi();
  const { id, secret } = await api.createKey();
  const [project, deleted] = [await api.createProject(), await api.createProject()];
  const path = await converse(api, project, 'gone4711');
  const restored = await restoreAll(api);
  await api.call('DELETE', `/api-keys/${id}`);
  await api.call('DELETE', `/projects/${deleted}`);
  await erase(api, path);
  const replaced = await replaceAll(api, restored);
  expect((await replaced.get(`/api-keys/${id}`)).data.status).toBe('revoked');
  expect((await replaced.get('/api-keys/me', secret)).status).toBe(401);
  expect((await replaced.get(`/projects/${deleted}`)).status).toBe(404);
  expect((await replaced.get(path)).status).toBe(404);
  const tombstone = (await storedOf(replaced, 'conversations')).find(({ erasedAt }) => erasedAt);
  await deliver(replaced, conversationEraser, [changeRecord(undefined, tombstone)]);
  expect(await traces(replaced, 'gone4711')).toEqual([]);
});

test('a table of no stage is refused, because its tombstones are unknown', () => {
  expect(() => findStage(['somebody-elses'])).toThrow('Not a table of a stage: somebody-elses');
});
