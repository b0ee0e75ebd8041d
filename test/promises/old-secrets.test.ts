/**
 * The rights of the old secret of a key during its overlap. A key or secret that it creates or rotates ends with it, and it
 * cannot take the key from its owner, who has the current secret.
 */

import { describe, expect, test } from 'vitest';
import { endpoints } from '../../functions/index.ts';
import { allScopes, setsIn } from '../../lib/base/scopes.ts';
import { dayMs, hourMs, minuteMs } from '../../lib/base/time.ts';
import { type ApiResponse, type CallOptions, openApi, type TestApi } from '../../samples/api.ts';
import { identityBody } from '../../samples/samples.ts';

const statusOf = async ({ call }: Pick<TestApi, 'call'>, key: string) =>
  (await call('GET', '/api-keys/me', { key })).status;

/** A key whose old secret is valid for one more hour. */
async function openRotated(body: object = {}) {
  const api = await openApi();
  const { id, secret: old } = await api.createKey({ scopes: allScopes, expiresIn: '30d', ...body });
  const rotated = await api.call('POST', `/api-keys/${id}/rotate`, { body: { overlap: '1h' } });
  const current = String(rotated.data.secret);
  const send = (method: string, path: string, options: CallOptions) =>
    api.call(method, path, { idempotencyKey: crypto.randomUUID(), ...options });
  return { api, id, old, current, endsAt: Date.parse(`${rotated.data.previousSecretExpiresAt}`), send };
}

/** The greediest bodies for endpoints that make or change keys. */
const bodies: Readonly<Record<string, readonly object[]>> = {
  'api-keys.create': ['1h', '364d', undefined].flatMap((expiresIn) => [
    { name: 'k', scopes: allScopes, ...(expiresIn && { expiresIn }) },
  ]),
  'api-keys.rotate': [
    {},
    { overlap: '7d' },
    { overlap: '7d', endPrevious: true },
    { overlap: '0s', endPrevious: true },
  ],
  'api-keys.update': [
    { expiresIn: '365d' },
    { scopes: ['api-keys:write'] },
    { name: 'mine' },
    { rateLimit: null },
  ],
  'workload-identities.create': [{}, { expiresAt: null }, { expiresAt: '2999-01-01T00:00:00Z' }].map(
    (end) => ({ ...identityBody, scopes: allScopes, ...end }),
  ),
  'workload-identities.update': [
    { expiresAt: null },
    { subject: 'repo:attacker/repo:ref:refs/heads/main' },
    { issuer: 'https://issuer.attacker.example' },
    { status: 'active' },
  ],
};

const changing = endpoints.filter(
  ({ auth, method, path }) =>
    method !== 'GET' &&
    method !== 'DELETE' &&
    (setsIn(auth).flat().includes('api-keys:write') || path.startsWith('/api-keys')),
);

