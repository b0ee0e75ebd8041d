/** What a project keeps of its conversations, and for how long. */

import { DeleteCommand, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { dayMs } from '../lib/time.ts';
import { openApi, storedOf, type TestApi } from './support/api.ts';

const messages = [
  { role: 'user', text: 'one', clientMessageId: 'm' },
  { role: 'avatar', text: 'two' },
];

/** @returns the times to go of all that is stored of conversations, each once */
const ttlsOf = async (api: TestApi) => {
  const items = [...(await storedOf(api, 'conversations')), ...(await storedOf(api, 'messages'))];
  return { count: items.length, ttls: [...new Set(items.map(({ ttl }) => ttl))] };
};

test('all of a conversation goes at one time, so long after its start', async () => {
  const api = await openApi();
  const project = await api.createProject({ settings: { retentionDays: 10 } });
  const startedAt = new Date(Date.now() - dayMs).toISOString();
  const path = await api.createConversation({ startedAt, tags: ['a'] }, project);
  await api.call('PATCH', `/projects/${project}`, { body: { settings: { retentionDays: 20 } } });
  await api.call('POST', `${path}/messages`, { body: { messages } });
  await api.call('PATCH', path, { body: { tags: ['b'] } });
  const ttl = Math.ceil((Date.parse(startedAt) + 10 * dayMs) / 1000);
  // The conversation, its entries for avatar and tag, two messages and a pointer.
  expect(await ttlsOf(api)).toEqual({ count: 6, ttls: [ttl] });
});

test('where everything is kept nothing has a time to go', async () => {
  const api = await openApi();
  const path = await api.createConversation();
  await api.call('POST', `${path}/messages`, { body: { messages } });
  expect(await ttlsOf(api)).toEqual({ count: 5, ttls: [undefined] });
});

test('what TTL took first of a conversation keeps nobody from changing or erasing the rest', async () => {
  const api = await openApi();
  const path = await api.createConversation({ tags: ['a', 'b'] });
  for (const { tenant, id } of await storedOf(api, 'conversations')) {
    if (!`${tenant}`.includes('#by#')) continue;
    const TableName = api.runtime.tableNames.conversations;
    await api.runtime.client.send(new DeleteCommand({ TableName, Key: { tenant, id } }));
  }
  expect((await api.call('PATCH', path, { body: { tags: ['b', 'c'] } })).status).toBe(200);
  expect((await api.call('DELETE', path)).status).toBe(200);
});

test('a project from before there were settings is read with those that are usual', async () => {
  const api = await openApi();
  const id = await api.createProject();
  const TableName = api.runtime.tableNames.projects;
  const Key = { tenant: `${api.organisationId}#live`, id };
  const { Item } = await api.runtime.client.send(new GetCommand({ TableName, Key }));
  const { settings, ...old } = Item as { settings: unknown };
  await api.runtime.client.send(new PutCommand({ TableName, Item: old }));
  expect((await api.call('GET', `/projects/${id}`)).data.settings).toEqual(settings);
  expect((await api.call('GET', '/projects')).data.items).toMatchObject([{ id, settings }]);
  const { secret } = await api.createKey({ projectIds: [id] });
  expect((await api.call('GET', '/projects', { key: secret })).data.items).toMatchObject([{ settings }]);
  expect((await api.call('GET', await api.createConversation({}, id))).data.status).toBe('active');
  expect((await api.call('DELETE', `/projects/${id}`)).data.settings).toEqual(settings);
  expect((await api.call('POST', `/projects/${id}/restore`)).data.settings).toEqual(settings);
});
