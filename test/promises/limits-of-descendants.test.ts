/**
 * A request counts in the limits of its key and of the limited keys above it. So a limited key gets no more requests by
 * creating keys. A changed limit reaches the keys below, even if keys are created or changed, or workers are killed meanwhile.
 */

import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { inBatches } from '../../lib/base/batches.ts';
import type { RateLimit } from '../../lib/base/rate-limit.ts';
import { allScopes } from '../../lib/base/scopes.ts';
import { defaultLimits } from '../../lib/base/stage-limits.ts';
import { hourMs } from '../../lib/base/time.ts';
import type { Runtime } from '../../lib/http/runtime.ts';
import { type ApiResponse, openApi, storedOf, type TestApi } from '../../samples/api.ts';
import { deliverNotices, endsTurn, noticesOf } from '../../samples/lambda-queue.ts';
import { changeRecord } from '../../samples/stream-records.ts';
import keyLimiter from '../../workers/key-limiter.ts';
import { intercept } from '../support/faults.ts';
import { openApiWith, openIssuer } from '../support/tokens.ts';
import { deliver } from '../support/workers.ts';

const perHour = (requests: number): RateLimit => ({ requests, per: '1h' });
type Key = { id: string; secret: string };

/** An API at the begin of an hour, so that no test meets the end of a window. */
async function openAtWindow(adjust: (runtime: Runtime) => Partial<Runtime> = () => ({})) {
  const api = await openApi(adjust);
  api.advance(hourMs - (api.runtime.nowMs() % hourMs));
  return api;
}

const create = (api: TestApi, rateLimit?: RateLimit | null, creator?: Key): Promise<Key> =>
  api.createKey({ scopes: allScopes, ...(rateLimit !== undefined && { rateLimit }) }, creator?.secret);

/** @returns keys, each created by the one before it */
async function chain(api: TestApi, limits: readonly (RateLimit | null)[]): Promise<Key[]> {
  const keys: Key[] = [];
  for (const limit of limits) keys.push(await create(api, limit, keys.at(-1)));
  return keys;
}

const stored = async (api: TestApi, { id }: Key) =>
  (await storedOf(api, 'apiKeys')).find((item) => item.id === id && 'scopes' in item);

/** Changes the limit of a key, as the endpoint and then the worker do. */
async function change(api: TestApi, key: Key, rateLimit: RateLimit | null, adjust: Partial<Runtime> = {}) {
  const before = await stored(api, key);
  const response = await api.call('PATCH', `/api-keys/${key.id}`, { body: { rateLimit } });
  expect(response.status, response.text).toBe(200);
  const record = changeRecord(before, await stored(api, key));
  await deliver({ runtime: { ...api.runtime, ...adjust } }, keyLimiter, [record]);
  return record;
}

/** @returns the limits above a key, as `GET /usage` shows them: the number of requests by the place of the key in the list */
async function above(api: TestApi, key: Key, of: readonly Key[]): Promise<Record<number, number>> {
  const { data } = await api.call('GET', '/usage', { key: key.secret });
  const { parents } = data.rateLimits as { parents: { keyId: string; rateLimit: RateLimit }[] };
  return Object.fromEntries(
    parents.map(({ keyId, rateLimit }) => [of.findIndex(({ id }) => id === keyId), rateLimit.requests]),
  );
}

const send = (api: TestApi, { secret: key }: Key) => api.call('GET', '/projects', { key });
const headersOf = ({ headers }: ApiResponse) => [headers['RateLimit-Policy'], headers.RateLimit];

test('a key with 20 requests an hour that creates ten others sends 20 requests, and not 200', {
  tags: ['long'],
}, async () => {
  const api = await openAtWindow();
  const parent = await create(api, perHour(30));
  const children = await Promise.all(Array.from({ length: 10 }, () => create(api, undefined, parent)));
  // Its ten creations count, too.
  const responses = await Promise.all(
    children.flatMap((child) => Array.from({ length: 20 }, () => send(api, child))),
  );
  const statuses = responses.map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(20);
  expect(statuses.filter((status) => status === 429)).toHaveLength(180);
  const refused = responses.find(({ status }) => status === 429);
  expect(refused?.error.message).toContain(parent.id);
});

