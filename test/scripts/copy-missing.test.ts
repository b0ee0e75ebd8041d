/** Putting back what was lost, from a table that was restored beside. */

import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { fillProjects } from '../../bench/fill.ts';
import { copyMissing } from '../../scripts/copy-missing.ts';
import { createTables } from '../../scripts/local/dynamodb.ts';
import { openApi } from '../support/api.ts';

/** An organisation of its own, and tables beside the service's, as a restore makes them. */
async function openRestored() {
  const api = await openApi();
  const client = new DynamoDBClient({});
  const prefix = `restored-${randomUUID()}`;
  await createTables(client, prefix);
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

test('a project that was lost is there again, and one that has changed since stays as it is', async () => {
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
    copied: 1,
    present: 1,
  });
  expect((await call('GET', `/projects/${kept}`)).data.name).toBe('now');
  expect((await call('GET', `/projects/${lost}`)).data.name).toBe('lost');
});

test('a key that was revoked since the restored point stays revoked', async () => {
  const api = await openRestored();
  const { client, apiKeys, tenant, call } = api;
  const { id, secret } = await api.createKey();
  await copyMissing(client, { from: apiKeys.live, to: apiKeys.restored, tenant });
  await call('DELETE', `/api-keys/${id}`);
  await copyMissing(client, { from: apiKeys.restored, to: apiKeys.live, tenant });
  expect((await call('GET', '/api-keys/me', { key: secret })).status).toBe(401);
});

test("only the named partition is copied, over any number of pages, and nobody else's", async () => {
  const { client, projects, tenant, runtime } = await openRestored();
  const restored = { client: runtime.client, tableNames: { projects: projects.restored } };
  const other = `${tenant}#deleted`;
  await fillProjects(restored, { tenant, from: 0, to: 600 });
  await fillProjects(restored, { tenant: other, from: 0, to: 1 });
  const copy = { from: projects.restored, to: projects.live };
  expect(await copyMissing(client, { ...copy, tenant })).toEqual({ copied: 600, present: 0 });
  expect(await copyMissing(client, { ...copy, tenant: other })).toEqual({ copied: 1, present: 0 });
});