describe.each(changing.map((endpoint) => [endpoint.id, endpoint] as const))('%s', (id, { method, path }) => {
  test('gives an old secret nothing that outlives it, and takes nothing from the owner', async () => {
    const greedy = bodies[id];
    if (!greedy) throw new Error(`say in this test what is the most that a caller can ask ${id} for`);
    const { api, id: own, old, current, endsAt, send } = await openRotated();
    const peer = await api.createKey({ scopes: allScopes, expiresIn: '30d' });
    const { data: identity } = await api.call('POST', '/workload-identities', {
      body: { ...identityBody, scopes: allScopes },
    });
    const before = [await api.call('GET', `/api-keys/${own}`), await api.call('GET', `/api-keys/${peer.id}`)];
    // A key that the old secret creates may act for it.
    const { secret: child } = await api.createKey({ scopes: allScopes }, old);

    const gained: string[] = [];
    const identities: ApiResponse['data'][] = [];
    const note = ({ data }: ApiResponse) => {
      if (data?.secret) gained.push(String(data.secret));
      if (data?.issuer && data.id !== identity.id) identities.push(data);
    };
    const targets = path.includes('{identity_id}') ? [String(identity.id)] : [own, peer.id];
    for (const key of [old, child]) {
      for (const target of targets) {
        for (const body of greedy)
          note(await send(method, path.replace(/\{(key|identity)_id\}/, target), { key, body }));
      }
    }
    for (const { expiresAt } of identities) expect(Date.parse(String(expiresAt))).toBeLessThanOrEqual(endsAt);
    if (id === 'workload-identities.create') expect(identities.length).toBeGreaterThan(0);
    const { data: kept } = await api.call('GET', `/workload-identities/${identity.id}`);
    const trusted = ({ issuer, subject, expiresAt, status }: ApiResponse['data']) => ({
      issuer,
      subject,
      expiresAt,
      status,
    });
    expect(trusted(kept)).toEqual(trusted(identity));
    for (const secret of gained) {
      const { data } = await api.call('GET', '/api-keys/me', { key: secret });
      expect(Date.parse(String(data.expiresAt))).toBeLessThanOrEqual(endsAt);
    }
    // The child can also take away rights that it holds, but gains nothing by that.
    const after = await api.call('GET', `/api-keys/${own}`);
    expect([after.data.expiresAt, after.data.hint]).toEqual([
      before[0]?.data.expiresAt,
      before[0]?.data.hint,
    ]);
    expect((await api.call('GET', `/api-keys/${peer.id}`)).data.expiresAt).toBe(before[1]?.data.expiresAt);

    api.advance(endsAt - api.runtime.nowMs());
    for (const secret of [old, child, ...gained]) expect(await statusOf(api, secret)).toBe(401);
    expect([await statusOf(api, current), await statusOf(api, peer.secret)]).toEqual([200, 200]);
  });
});

describe('an old secret', () => {
  test('cannot rotate its key: 403, which names the reason', async () => {
    const { api, id, old, current, send } = await openRotated();
    const response = await send('POST', `/api-keys/${id}/rotate`, { key: old, body: {} });
    expect([response.status, response.error.code]).toEqual([403, 'insufficient_scope']);
    expect(response.error.message).toContain('current secret');
    expect([await statusOf(api, old), await statusOf(api, current)]).toEqual([200, 200]);
  });

  test('cannot change its key, not even its name', async () => {
    const { id, old, current, send } = await openRotated();
    const bodies = [
      { name: 'mine' },
      { scopes: ['api-keys:write'] },
      { expiresIn: '1h' },
      { rateLimit: null },
    ];
    for (const body of bodies) {
      const response = await send('PATCH', `/api-keys/${id}`, { key: old, body });
      expect([response.status, response.error.code], JSON.stringify(body)).toEqual([
        403,
        'insufficient_scope',
      ]);
    }
    expect((await send('PATCH', `/api-keys/${id}`, { key: current, body: { name: 'mine' } })).status).toBe(
      200,
    );
  });

  test('creates keys that end with it by default, and none that is asked to live longer', async () => {
    const { old, endsAt, send } = await openRotated();
    const create = (expiresIn?: string) =>
      send('POST', '/api-keys', {
        key: old,
        body: { name: 'k', scopes: ['projects:read'], ...(expiresIn && { expiresIn }) },
      });
    const created = await create();
    expect(Date.parse(String(created.data.expiresAt))).toBeLessThanOrEqual(endsAt);
    expect((await create('364d')).status).toBe(403);
  });

  test('that lives as long as its key creates nothing that holds as much as the key', async () => {
    const { api, id, old, current, send } = await openRotated({ expiresIn: '1h' });
    const { secret: child } = await api.createKey({ scopes: allScopes }, old);
    const response = await send('POST', `/api-keys/${id}/rotate`, {
      key: child,
      body: { overlap: '0s', endPrevious: true },
    });
    expect(response.status, response.text).toBe(403);
    expect(await statusOf(api, current)).toBe(200);
  });

  test('can revoke its key, as whoever finds a leaked one', async () => {
    for (const path of ['me', undefined]) {
      const { api, id, old, current } = await openRotated();
      expect((await api.call('DELETE', `/api-keys/${path ?? id}`, { key: old })).status).toBe(200);
      expect(await statusOf(api, current)).toBe(401);
    }
  });

  test('that another rotation ends creates nothing in a request that has already started', async () => {
    let meanwhile: (() => Promise<unknown>) | undefined;
    const api = await openApi(({ client }) => ({
      client: {
        send: (async (command: { constructor: { name: string } }, ...rest: never[]) => {
          const act = command.constructor.name === 'TransactWriteCommand' ? meanwhile : undefined;
          if (act) meanwhile = undefined;
          await act?.();
          return client.send(command as never, ...rest);
        }) as never,
      },
    }));
    const { id, secret: old } = await api.createKey({ scopes: allScopes });
    await api.call('POST', `/api-keys/${id}/rotate`, { body: {} });
    meanwhile = () => api.call('POST', `/api-keys/${id}/rotate`, { body: { overlap: 0, endPrevious: true } });
    const body = { name: 'late', scopes: ['projects:read'] };
    const late = await api.call('POST', '/api-keys', { key: old, body, idempotencyKey: 'late' });
    expect(late.status).toBeGreaterThanOrEqual(400);
    expect(await statusOf(api, old)).toBe(401);
    const { items } = (await api.call('GET', '/api-keys')).data as { items: { name: string }[] };
    expect(items.map(({ name }) => name)).not.toContain('late');
  });
});

