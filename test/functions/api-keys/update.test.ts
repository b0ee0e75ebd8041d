import { describe, expect, test } from 'vitest';
import { dayMs, hourMs } from '../../../lib/base/time.ts';
import { openApi } from '../../../samples/api.ts';
import { refuses, responds } from '../../support/responses.ts';

describe('api-keys.update', () => {
  responds(200, 'with the new name and scopes, in force from the next request on', async () => {
    const { call, createKey } = await openApi();
    const { id, secret } = await createKey({ scopes: ['projects:read'] });
    const body = { name: 'renamed', scopes: ['audit:read'] };
    const response = await call('PATCH', `/api-keys/${id}`, { body });
    expect(response.data).toMatchObject(body);
    expect((await call('GET', `/api-keys/${id}`)).data).toEqual(response.data);
    expect((await call('GET', '/projects', { key: secret })).error.code).toBe('insufficient_scope');
    return response;
  });

  refuses('insufficient_scope', 'a caller who holds less than the key, whatever it changes', async () => {
    const { call, createKey } = await openApi();
    const { id } = await createKey({ scopes: ['projects:write', 'deploy:write'], expiresIn: '365d' });
    const { secret } = await createKey({ scopes: ['api-keys:write'] });
    return call('PATCH', `/api-keys/${id}`, { key: secret, body: { name: 'renamed' } });
  });

  responds(
    200,
    'to a caller whose credential ends earlier, while nothing is added or restricted',
    async () => {
      const { call, createKey } = await openApi();
      const scopes = ['api-keys:write', 'deploy:write'];
      const { id } = await createKey({ scopes, expiresIn: '365d' });
      const { secret: key } = await createKey({ scopes, expiresIn: '1h' });
      return call('PATCH', `/api-keys/${id}`, { key, body: { name: 'renamed', scopes: ['deploy:write'] } });
    },
  );

  responds(200, 'with a new expiry, counted from now', async () => {
    const { call, createKey, advance } = await openApi();
    const { id, secret } = await createKey({ scopes: ['audit:read'], expiresIn: '1d' });
    const response = await call('PATCH', `/api-keys/${id}`, { body: { expiresIn: '3d' } });
    expect(Date.parse(response.data.expiresAt as string) - Date.now()).toBeGreaterThan(2 * dayMs);
    advance(2 * dayMs);
    expect((await call('GET', '/api-keys/me', { key: secret })).status).toBe(200);
    await call('PATCH', `/api-keys/${id}`, { body: { expiresIn: '1h' } });
    advance(hourMs);
    expect((await call('GET', '/api-keys/me', { key: secret })).status).toBe(401);
    return response;
  });

  responds(200, 'with another limit, and without one', async () => {
    const { call, createKey } = await openApi();
    const { id } = await createKey({ scopes: ['audit:read'], rateLimit: { requests: 5, per: '1s' } });
    const change = (rateLimit: unknown) => call('PATCH', `/api-keys/${id}`, { body: { rateLimit } });
    expect((await change(null)).data.rateLimit).toBeNull();
    expect((await call('GET', `/api-keys/${id}`)).data.rateLimit).toBeNull();
    expect((await call('PATCH', `/api-keys/${id}`, { body: { name: 'n' } })).data.rateLimit).toBeNull();
    const response = await change({ requests: 9, per: '1h' });
    expect((await call('GET', `/api-keys/${id}`)).data.rateLimit).toEqual({ requests: 9, per: '1h' });
    return response;
  });

  refuses('insufficient_scope', 'a higher limit than that of the caller, also for itself', async () => {
    const { call, createKey } = await openApi();
    const rateLimit = { requests: 50, per: '1s' };
    const scopes = ['api-keys:write'];
    // It ends no later than the caller.
    const { id: other } = await createKey({ scopes, rateLimit: { requests: 1, per: '1s' } });
    const { id: own, secret: key } = await createKey({ scopes, rateLimit });
    const change = (id: string, rateLimit: unknown) =>
      call('PATCH', `/api-keys/${id}`, { key, body: { rateLimit } });
    for (const id of [own, other]) {
      expect((await change(id, null)).error.code).toBe('insufficient_scope');
      expect((await change(id, { requests: 51, per: '1s' })).error.code).toBe('insufficient_scope');
    }
    expect((await change(other, { requests: 50, per: '1s' })).status).toBe(200);
    return change(other, { requests: 3001, per: '1m' });
  });

  refuses('insufficient_scope', 'a lower limit for a key that holds more than the caller', async () => {
    const { call, createKey } = await openApi();
    const { id } = await createKey({ scopes: ['projects:write'] });
    const { secret: key } = await createKey({ scopes: ['api-keys:write'] });
    return call('PATCH', `/api-keys/${id}`, { key, body: { rateLimit: { requests: 1, per: '1h' } } });
  });

  responds(200, 'to a key that shortens its own life', async () => {
    const { call, createKey } = await openApi();
    const { id, secret } = await createKey({ scopes: ['api-keys:write'] });
    return call('PATCH', `/api-keys/${id}`, { key: secret, body: { expiresIn: '1h' } });
  });

  refuses(
    'insufficient_scope',
    'a life that is longer than that of the caller, also for itself',
    async () => {
      const { call, createKey } = await openApi();
      const { id } = await createKey({ scopes: ['api-keys:write'], expiresIn: '1h' });
      const { id: own, secret } = await createKey({ scopes: ['api-keys:write'], expiresIn: '1d' });
      const body = { expiresIn: '2d' };
      const response = await call('PATCH', `/api-keys/${own}`, { key: secret, body });
      expect(response.error.code).toBe('insufficient_scope');
      return call('PATCH', `/api-keys/${id}`, { key: secret, body });
    },
  );

  refuses('insufficient_scope', 'a longer life for scopes that the caller does not hold', async () => {
    const { call, createKey } = await openApi();
    const { id } = await createKey({ scopes: ['projects:write'], expiresIn: '1h' });
    const { secret } = await createKey({ scopes: ['api-keys:write'] });
    return call('PATCH', `/api-keys/${id}`, { key: secret, body: { expiresIn: '1d' } });
  });

  for (const body of [{ scopes: ['projects:read'] }, { expiresIn: '1h' }]) {
    refuses('insufficient_scope', `to take from a key that holds more: ${JSON.stringify(body)}`, async () => {
      const { call, createKey } = await openApi();
      const { id } = await createKey({ scopes: ['projects:write'] });
      const { secret } = await createKey({ scopes: ['api-keys:write', 'projects:read'] });
      return call('PATCH', `/api-keys/${id}`, { key: secret, body });
    });
  }

  responds(
    200,
    'with new addresses, in force from the next request on, and null for everywhere',
    async () => {
      const { call, createKey } = await openApi();
      const { id, secret } = await createKey();
      const status = async () => (await call('GET', '/api-keys/me', { key: secret })).status;
      const path = `/api-keys/${id}`;
      const narrowed = await call('PATCH', path, { body: { allowedCidrs: ['192.0.2.0/24'] } });
      expect([narrowed.data.allowedCidrs, await status()]).toEqual([['192.0.2.0/24'], 401]);
      await call('PATCH', path, { body: { allowedCidrs: ['192.0.2.0/24', '127.0.0.1/32'] } });
      expect(await status()).toBe(200);
      const response = await call('PATCH', path, { body: { allowedCidrs: null } });
      expect(response.data.allowedCidrs).toBeNull();
      expect((await call('GET', path)).data.allowedCidrs).toBeNull();
      return response;
    },
  );

  for (const allowedCidrs of [null, ['0.0.0.0/0'], ['127.0.0.0/7']]) {
    refuses('insufficient_scope', `wider addresses, also for itself: ${allowedCidrs}`, async () => {
      const { call, createKey } = await openApi();
      const bound = { scopes: ['api-keys:write'], allowedCidrs: ['127.0.0.0/8'] };
      const { id: own, secret } = await createKey(bound);
      const { id } = await createKey(bound);
      const request = { key: secret, body: { allowedCidrs } };
      expect((await call('PATCH', `/api-keys/${own}`, request)).error.code).toBe('insufficient_scope');
      return call('PATCH', `/api-keys/${id}`, request);
    });
  }

  refuses('insufficient_scope', 'addresses for scopes that the caller does not have', async () => {
    const { call, createKey } = await openApi();
    const { id } = await createKey({ scopes: ['projects:write'], allowedCidrs: ['192.0.2.0/24'] });
    const { secret } = await createKey({ scopes: ['api-keys:write'] });
    return call('PATCH', `/api-keys/${id}`, { key: secret, body: { allowedCidrs: ['0.0.0.0/0'] } });
  });

  responds(200, 'to the key itself', async () => {
    const { call, createKey } = await openApi();
    const { id, secret } = await createKey({ scopes: ['api-keys:write', 'projects:write'] });
    const body = { scopes: ['projects:read'] };
    return call('PATCH', `/api-keys/${id}`, { key: secret, body });
  });

  refuses('insufficient_scope', 'a scope that the caller does not hold, also for itself', async () => {
    const { call, createKey } = await openApi();
    const { id, secret } = await createKey({ scopes: ['api-keys:write', 'projects:read'] });
    const response = await call('PATCH', `/api-keys/${id}`, {
      key: secret,
      body: { scopes: ['api-keys:write', 'projects:write'] },
    });
    expect(response.error.message).toContain('projects:write');
    expect((await call('GET', `/api-keys/${id}`)).data.scopes).toEqual(['api-keys:write', 'projects:read']);
    return response;
  });

  refuses('insufficient_scope', 'a scope for a key that outlives the caller', async () => {
    const { call, createKey } = await openApi();
    const { id } = await createKey({ scopes: ['audit:read'], expiresIn: '365d' });
    const { secret } = await createKey({ scopes: ['api-keys:write', 'projects:read'], expiresIn: '1d' });
    return call('PATCH', `/api-keys/${id}`, { key: secret, body: { scopes: ['projects:read'] } });
  });

  refuses('not_found', 'a key with more projects than the caller has', async () => {
    const { call, createKey, createProject } = await openApi();
    const { id } = await createKey({ scopes: ['audit:read'] });
    const projectIds = [await createProject()];
    const { secret } = await createKey({ scopes: ['api-keys:write'], projectIds });
    return call('PATCH', `/api-keys/${id}`, { key: secret, body: { name: 'x' } });
  });

  refuses('last_key', 'to take api-keys:write from the last key that has it', async () => {
    const { call } = await openApi();
    const root = await call('GET', '/api-keys/me');
    const response = await call('PATCH', `/api-keys/${root.data.id}`, {
      body: { scopes: ['projects:read'] },
    });
    expect((await call('GET', '/api-keys/me')).data.scopes).toContain('api-keys:write');
    return response;
  });

  refuses('key_not_active', 'a revoked key', async () => {
    const { call, createKey } = await openApi();
    const { id } = await createKey();
    await call('DELETE', `/api-keys/${id}`);
    return call('PATCH', `/api-keys/${id}`, { body: { name: 'x' } });
  });

  refuses('key_not_active', 'an expired key', async () => {
    const { call, createKey, advance } = await openApi();
    const { id } = await createKey({ expiresIn: '1d' });
    advance(dayMs);
    return call('PATCH', `/api-keys/${id}`, { body: { name: 'x' } });
  });

  test.each([
    [{}, ''],
    [{ name: '' }, 'name'],
    [{ scopes: [] }, 'scopes'],
    [{ scopes: ['projects:admin'] }, 'scopes.0'],
    [{ expiresIn: '366d' }, 'expiresIn'],
    [{ projectIds: null }, 'projectIds'],
    [{ status: 'active' }, 'status'],
  ])('400 validation_error: %j', async (body, path) => {
    const { call, createKey } = await openApi();
    const { error } = await call('PATCH', `/api-keys/${(await createKey()).id}`, { body });
    expect(error.details?.map((detail) => detail.path)).toEqual([path]);
  });

  test('a key that is revoked while it is changed stays revoked', async () => {
    const { call, createKey } = await openApi();
    const { id, secret } = await createKey();
    await Promise.all([
      ...Array.from({ length: 5 }, (_, n) => call('PATCH', `/api-keys/${id}`, { body: { name: `n${n}` } })),
      call('DELETE', `/api-keys/${id}`),
    ]);
    expect((await call('GET', `/api-keys/${id}`)).data.status).toBe('revoked');
    expect((await call('GET', '/projects', { key: secret })).status).toBe(401);
  });
});
