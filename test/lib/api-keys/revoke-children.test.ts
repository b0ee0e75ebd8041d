/** The revocation of a key's children leaves none of them active, whatever happens meanwhile. */

import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { idPrefixes } from '../../../lib/ids.ts';
import keyRevoker from '../../../workers/key-revoker.ts';
import { type Json, openApi, storedOf, type TestApi } from '../../support/api.ts';
import { intercept } from '../../support/faults.ts';
import { changeRecord } from '../../support/stream-records.ts';
import { deliver } from '../../support/workers.ts';

const creator = { scopes: ['api-keys:write'] };

const stored = async (api: TestApi, id: string) =>
  (await storedOf(api, 'apiKeys')).find((key) => key.id === id);

/** Revokes the key with its children, as the endpoint and then the worker do. */
async function revoke(api: TestApi, id: string, adjust: Partial<TestApi['runtime']> = {}): Promise<void> {
  const before = await stored(api, id);
  expect((await api.call('DELETE', `/api-keys/${id}?children=true`)).status).toBe(202);
  await deliver({ runtime: { ...api.runtime, ...adjust } }, keyRevoker, [
    changeRecord(before, await stored(api, id)),
  ]);
}

const progressOf = async (api: TestApi, id: string) =>
  (await api.call('GET', `/api-keys/${id}`)).data.childrenRevocation as Json;
const statusOf = async (api: TestApi, key: string) => (await api.call('GET', '/api-keys/me', { key })).status;

describe('the revocation of children', () => {
  test('finds a key that its creator makes until the moment of its own revocation', async () => {
    const api = await openApi();
    const parent = await api.createKey(creator);
    const child = await api.createKey(creator, parent.secret);
    const late: { secret: string }[] = [];
    // The first revocation of the worker is that of the child: it creates another key just before.
    const client = intercept(api.runtime.client, (command, proceed) => {
      if (late.length > 0 || !JSON.stringify(command.input).includes('revokedAt')) return undefined;
      if (command.constructor.name !== 'UpdateCommand') return undefined;
      return api.createKey(creator, child.secret).then((key) => {
        late.push(key);
        return proceed();
      });
    });
    await revoke(api, parent.id, { client });
    expect(await progressOf(api, parent.id)).toMatchObject({
      revoked: 2,
      skipped: 0,
      finishedAt: expect.any(String),
    });
    expect(late).toHaveLength(1);
    expect(await statusOf(api, late[0]?.secret ?? '')).toBe(401);
  });

  test('a creation that loses against the revocation creates nothing', async () => {
    const parents: string[] = [];
    let revoked: Promise<unknown> | undefined;
    const api = await openApi(({ client }) => ({
      client: intercept(client, (command, proceed) => {
        const [id] = parents;
        if (!id || revoked || command.constructor.name !== 'TransactWriteCommand') return undefined;
        // The creation has read its key, and commits only after the revocation.
        revoked = api.call('DELETE', `/api-keys/${id}`);
        return revoked.then(proceed);
      }),
    }));
    const parent = await api.createKey(creator);
    parents.push(parent.id);
    const body = { name: 'late', ...creator };
    const response = await api.call('POST', '/api-keys', {
      key: parent.secret,
      body,
      idempotencyKey: 'late',
    });
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect((await storedOf(api, 'apiKeys')).filter(({ name }) => name === 'late')).toEqual([]);
  });

  test('finds a child whose id is older than that of its creator, because clocks differ', async () => {
    const api = await openApi();
    const parent = await api.createKey(creator);
    const { secret, id } = await api.createKey(creator, parent.secret);
    const item = await stored(api, id);
    const older = `${idPrefixes.apiKey}_${api.runtime.newId('call', Date.now() - 60_000, Date.now() - 60_000).slice(5)}`;
    const Item = { ...item, id: older };
    await api.runtime.client.send(new PutCommand({ TableName: api.runtime.tableNames.apiKeys, Item }));
    await revoke(api, parent.id);
    expect(await progressOf(api, parent.id)).toMatchObject({ revoked: 2 });
    expect((await stored(api, older))?.revokedAt).not.toBeNull();
    expect(await statusOf(api, secret)).toBe(401);
  });

  test('leaves keys with a scope that the caller does not have, says how many, and goes on below them', async () => {
    const api = await openApi();
    const parent = await api.createKey({ scopes: ['api-keys:write', 'projects:read'] });
    const child = await api.createKey({ scopes: ['api-keys:write', 'projects:read'] }, parent.secret);
    const grandchild = await api.createKey(creator, child.secret);
    await api.call('PATCH', `/api-keys/${parent.id}`, { body: creator });
    const { secret } = await api.createKey(creator);
    const before = await stored(api, parent.id);
    const path = `/api-keys/${parent.id}?children=true`;
    expect((await api.call('DELETE', path, { key: secret })).status).toBe(202);
    await deliver(api, keyRevoker, [changeRecord(before, await stored(api, parent.id))]);
    expect(await progressOf(api, parent.id)).toMatchObject({ revoked: 1, skipped: 1 });
    expect([await statusOf(api, child.secret), await statusOf(api, grandchild.secret)]).toEqual([200, 401]);
  });

  test('that is killed at any write is finished by the next run', async () => {
    for (let kill = 1; kill <= 4; kill += 1) {
      const api = await openApi();
      const parent = await api.createKey(creator);
      const children = [
        await api.createKey(creator, parent.secret),
        await api.createKey(creator, parent.secret),
      ];
      let writes = 0;
      const client = intercept(api.runtime.client, (command) => {
        if (command.constructor.name !== 'UpdateCommand') return undefined;
        writes += 1;
        return writes === kill ? Promise.reject(new Error('killed')) : undefined;
      });
      await revoke(api, parent.id, { client }).catch(() => {});
      await deliver(api, keyRevoker, [changeRecord(undefined, await stored(api, parent.id))]);
      expect(await progressOf(api, parent.id)).toMatchObject({ revoked: 2, finishedAt: expect.any(String) });
      for (const { secret } of children) expect(await statusOf(api, secret)).toBe(401);
    }
  });

  test('asked for again while it runs, it runs once; asked for later, it runs again', async () => {
    const api = await openApi();
    const parent = await api.createKey(creator);
    const path = `/api-keys/${parent.id}?children=true`;
    const first = await api.call('DELETE', path);
    expect((await api.call('DELETE', path)).text).toBe(first.text.replace(/"requestId".*/, ''));
    await deliver(api, keyRevoker, [changeRecord(undefined, await stored(api, parent.id))]);
    const again = await api.call('DELETE', path);
    expect(again.data.childrenRevocation).toMatchObject({ finishedAt: null });
    expect(again.data.revokedAt).toBe(first.data.revokedAt);
  });
});