test('rotation, revocation and expiry of the key above change nothing of that', async () => {
  const api = await openAtWindow();
  const [parent, child] = (await chain(api, [perHour(5), perHour(5)])) as [Key, Key];
  await api.call('POST', `/api-keys/${parent.id}/rotate`, { body: {} });
  await api.call('DELETE', `/api-keys/${parent.id}`);
  // One request of the parent was the creation.
  const statuses = [];
  for (let sent = 0; sent < 6; sent += 1) statuses.push((await send(api, child)).status);
  expect(statuses).toEqual([200, 200, 200, 200, 429, 429]);
});

describe('the headers', () => {
  test('name exactly key, parent and tenant, and the parent is the one that refuses first', async () => {
    const limits = { ...defaultLimits, live: { rateLimit: perHour(1000), quotas: {} } };
    const api = await openAtWindow(() => ({ limits }));
    const keys = await chain(api, [perHour(100), perHour(4), perHour(3)]);
    const [, middle, last] = keys as [Key, Key, Key];
    const response = await send(api, last);
    expect(headersOf(response)).toEqual([
      '"key";q=3;w=3600, "parent";q=4;w=3600, "tenant";q=1000;w=3600',
      expect.stringMatching(/^"key";r=2;t=\d+, "parent";r=2;t=\d+, "tenant";r=\d+;t=\d+$/),
    ]);
    for (const _ of [1, 2]) await send(api, middle);
    const refused = await send(api, last);
    expect([refused.status, refused.error.message]).toEqual([429, expect.stringContaining(middle.id)]);
    expect(refused.headers.RateLimit).toMatch(/"parent";r=0;t=\d+/);
    expect(refused.headers.RateLimit?.match(/"parent"/g)).toHaveLength(1);
  });

  test('of a key without a limit of its own have those of the keys above it', async () => {
    const api = await openAtWindow();
    const [parent, child] = (await chain(api, [null, null])) as [Key, Key];
    expect(headersOf(await send(api, child))).toEqual([undefined, undefined]);
    await change(api, parent, perHour(7));
    expect((await send(api, child)).headers['RateLimit-Policy']).toBe('"parent";q=7;w=3600');
  });
});

describe('at most four limits', () => {
  test('a fifth limited key below another is refused', async () => {
    const api = await openAtWindow();
    const keys = await chain(api, [perHour(100), perHour(100), perHour(100), perHour(100)]);
    const last = keys[3] as Key;
    expect(await above(api, last, keys)).toEqual({ 0: 100, 1: 100, 2: 100 });
    const body = { name: 'k', scopes: ['projects:read'], rateLimit: perHour(1) };
    const response = await api.call('POST', '/api-keys', { key: last.secret, body });
    expect([response.status, response.error.code]).toEqual([403, 'insufficient_scope']);
    expect(response.error.message).toContain('four');
  });

  test('of those that are added later, the own one and those of the topmost keys apply', async () => {
    const api = await openAtWindow();
    const keys = await chain(api, [null, null, null, null, null, null]);
    for (const [index, key] of keys.entries()) await change(api, key, perHour(100 - index));
    expect(await above(api, keys[5] as Key, keys)).toEqual({ 0: 100, 1: 99, 2: 98 });
    expect(await above(api, keys[3] as Key, keys)).toEqual({ 0: 100, 1: 99, 2: 98 });
    // A limit that is removed makes room for one that did not fit.
    await change(api, keys[1] as Key, null);
    expect(await above(api, keys[5] as Key, keys)).toEqual({ 0: 100, 2: 98, 3: 97 });
    await change(api, keys[5] as Key, null);
    expect(await above(api, keys[5] as Key, keys)).toEqual({ 0: 100, 2: 98, 3: 97, 4: 96 });
  });
});

