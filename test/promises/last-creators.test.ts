/** A key that can create keys always stays, also after simultaneous requests, unless a request asks for the opposite. */

import { describe, expect, test } from 'vitest';
import { rootScopes } from '../../lib/base/scopes.ts';
import { type Json, openApi, storedOf, type TestApi } from '../../samples/api.ts';
import { changeRecord } from '../../samples/stream-records.ts';
import keyRevoker from '../../workers/key-revoker.ts';
import { intercept } from '../support/faults.ts';
import { deliver } from '../support/workers.ts';

type Key = { id: string; secret: string };
type Act = (api: TestApi, key: Key) => Promise<{ status: number }>;

/** The ways to take `api-keys:write` from tenants that a caller has not to force. */
const acts: Record<string, Act> = {
  'a revocation': ({ call }, { id, secret: key }) => call('DELETE', `/api-keys/${id}`, { key }),
  'a revocation with children': ({ call }, { id, secret: key }) =>
    call('DELETE', `/api-keys/${id}?children=true`, { key }),
  'a change of scopes': ({ call }, { id, secret: key }) =>
    call('PATCH', `/api-keys/${id}`, { key, body: { scopes: ['projects:read'] } }),
};
const pairs = Object.keys(acts).flatMap((first, index) =>
  Object.keys(acts)
    .slice(index)
    .map((second) => [first, second] as const),
);

/** An API whose first changes of keys are written only when as many have begun as `count` says. */
async function openWithBarrier() {
  const barrier = { count: 0, begun: 0, open: () => {}, opened: Promise.resolve() };
  const api = await openApi(({ client }) => ({
    client: intercept(client, ({ input }, proceed) => {
      if (barrier.begun >= barrier.count || !/revokedAt|#scopes/.test(JSON.stringify(input)))
        return undefined;
      if (!JSON.stringify(input).includes('Update')) return undefined;
      barrier.begun += 1;
      if (barrier.begun === barrier.count) barrier.open();
      return barrier.opened.then(proceed);
    }),
  }));
  const close = (count: number) => {
    barrier.opened = new Promise((resolve) => {
      barrier.open = resolve;
    });
    Object.assign(barrier, { count, begun: 0 });
  };
  return { api, close };
}

const activeCreators = async (api: TestApi): Promise<Json[]> =>
  (await storedOf(api, 'apiKeys')).filter(
    ({ revokedAt, scopes }) => revokedAt === null && (scopes as string[]).includes('api-keys:write'),
  );

/** Does the work that the requests have asked of the workers. */
async function settle(api: TestApi): Promise<void> {
  const records = (await storedOf(api, 'apiKeys')).map((key) => changeRecord(undefined, key));
  await deliver(api, keyRevoker, records);
}

describe.each(pairs)('%s and %s at the same time', (first, second) => {
  test('of the last two keys that can create keys: one is refused', async () => {
    const { api, close } = await openWithBarrier();
    const keys = [await api.createKey({ scopes: rootScopes }), await api.createKey({ scopes: rootScopes })];
    await api.call('DELETE', '/api-keys/me');
    close(2);
    const responses = await Promise.all(
      [first, second].map((name, index) => acts[name]?.(api, keys[index] as Key)),
    );
    await settle(api);
    expect(responses.map((response) => response?.status).filter((status) => status === 409)).toHaveLength(1);
    expect(await activeCreators(api)).toHaveLength(1);
  });
});

test('ten revocations at the same time leave one of ten keys', async () => {
  const { api, close } = await openWithBarrier();
  const keys = [];
  for (let made = 0; made < 10; made += 1) keys.push(await api.createKey({ scopes: rootScopes }));
  await api.call('DELETE', '/api-keys/me');
  close(10);
  const responses = await Promise.all(
    keys.map(({ id, secret: key }) => api.call('DELETE', `/api-keys/${id}`, { key })),
  );
  expect(responses.filter(({ status }) => status === 200).length).toBeLessThan(10);
  expect((await activeCreators(api)).length).toBeGreaterThan(0);
});

test('a key that a worker is going to end with its creator does not count as one that is left', async () => {
  const { api, close } = await openWithBarrier();
  const parent = await api.createKey({ scopes: rootScopes });
  const other = await api.createKey({ scopes: rootScopes });
  await api.createKey({ scopes: rootScopes }, parent.secret);
  await api.call('DELETE', '/api-keys/me');
  close(2);
  const responses = await Promise.all([
    api.call('DELETE', `/api-keys/${parent.id}?children=true`, { key: parent.secret }),
    api.call('DELETE', `/api-keys/${other.id}`, { key: other.secret }),
  ]);
  await settle(api);
  expect(responses.filter(({ status }) => status === 409)).toHaveLength(1);
  expect((await activeCreators(api)).length).toBeGreaterThan(0);
});

test('force=true and DELETE /api-keys/me end the last one', async () => {
  for (const path of ['/api-keys/me', undefined]) {
    const api = await openApi();
    const root = await api.call('GET', '/api-keys/me');
    expect((await api.call('DELETE', path ?? `/api-keys/${root.data.id}?force=true`)).status).toBe(200);
    expect(await activeCreators(api)).toEqual([]);
  }
});
