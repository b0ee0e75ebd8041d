import { describe, expect, test } from 'vitest';
import { dayMs } from '../../../lib/time.ts';
import { openApi } from '../../support/api.ts';
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

  responds(200, 'to a caller who holds less than the key, while nothing is added', async () => {
    const { call, createKey } = await openApi();
    const { id } = await createKey({ scopes: ['projects:write', 'deploy:write'], expiresIn: '365d' });
    const { secret } = await createKey({ scopes: ['api-keys:write'] });
    const body = { name: 'renamed', scopes: ['projects:read', 'deploy:write'] };
    return call('PATCH', `/api-keys/${id}`, { key: secret, body });
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
    [{ expiresIn: '1d' }, 'expiresIn'],
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
