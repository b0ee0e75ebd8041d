/** Deleted webhooks, and webhooks that were disabled with a key, stay so after a restore. A lost webhook sends nothing. */

import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { openApi, storedOf } from '../../samples/api.ts';
import keyRevoker from '../../workers/key-revoker.ts';
import { copyAll, replaceAll, restoreAll } from '../support/restored.ts';
import { handleAll } from '../support/suspensions.ts';

const body = { url: 'https://hooks.acme.example/events', eventTypes: ['project.*'] };

async function open() {
  const api = await openApi();
  const key = await api.createKey({ scopes: ['webhooks:write', 'projects:read'] });
  const create = async () => (await api.call('POST', '/webhooks', { key: key.secret, body })).data;
  return { api, key, create };
}

test('a lost webhook comes back disabled, and acts on behalf of who enables it', async () => {
  const { api, create } = await open();
  const { id } = await create();
  const restored = await restoreAll(api);
  for (const item of await storedOf(api, 'webhooks')) {
    const { tenant, id } = item as { tenant: string; id: string };
    const TableName = api.runtime.tableNames.webhooks;
    await api.runtime.client.send(new DeleteCommand({ TableName, Key: { tenant, id } }));
  }
  await copyAll(api, restored);
  const path = `/webhooks/${id}`;
  expect((await api.call('GET', path)).data).toMatchObject({ disabled: true, disabledReason: 'restored' });
  const other = await api.createKey({ scopes: ['webhooks:write', 'projects:read'] });
  const { data } = await api.call('PATCH', path, { key: other.secret, body: { disabled: false } });
  expect(data).toMatchObject({ disabledReason: null, urlSetBy: other.id, contentSetBy: other.id });
});

test('a table that is replaced keeps webhooks deleted or disabled, and has no webhook without its secret', async () => {
  const { api, key, create } = await open();
  const [kept, deleted] = [await create(), await create()];
  const restored = await restoreAll(api);
  const later = await create();
  await api.call('DELETE', `/webhooks/${deleted.id}`);
  await api.call('DELETE', `/api-keys/${key.id}?children=true`);
  await handleAll(api, keyRevoker, 'apiKeys', ({ id }) => id === key.id);
  const replaced = await replaceAll(api, restored);
  const reason = { disabled: true, disabledReason: 'key_revoked' };
  expect((await replaced.get(`/webhooks/${kept.id}`)).data).toMatchObject(reason);
  expect((await replaced.get(`/webhooks/${deleted.id}`)).status).toBe(404);
  expect((await replaced.get(`/webhooks/${later.id}`)).status).toBe(404);
  const stored = await storedOf(replaced, 'webhooks');
  expect(stored.find(({ id }) => id === 'webhooks')).toMatchObject({ count: 1 });
  expect(stored.some(({ tenant, id }) => `${tenant}`.endsWith('#secrets') && id === deleted.id)).toBe(false);
});
