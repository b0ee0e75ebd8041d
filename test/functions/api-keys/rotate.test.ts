import { describe, expect, test } from 'vitest';
import { dayMs, hourMs } from '../../../lib/base/time.ts';
import { openApi } from '../../../samples/api.ts';
import { refuses, responds } from '../../support/responses.ts';

const rotate = (id: string) => ['POST', `/api-keys/${id}/rotate`] as const;

describe('api-keys.rotate', () => {
  responds(200, 'with a new secret of the same key; the old one is valid for another day', async () => {
    const { call, createKey, advance } = await openApi();
    const { id, secret: old } = await createKey({ scopes: ['projects:read'] });
    const before = await call('GET', `/api-keys/${id}`);
    const response = await call(...rotate(id), { body: {} });
    const { secret, hint, previousSecretExpiresAt, ...rest } = response.data as Record<string, string>;
    expect(before.data).toMatchObject(rest);
    expect(hint).toBe(`sk_live_…${secret?.slice(-4)}`);
    expect(secret).not.toBe(old);
    const status = async (key: string) => (await call('GET', '/projects', { key })).status;
    expect([await status(secret ?? ''), await status(old)]).toEqual([200, 200]);
    advance(dayMs - hourMs);
    expect([await status(secret ?? ''), await status(old)]).toEqual([200, 200]);
    advance(hourMs);
    expect([await status(secret ?? ''), await status(old)]).toEqual([200, 401]);
    const after = await call('GET', `/api-keys/${id}`);
    expect([previousSecretExpiresAt, after.data.previousSecretExpiresAt]).toEqual([expect.any(String), null]);
    return response;
  });

  responds(200, 'without a body, which is the same as an empty one', async () => {
    const { call, createKey } = await openApi();
    const { id, secret } = await createKey();
    const first = await call(...rotate(id), { idempotencyKey: 'once' });
    expect((await call(...rotate(id), { idempotencyKey: 'once', body: {} })).text).toBe(first.text);
    expect((await call('GET', '/api-keys/me', { key: secret })).status).toBe(200);
    return first;
  });

  responds(200, 'and ends the old secret at once, without an overlap', async () => {
    const { call, createKey } = await openApi();
    const { id, secret } = await createKey();
    for (const overlap of ['0s', '0', 0]) {
      const response = await call(...rotate(id), { body: { overlap } });
      expect(response.data.previousSecretExpiresAt).toBeNull();
    }
    expect((await call('GET', '/api-keys/me', { key: secret })).error.message).toBe('Unknown API key');
    return call(...rotate(id), { body: { overlap: '0' } });
  });

  responds(200, 'again, and ends the older secret at once, if the body says so', async () => {
    const { call, createKey } = await openApi();
    const { id, secret: first } = await createKey();
    const second = await call(...rotate(id), { body: { overlap: '7d' } });
    const third = await call(...rotate(id), { body: { overlap: '7d', endPrevious: true } });
    const statuses = [first, second.data.secret, third.data.secret].map(
      async (key) => (await call('GET', '/api-keys/me', { key: String(key) })).status,
    );
    expect(await Promise.all(statuses)).toEqual([401, 200, 200]);
    return third;
  });

  refuses('previous_secret_valid', 'another one while the old secret is valid', async () => {
    const { call, createKey } = await openApi();
    const { id, secret } = await createKey();
    const first = await call(...rotate(id), { body: { overlap: '7d' } });
    const response = await call(...rotate(id), { body: {} });
    const message = first.data.previousSecretExpiresAt;
    expect(response.error.details).toEqual([{ path: 'previousSecretExpiresAt', message }]);
    expect((await call('GET', '/api-keys/me', { key: secret })).status).toBe(200);
    return response;
  });

  responds(200, 'to the key itself, whose old secret can ask for the same again', async () => {
    const { call, createKey } = await openApi();
    const { id, secret } = await createKey({ scopes: ['api-keys:write'] });
    const request = { key: secret, body: { overlap: '1h' }, idempotencyKey: 'once' };
    await call(...rotate(id), request);
    const response = await call(...rotate(id), request);
    const statuses = [secret, response.data.secret].map(
      async (key) => (await call('GET', '/api-keys/me', { key: String(key) })).status,
    );
    expect(await Promise.all(statuses)).toEqual([200, 200]);
    return response;
  });

  refuses('idempotency_key_required', 'a key that rotates itself without one', async () => {
    const { call, createKey } = await openApi();
    const { id, secret } = await createKey({ scopes: ['api-keys:write'] });
    const response = await call(...rotate(id), { key: secret, body: {} });
    expect((await call('GET', `/api-keys/${id}`)).data.previousSecretExpiresAt).toBeNull();
    return response;
  });

  responds(200, 'with an old secret that is valid no longer than the key', async () => {
    const { call, createKey } = await openApi();
    const { id } = await createKey({ scopes: ['projects:read'], expiresIn: '2h' });
    const response = await call(...rotate(id), { body: { overlap: '24h' } });
    expect(response.data.previousSecretExpiresAt).toBe(response.data.expiresAt);
    return response;
  });

  refuses('overlap_required', 'a key that would end its own secret', async () => {
    const { call, createKey } = await openApi();
    const { id, secret } = await createKey({ scopes: ['api-keys:write'] });
    return call(...rotate(id), { key: secret, body: { overlap: '0' }, idempotencyKey: 'once' });
  });

  refuses('key_not_active', 'a revoked key', async () => {
    const { call, createKey } = await openApi();
    const { id } = await createKey();
    await call('DELETE', `/api-keys/${id}`);
    return call(...rotate(id), { body: {} });
  });

  refuses('insufficient_scope', 'a key with more scopes than the caller has', async () => {
    const { call, createKey } = await openApi();
    const { secret } = await createKey({ scopes: ['api-keys:write'] });
    const { id } = await createKey({ scopes: ['projects:read'] });
    return call(...rotate(id), { key: secret, body: {} });
  });

  refuses('insufficient_scope', 'a key that is valid for longer than the caller', async () => {
    const { call, createKey } = await openApi();
    const { secret } = await createKey({ scopes: ['api-keys:write'], expiresIn: '1h' });
    const { id } = await createKey({ scopes: ['api-keys:write'], expiresIn: '2h' });
    return call(...rotate(id), { key: secret, body: {} });
  });

  refuses('insufficient_scope', 'a key for more addresses than the caller has', async () => {
    const { call, createKey } = await openApi();
    const scopes = ['api-keys:write'];
    const { secret } = await createKey({ scopes, allowedCidrs: ['127.0.0.0/8'] });
    const narrow = await createKey({ scopes, allowedCidrs: ['127.0.0.1/32'], expiresIn: '1d' });
    expect((await call(...rotate(narrow.id), { key: secret, body: {} })).status).toBe(200);
    const { id } = await createKey({ scopes, expiresIn: '1d' });
    return call(...rotate(id), { key: secret, body: {} });
  });

  refuses('not_found', 'a key with more projects than the caller has', async () => {
    const { call, createKey, createProject } = await openApi();
    const { id } = await createKey();
    const projectIds = [await createProject()];
    const { secret } = await createKey({ scopes: ['api-keys:write'], projectIds });
    return call(...rotate(id), { key: secret, body: {} });
  });

  refuses('secret_unavailable', 'a repetition with another credential, which gets the rest', async () => {
    const { call, createKey } = await openApi();
    const { id } = await createKey();
    const request = { body: {}, idempotencyKey: 'once' };
    const first = await call(...rotate(id), request);
    const { secret } = await createKey({ scopes: ['api-keys:write', 'projects:read'] });
    const response = await call(...rotate(id), { ...request, key: secret });
    const { secret: _, ...rest } = first.data;
    expect(response.error.resource).toEqual(rest);
    expect(response.error.message).toContain('To get a new secret, rotate it');
    return response;
  });

  test('a key that repeats its own rotation needs the secret that it used', async () => {
    const { call, createKey, advance } = await openApi();
    const { id, secret: old } = await createKey({ scopes: ['api-keys:write'] });
    const request = { body: { overlap: '1h' }, idempotencyKey: 'once' };
    const first = await call(...rotate(id), { ...request, key: old });
    const fresh = String(first.data.secret);
    expect((await call(...rotate(id), { ...request, key: old })).text).toBe(first.text);
    expect((await call(...rotate(id), { ...request, key: fresh })).error.code).toBe('secret_unavailable');
    advance(hourMs);
    expect((await call(...rotate(id), { ...request, key: old })).error.message).toBe('Unknown API key');
    expect((await call('GET', '/api-keys/me', { key: fresh })).status).toBe(200);
  });

  test('a repetition after another rotation gets the first response, and ends no secret', async () => {
    const { call, createKey } = await openApi();
    const { id } = await createKey();
    const request = { body: {}, idempotencyKey: 'once' };
    const first = await call(...rotate(id), request);
    const second = await call(...rotate(id), { body: { overlap: '0', endPrevious: true } });
    expect((await call(...rotate(id), request)).text).toBe(first.text);
    const status = async (key: unknown) => (await call('GET', '/api-keys/me', { key: String(key) })).status;
    expect([await status(first.data.secret), await status(second.data.secret)]).toEqual([401, 200]);
  });

  for (const overlap of ['8d', '30m', '00', '0h', '1s', 1, null, '']) {
    refuses('validation_error', `the overlap ${JSON.stringify(overlap)}`, async () => {
      const { call, createKey } = await openApi();
      const { id } = await createKey();
      return call(...rotate(id), { body: { overlap } });
    });
  }

  for (const endPrevious of ['true', 1, null]) {
    refuses('validation_error', `the endPrevious ${JSON.stringify(endPrevious)}`, async () => {
      const { call, createKey } = await openApi();
      const { id } = await createKey();
      return call(...rotate(id), { body: { endPrevious } });
    });
  }

  test('fifty at the same time with one Idempotency-Key give one secret', async () => {
    const { call, createKey } = await openApi();
    const { id, secret } = await createKey({ scopes: ['api-keys:write'] });
    const once = () =>
      call(...rotate(id), { key: secret, body: {}, headers: { 'Idempotency-Key': 'rotate' } });
    const all = await Promise.all(Array.from({ length: 50 }, once));
    expect(new Set(all.map(({ status, data }) => `${status} ${data.secret}`)).size).toBe(1);
    const [first] = all;
    const statuses = [secret, String(first?.data.secret)].map(
      async (key) => (await call('GET', '/api-keys/me', { key })).status,
    );
    expect(await Promise.all(statuses)).toEqual([200, 200]);
    expect(Date.parse(String(first?.data.previousSecretExpiresAt))).toBeGreaterThan(hourMs);
  });
});
