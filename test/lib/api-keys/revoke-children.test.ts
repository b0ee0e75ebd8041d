/** The revocation of a key's children leaves none of them active, whatever happens meanwhile. */

import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { inBatches } from '../../../lib/base/batches.ts';
import { idBelow, idPrefixes } from '../../../lib/base/ids.ts';
import { type Json, openApi, storedOf, type TestApi } from '../../../samples/api.ts';
import { deliverNotices, endsTurn, noticesOf } from '../../../samples/lambda-queue.ts';
import { webhookBody, webhookScopes } from '../../../samples/samples.ts';
import { changeRecord } from '../../../samples/stream-records.ts';
import keyRevoker from '../../../workers/key-revoker.ts';
import { intercept } from '../../support/faults.ts';
import { deliver } from '../../support/workers.ts';

const creator = { scopes: ['api-keys:write'] };

const stored = async (api: TestApi, id: string) =>
  (await storedOf(api, 'apiKeys')).find((item) => item.id === id && 'scopes' in item);

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

describe('in turns of a page', () => {
  /** A key with a child, and further children with ids after that of the child, as if they were created later. */
  async function openLargeFamily(copies: number) {
    const api = await openApi();
    const parent = await api.createKey(creator);
    const child = await api.createKey(creator, parent.secret);
    const item = await stored(api, child.id);
    const ids = Array.from({ length: copies }, () => api.runtime.newId('apiKey', api.runtime.nowMs()));
    const copy = (id: string, createdBy = parent.id) =>
      api.runtime.client.send(
        new PutCommand({ TableName: api.runtime.tableNames.apiKeys, Item: { ...item, id, createdBy } }),
      );
    await inBatches(ids, 25, (id) => copy(id));
    const last = await api.createKey(creator, parent.secret);
    const before = await stored(api, parent.id);
    expect((await api.call('DELETE', `/api-keys/${parent.id}?children=true`)).status).toBe(202);
    const notices = noticesOf(keyRevoker, [changeRecord(before, await stored(api, parent.id))]);
    /** @returns whether the next turn goes on */
    const turn = (adjust: Partial<TestApi['runtime']> = {}) =>
      endsTurn(deliverNotices({ ...api.runtime, turnMs: 0, ...adjust }, keyRevoker, notices));
    const active = async () =>
      (await storedOf(api, 'apiKeys'))
        .filter((key) => key.revokedAt === null && key.createdBy !== 'bootstrap')
        .map(({ id }) => id);
    return { api, parent, child, last, ids, copy, turn, active };
  }

  test('ends also what is created between two turns, reads no key again in a pass, and changes the key only at the end', {
    tags: ['long'],
  }, async () => {
    const { api, parent, last, turn, active } = await openLargeFamily(250);
    const key = await stored(api, parent.id);
    let queries = 0;
    const client = intercept(api.runtime.client, (command) => {
      if (command.constructor.name !== 'QueryCommand') return undefined;
      if (JSON.stringify(command.input).includes(`"${api.runtime.tableNames.apiKeys}"`)) queries += 1;
      return undefined;
    });
    let created = 0;
    let turns = 1;
    for (; await turn({ client }); turns += 1) {
      expect(await stored(api, parent.id)).toEqual(key);
      if ((await statusOf(api, last.secret)) === 401) continue;
      await api.createKey(creator, last.secret);
      created += 1;
    }
    expect(created).toBe(2);
    expect(await active()).toEqual([]);
    expect(await progressOf(api, parent.id)).toMatchObject({ revoked: 252 + created, skipped: 0 });
    // Two passes of three pages. The first page of the first pass is read again after the note that it changes keys.
    expect([turns, queries]).toEqual([6, 2 * (6 + 1)]);
  });

  test('a run that is killed after a change makes another pass, which finds what a slow creation has stored meanwhile', {
    tags: ['long'],
  }, async () => {
    const { api, parent, last, ids, copy, turn, active } = await openLargeFamily(100);
    const atRevocation = (id: string, act: (proceed: () => Promise<unknown>) => Promise<unknown>) => ({
      client: intercept(api.runtime.client, (command, proceed) => {
        const input = JSON.stringify(command.input);
        const isIt = command.constructor.name === 'UpdateCommand' && input.includes('revokedAt');
        return isIt && input.includes(id) ? act(proceed) : undefined;
      }),
    });
    expect(await turn()).toBe(true);
    let late = '';
    const create = async (proceed: () => Promise<unknown>) => {
      late = (await api.createKey(creator, last.secret)).id;
      return proceed();
    };
    expect(await turn(atRevocation(last.id, create))).toBe(true);
    // The first page of the second pass, which changes nothing.
    expect(await turn()).toBe(true);
    const storeAndDie = (proceed: () => Promise<unknown>) =>
      copy(idBelow(ids[0] ?? ''), late)
        .then(proceed)
        .then(() => Promise.reject(new Error('killed')));
    await expect(turn(atRevocation(late, storeAndDie))).rejects.toThrow('killed');
    expect((await stored(api, late))?.revokedAt).not.toBeNull();
    while (await turn());
    expect(await active()).toEqual([]);
    expect(await progressOf(api, parent.id)).toMatchObject({ revoked: 104, finishedAt: expect.any(String) });
  });

  test('two runs at the same time end everything, and one of them notes the end', async () => {
    const { api, parent, turn, active } = await openLargeFamily(20);
    const run = async () => {
      while (await turn());
    };
    await Promise.all([run(), run()]);
    expect(await active()).toEqual([]);
    expect(await progressOf(api, parent.id)).toMatchObject({ revoked: 22, finishedAt: expect.any(String) });
    expect(
      (await storedOf(api, 'apiKeys')).filter(({ tenant }) => `${tenant}`.endsWith('#passes#children')),
    ).toEqual([]);
  });

  test('a second request begins again', async () => {
    const { api, parent, copy, turn, active } = await openLargeFamily(1);
    while (await turn());
    const late = api.runtime.newId('apiKey', api.runtime.nowMs());
    await copy(late);
    expect((await api.call('DELETE', `/api-keys/${parent.id}?children=true`)).status).toBe(202);
    expect(await active()).toEqual([late]);
    while (await turn());
    expect(await active()).toEqual([]);
    expect(await progressOf(api, parent.id)).toMatchObject({ revoked: 1 });
  });
});