describe('a changed limit', () => {
  test('reaches all keys below, also through ended ones, and no others', async () => {
    const api = await openAtWindow();
    const keys = await chain(api, [perHour(50), perHour(40), perHour(30)]);
    const [top, middle, last] = keys as [Key, Key, Key];
    const other = await create(api, perHour(9));
    const below = await create(api, undefined, other);
    await api.call('DELETE', `/api-keys/${middle.id}`);
    for (const limit of [perHour(8), perHour(60)]) {
      await change(api, top, limit);
      expect(await above(api, last, keys)).toEqual({ 0: limit.requests, 1: 40 });
    }
    await change(api, top, null);
    expect(await above(api, last, keys)).toEqual({ 1: 40 });
    await change(api, top, perHour(5));
    expect(await above(api, last, keys)).toEqual({ 0: 5, 1: 40 });
    expect(await above(api, below, [other])).toEqual({ 0: 9 });
  });

  test('reaches a key that one below creates until the moment before it has the new limit', async () => {
    const late: Key[] = [];
    const api = await openAtWindow();
    const keys = await chain(api, [null, null]);
    const [top, middle] = keys as [Key, Key];
    // The first update of the worker is that of the key in the middle: it creates another one just before.
    const client = intercept(api.runtime.client, (command, proceed) => {
      if (late.length > 0 || command.constructor.name !== 'UpdateCommand') return undefined;
      if (!JSON.stringify(command.input).includes('limitedBy')) return undefined;
      return create(api, null, middle).then((key) => {
        late.push(key);
        return proceed();
      });
    });
    await change(api, top, perHour(5), { client });
    expect(late).toHaveLength(1);
    expect(await above(api, late[0] as Key, keys)).toEqual({ 0: 5 });
  });

  test('is that of a creation that has started before, or the creation fails', async () => {
    let meanwhile: (() => Promise<unknown>) | undefined;
    const api = await openAtWindow(({ client }) => ({
      client: intercept(client, (command, proceed) => {
        if (!meanwhile || command.constructor.name !== 'TransactWriteCommand') return undefined;
        const act = meanwhile;
        meanwhile = undefined;
        return act().then(proceed);
      }),
    }));
    const [top] = (await chain(api, [null])) as [Key];
    const body = { name: 'late', scopes: ['projects:read'] };
    meanwhile = () => change(api, top, perHour(5));
    const creation = await api.call('POST', '/api-keys', { key: top.secret, body, idempotencyKey: 'late' });
    expect(creation.status).toBe(503);
    const again = await api.call('POST', '/api-keys', { key: top.secret, body, idempotencyKey: 'late' });
    expect([again.status, again.data.rateLimit]).toEqual([201, perHour(5)]);
    expect(await above(api, again.data as Key, [top])).toEqual({ 0: 5 });
  });

  test('is passed on by the next run if this one is killed at any write', async () => {
    for (let kill = 1; kill <= 4; kill += 1) {
      const api = await openAtWindow();
      const keys = await chain(api, [null, null, null, null]);
      let writes = 0;
      const client = intercept(api.runtime.client, (command) => {
        if (command.constructor.name !== 'UpdateCommand') return undefined;
        writes += 1;
        return writes === kill ? Promise.reject(new Error('killed')) : undefined;
      });
      const [top] = keys as [Key];
      const before = await stored(api, top);
      await change(api, top, perHour(5), { client }).catch(() => {});
      await deliver(api, keyLimiter, [changeRecord(before, await stored(api, top))]);
      for (const key of keys.slice(1)) expect(await above(api, key, keys)).toEqual({ 0: 5 });
    }
  });

  test('of two keys at the same time reaches all, in whatever order the runs come', async () => {
    const api = await openAtWindow();
    const keys = await chain(api, [perHour(90), perHour(80), perHour(70)]);
    const [top, middle, last] = keys as [Key, Key, Key];
    for (let round = 1; round <= 5; round += 1) {
      await Promise.all([change(api, top, perHour(90 - round)), change(api, middle, perHour(80 - round))]);
      expect(await above(api, last, keys)).toEqual({ 0: 90 - round, 1: 80 - round });
    }
  });

  test('costs in each of two passes two reads for a hundred newer keys, and a write for each key below; turns add nothing', {
    tags: ['long'],
  }, async () => {
    const counts: Record<string, number> = {};
    const api = await openAtWindow();
    const [top, child] = (await chain(api, [null, null])) as [Key, Key];
    const item = await stored(api, child);
    await inBatches(Array.from({ length: 249 }), 25, async () => {
      const Item = { ...item, id: api.runtime.newId('apiKey', api.runtime.nowMs()) };
      await api.runtime.client.send(new PutCommand({ TableName: api.runtime.tableNames.apiKeys, Item }));
    });
    const client = intercept(api.runtime.client, (command) => {
      const { name } = command.constructor;
      counts[name] = (counts[name] ?? 0) + 1;
      return undefined;
    });
    const record = await change(api, top, perHour(5), { client, turnMs: 0 }).catch(async () =>
      changeRecord(undefined, await stored(api, top)),
    );
    const notices = noticesOf(keyLimiter, [{ ...record, eventName: 'MODIFY' }]);
    const turn = () => endsTurn(deliverNotices({ ...api.runtime, client, turnMs: 0 }, keyLimiter, notices));
    let turns = 2;
    while (await turn()) turns += 1;
    expect([turns, counts.UpdateCommand]).toEqual([6, 250]);
    // The first page is read again after the note that it changes keys.
    expect(counts.QueryCommand).toBe(2 * (2 * 3 + 1));
  });

  test('that changes again between two turns reaches also the keys that the pass has read', {
    tags: ['long'],
  }, async () => {
    const api = await openAtWindow();
    const top = await create(api, perHour(9));
    const child = await create(api, undefined, top);
    const item = await stored(api, await create(api));
    await inBatches(Array.from({ length: 120 }), 25, async () => {
      const Item = { ...item, id: api.runtime.newId('apiKey', api.runtime.nowMs()) };
      await api.runtime.client.send(new PutCommand({ TableName: api.runtime.tableNames.apiKeys, Item }));
    });
    await expect(change(api, top, perHour(5), { turnMs: 0 })).rejects.toThrow('out of time');
    const record = { ...changeRecord(undefined, await stored(api, top)), eventName: 'MODIFY' as const };
    const notices = noticesOf(keyLimiter, [record]);
    // The second turn ends the first pass, and the third turn reads the child again.
    for (const _ of [2, 3])
      expect(await endsTurn(deliverNotices({ ...api.runtime, turnMs: 0 }, keyLimiter, notices))).toBe(true);
    await change(api, top, perHour(8));
    expect(await above(api, child, [top])).toEqual({ 0: 8 });
    const isPosition = ({ tenant }: { tenant?: unknown }) => `${tenant}`.includes('#passes');
    expect((await storedOf(api, 'apiKeys')).filter(isPosition)).toEqual([]);
  });

  test('late or twice is no harm: the run reads the limit as it is', async () => {
    const api = await openAtWindow();
    const keys = await chain(api, [perHour(50), perHour(40)]);
    const [top, child] = keys as [Key, Key];
    const first = await change(api, top, perHour(10));
    await change(api, top, perHour(20));
    await deliver(api, keyLimiter, [first, first]);
    expect(await above(api, child, keys)).toEqual({ 0: 20 });
  });
});