describe('a rotation of the calling key', () => {
  test('is returned again to the old secret, with the same Idempotency-Key, until that ends', async () => {
    const api = await openApi();
    const { id, secret } = await api.createKey({ scopes: ['api-keys:write'] });
    const request = { key: secret, body: { overlap: '2h' }, idempotencyKey: 'rotate-1' };
    const first = await api.call('POST', `/api-keys/${id}/rotate`, request);
    expect(first.status, first.text).toBe(200);
    api.advance(hourMs);
    const again = await api.call('POST', `/api-keys/${id}/rotate`, request);
    expect([again.text, again.headers['Idempotent-Replayed']]).toEqual([first.text, 'true']);
    api.advance(hourMs);
    expect((await api.call('POST', `/api-keys/${id}/rotate`, request)).status).toBe(401);
    expect(await statusOf(api, String(first.data.secret))).toBe(200);
  });

  test('twice at the same time: one takes effect, and the other ends no secret', async () => {
    const api = await openApi();
    const { id, secret } = await api.createKey({ scopes: ['api-keys:write'] });
    const rotate = (idempotencyKey: string) =>
      api.call('POST', `/api-keys/${id}/rotate`, { key: secret, body: {}, idempotencyKey });
    const all = await Promise.all(['a', 'b', 'c', 'd'].map(rotate));
    const statuses = all.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 403, 403, 403]);
    const won = all.find(({ status }) => status === 200);
    expect([await statusOf(api, secret), await statusOf(api, String(won?.data.secret))]).toEqual([200, 200]);
  });
});