const webhookKey = { scopes: ['api-keys:write', ...webhookScopes] };

const createWebhook = async (api: TestApi, key?: string, body: Json = {}) => {
  const response = await api.call('POST', '/webhooks', {
    body: { ...webhookBody, ...body },
    ...(key !== undefined && { key }),
  });
  expect(response.status).toBe(201);
  return `${response.data.id}`;
};
const reasonOf = async (api: TestApi, id: string) =>
  (await api.call('GET', `/webhooks/${id}`)).data.disabledReason;

describe('the webhooks of revoked keys', () => {
  test('are disabled, whoever of the keys has set their URL, content or secret, and whatever they were disabled for', async () => {
    const api = await openApi();
    const parent = await api.createKey(webhookKey);
    const child = await api.createKey(webhookKey, parent.secret);
    const grandchild = await api.createKey({ scopes: webhookScopes }, child.secret);
    const own = await createWebhook(api, parent.secret);
    const childs = await createWebhook(api, child.secret, { disabled: true });
    const [moved, changed, rotated, other] = [
      await createWebhook(api),
      await createWebhook(api),
      await createWebhook(api),
      await createWebhook(api),
    ];
    const { secret: key } = grandchild;
    await api.call('PATCH', `/webhooks/${moved}`, { key, body: { url: 'https://example.org/' } });
    await api.call('PATCH', `/webhooks/${changed}`, { key, body: { eventTypes: ['job.*'] } });
    await api.call('POST', `/webhooks/${rotated}/rotate-secret`, { key, body: {} });
    await api.call('PATCH', `/webhooks/${other}`, { key, body: { description: 'mine' } });
    // The child has ended by itself, before its creator is revoked.
    await api.call('DELETE', '/api-keys/me', { key: child.secret });
    await revoke(api, parent.id);
    const disabled = [own, childs, moved, changed, rotated];
    expect(await progressOf(api, parent.id)).toMatchObject({ revoked: 1, webhookIds: disabled });
    for (const id of disabled) expect(await reasonOf(api, id)).toBe('key_revoked');
    expect((await api.call('GET', `/webhooks/${other}`)).data).toMatchObject({ disabled: false });
  });

  test('of which others have set everything since, stay on', async () => {
    const api = await openApi();
    const { id, secret } = await api.createKey(webhookKey);
    const webhook = await createWebhook(api, secret);
    await api.call('PATCH', `/webhooks/${webhook}`, { body: webhookBody });
    await api.call('POST', `/webhooks/${webhook}/rotate-secret`, { body: { overlap: 0 } });
    await revoke(api, id);
    expect(await progressOf(api, id)).toMatchObject({ webhookIds: [], finishedAt: expect.any(String) });
    expect(await reasonOf(api, webhook)).toBeNull();
  });

  test('of keys that the caller may not end, stay on', async () => {
    const api = await openApi();
    const parent = await api.createKey({ scopes: [...webhookKey.scopes, 'projects:read'] });
    const child = await api.createKey({ scopes: [...webhookScopes, 'projects:read'] }, parent.secret);
    const [own, childs] = [await createWebhook(api, parent.secret), await createWebhook(api, child.secret)];
    await api.call('PATCH', `/api-keys/${parent.id}`, { body: webhookKey });
    const { secret } = await api.createKey(webhookKey);
    const before = await stored(api, parent.id);
    await api.call('DELETE', `/api-keys/${parent.id}?children=true`, { key: secret });
    await deliver(api, keyRevoker, [changeRecord(before, await stored(api, parent.id))]);
    expect(await progressOf(api, parent.id)).toMatchObject({ skipped: 1, webhookIds: [own] });
    expect([await reasonOf(api, own), await reasonOf(api, childs)]).toEqual(['key_revoked', null]);
  });

  test('are listed for a key that is bound to projects as far as they are of its projects', async () => {
    const api = await openApi();
    const projectIds = [await api.createProject()];
    const { id, secret } = await api.createKey({ ...webhookKey, projectIds });
    const [own, all] = [await createWebhook(api, secret), await createWebhook(api, secret)];
    await api.call('PATCH', `/webhooks/${all}`, { body: { projectIds: null } });
    await revoke(api, id);
    expect(await progressOf(api, id)).toMatchObject({ webhookIds: [own] });
    expect([await reasonOf(api, own), await reasonOf(api, all)]).toEqual(['key_revoked', 'key_revoked']);
  });

  test.each([
    ['creates', 'POST', '', webhookBody],
    ['moves', 'PATCH', '/webhook', { url: 'https://example.org/late' }],
    ['enables', 'PATCH', '/webhook', { disabled: false }],
    ['rotates the secret of', 'POST', '/webhook/rotate-secret', {}],
  ])(
    'a request that %s a webhook and loses against the revocation changes nothing',
    async (_, method, to, body) => {
      const ids: { key?: string; webhook?: string } = {};
      let revoked: Promise<unknown> | undefined;
      const api = await openApi(({ client }) => ({
        client: intercept(client, (command, proceed) => {
          if (!ids.webhook || revoked || command.constructor.name !== 'TransactWriteCommand')
            return undefined;
          // The request has read its key, and commits only after the revocation.
          revoked = api.call('DELETE', `/api-keys/${ids.key}`);
          return revoked.then(proceed);
        }),
      }));
      const { id, secret } = await api.createKey(webhookKey);
      const webhook = await createWebhook(api, undefined, { disabled: true });
      Object.assign(ids, { key: id, webhook });
      const before = await storedOf(api, 'webhooks');
      const path = `/webhooks${to.replace('/webhook', `/${webhook}`)}`;
      const response = await api.call(method, path, { key: secret, body });
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(revoked).toBeDefined();
      expect(await storedOf(api, 'webhooks')).toEqual(before);
    },
  );

  test('are disabled also if others change or delete them at the same time', async () => {
    const api = await openApi();
    const { id, secret } = await api.createKey(webhookKey);
    const [changed, deleted, taken] = [
      await createWebhook(api, secret),
      await createWebhook(api, secret),
      await createWebhook(api, secret),
    ];
    const meanwhile = [
      () => api.call('PATCH', `/webhooks/${changed}`, { body: { description: 'new' } }),
      () => api.call('DELETE', `/webhooks/${deleted}`),
      async () => {
        await api.call('PATCH', `/webhooks/${taken}`, { body: webhookBody });
        await api.call('POST', `/webhooks/${taken}/rotate-secret`, { body: {} });
      },
    ];
    const client = intercept(api.runtime.client, (command, proceed) => {
      if (command.constructor.name !== 'UpdateCommand') return undefined;
      if (!JSON.stringify(command.input).includes('key_revoked')) return undefined;
      return meanwhile.shift()?.().then(proceed);
    });
    await revoke(api, id, { client });
    expect(meanwhile).toEqual([]);
    expect(await progressOf(api, id)).toMatchObject({ webhookIds: [changed] });
    expect((await api.call('GET', `/webhooks/${changed}`)).data).toMatchObject({
      disabledReason: 'key_revoked',
      description: 'new',
    });
    expect(await reasonOf(api, taken)).toBeNull();
  });

  test('are all disabled and listed by the next run, if a run is killed at any write', {
    tags: ['long'],
  }, async () => {
    for (let kill = 1; kill <= 4; kill += 1) {
      const api = await openApi();
      const parent = await api.createKey(webhookKey);
      const child = await api.createKey(webhookKey, parent.secret);
      const own = [await createWebhook(api, parent.secret), await createWebhook(api, child.secret)];
      let writes = 0;
      const client = intercept(api.runtime.client, (command) => {
        if (command.constructor.name !== 'UpdateCommand') return undefined;
        writes += 1;
        return writes === kill ? Promise.reject(new Error('killed')) : undefined;
      });
      await revoke(api, parent.id, { client }).catch(() => {});
      await deliver(api, keyRevoker, [changeRecord(undefined, await stored(api, parent.id))]);
      expect(await progressOf(api, parent.id)).toMatchObject({
        webhookIds: own,
        finishedAt: expect.any(String),
      });
      for (const id of own) expect(await reasonOf(api, id)).toBe('key_revoked');
    }
  });

  test('belong to whoever enables them again, except for their secret', async () => {
    const api = await openApi();
    const { id, secret } = await api.createKey(webhookKey);
    const webhook = await createWebhook(api, secret, { include: [] });
    const path = `/webhooks/${webhook}`;
    await revoke(api, id);
    const enable = (key?: string) =>
      api.call('PATCH', path, { body: { disabled: false }, ...(key !== undefined && { key }) });
    const another = await api.createKey({ scopes: webhookScopes });
    const enabled = await enable(another.secret);
    expect(enabled.data).toMatchObject({
      disabled: false,
      disabledReason: null,
      createdBy: id,
      urlSetBy: another.id,
      contentSetBy: another.id,
      secretSetBy: id,
    });
    // The leaked key still knows the secret, so another revocation disables the webhook again.
    await revoke(api, id);
    expect(await reasonOf(api, webhook)).toBe('key_revoked');
    await api.call('POST', `${path}/rotate-secret`, { body: { overlap: 0 } });
    await enable();
    await revoke(api, id);
    expect(await reasonOf(api, webhook)).toBeNull();
  });
});