test('a key from before has no list until the limit above it is set, or its change is replayed', async () => {
  const api = await openAtWindow();
  const keys = await chain(api, [perHour(50), perHour(40), perHour(30)]);
  const [top, middle, last] = keys as [Key, Key, Key];
  for (const { id } of [middle, last]) {
    const Key = { tenant: `${api.organisationId}#live`, id };
    const TableName = api.runtime.tableNames.apiKeys;
    await api.runtime.client.send(
      new UpdateCommand({ TableName, Key, UpdateExpression: 'REMOVE limitedBy' }),
    );
  }
  expect(await above(api, last, keys)).toEqual({});
  // A key that it creates now counts in its own limit.
  const fresh = await create(api, undefined, last);
  expect(await above(api, fresh, keys)).toEqual({ 2: 30 });
  const replayed = changeRecord(undefined, await stored(api, top));
  await deliver(api, keyLimiter, [{ ...replayed, eventName: 'MODIFY' }]);
  expect(await above(api, last, keys)).toEqual({ 0: 50, 1: 40 });
  expect(await above(api, fresh, keys)).toEqual({ 0: 50, 1: 40, 2: 30 });
});

test('a key with a limited key above it cannot get the secret of one without that limit', async () => {
  const api = await openAtWindow();
  const [top, child] = (await chain(api, [null, null])) as [Key, Key];
  const free = await create(api, null);
  await change(api, top, perHour(50));
  const rotate = ({ id }: Key) =>
    api.call('POST', `/api-keys/${id}/rotate`, { key: child.secret, body: {}, idempotencyKey: id });
  expect((await rotate(free)).status).toBe(403);
  // A key below it counts in the same limit.
  const below = await create(api, null, child);
  expect((await rotate(below)).status).toBe(200);
});

test('what an access token creates counts in the limit of the created key only', async () => {
  const issuer = await openIssuer();
  try {
    const api = await openApiWith(issuer, {});
    const token = await api.token({ scopes: allScopes });
    const key = await create(api, perHour(5), { id: 'sub', secret: token });
    expect(await above(api, key, [])).toEqual({});
  } finally {
    await issuer.close();
  }
});