describe('two rotations', () => {
  test('at the same time: one takes effect, and the other gets 409 with the end of the old secret', async () => {
    const api = await openApi();
    const { id, secret } = await api.createKey();
    const rotate = () => api.call('POST', `/api-keys/${id}/rotate`, { body: {} });
    const all = await Promise.all([rotate(), rotate(), rotate(), rotate()]);
    expect(all.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    const won = all.find(({ status }) => status === 200);
    for (const { status, error } of all) {
      if (status === 200) continue;
      expect([error.code, error.details]).toEqual([
        'previous_secret_valid',
        [{ path: 'previousSecretExpiresAt', message: won?.data.previousSecretExpiresAt }],
      ]);
    }
    expect([await statusOf(api, secret), await statusOf(api, String(won?.data.secret))]).toEqual([200, 200]);
  });

  test('one after the other: the second needs endPrevious until the old secret has ended, also without an overlap', async () => {
    const api = await openApi();
    const { id, secret } = await api.createKey();
    const rotate = (body: object, idempotencyKey?: string) =>
      api.call('POST', `/api-keys/${id}/rotate`, { body, ...(idempotencyKey && { idempotencyKey }) });
    const first = await rotate({ overlap: '2h' }, 'first');
    for (const overlap of ['24h', '0s', '0', 0]) expect((await rotate({ overlap })).status).toBe(409);
    expect((await rotate({ endPrevious: false })).status).toBe(409);
    // A repetition is not affected.
    expect((await rotate({ overlap: '2h' }, 'first')).text).toBe(first.text);
    const second = await rotate({ overlap: '1h', endPrevious: true });
    const secrets = [secret, String(first.data.secret), String(second.data.secret)];
    expect(await Promise.all(secrets.map((one) => statusOf(api, one)))).toEqual([401, 200, 200]);
    const third = await rotate({ overlap: '0s', endPrevious: true });
    secrets.push(String(third.data.secret));
    expect(await Promise.all(secrets.map((one) => statusOf(api, one)))).toEqual([401, 401, 401, 200]);
    expect((await rotate({ overlap: '1h' })).status).toBe(200);
    api.advance(hourMs + minuteMs);
    expect((await rotate({ overlap: '1h' })).status).toBe(200);
    api.advance(dayMs);
    expect((await rotate({ overlap: '0s' })).status).toBe(200);
  });
});

describe('nobody makes a key as small as itself, and then rotates it', () => {
  const manager = { scopes: ['api-keys:write'] };
  const takeOver = async (api: TestApi, key: string, id: string, change: object) => {
    const changed = await api.call('PATCH', `/api-keys/${id}`, { key, body: change });
    const body = { overlap: '0s', endPrevious: true };
    const rotated = await api.call('POST', `/api-keys/${id}/rotate`, { key, body });
    return [changed.status, rotated.status];
  };

  test('with the old secret of another key', async () => {
    const api = await openApi();
    const victim = await api.createKey({ ...manager, expiresIn: '365d' });
    const { id, secret: old } = await api.createKey(manager);
    await api.call('POST', `/api-keys/${id}/rotate`, { body: { overlap: '7d' } });
    expect(await takeOver(api, old, victim.id, { expiresIn: '167h' })).toEqual([403, 403]);
    expect(await statusOf(api, victim.secret)).toBe(200);
  });

  test('with a key that an old secret has created', async () => {
    const api = await openApi();
    const { id, secret: old } = await api.createKey(manager);
    const rotated = await api.call('POST', `/api-keys/${id}/rotate`, { body: { overlap: '2h' } });
    const child = await api.createKey(manager, old);
    expect(await takeOver(api, child.secret, id, { expiresIn: '1h' })).toEqual([403, 403]);
    expect(await statusOf(api, String(rotated.data.secret))).toBe(200);
  });

  test.each([
    ['requests', { rateLimit: { requests: 5, per: '1m' } }],
    ['addresses', { allowedCidrs: ['127.0.0.0/8'] }],
  ])('with a key that has fewer %s', async (_, restriction) => {
    const api = await openApi();
    const victim = await api.createKey(manager);
    const { secret } = await api.createKey({ ...manager, ...restriction });
    expect(await takeOver(api, secret, victim.id, restriction)).toEqual([403, 403]);
    expect(await statusOf(api, victim.secret)).toBe(200);
  });

  test('a key with fewer scopes does not even rename it', async () => {
    const api = await openApi();
    const victim = await api.createKey({ scopes: ['api-keys:write', 'projects:read'] });
    const { secret: key } = await api.createKey(manager);
    const body = { name: 'owned' };
    expect((await api.call('PATCH', `/api-keys/${victim.id}`, { key, body })).status).toBe(403);
  });
});
