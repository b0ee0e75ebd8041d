import { describe, expect, test } from 'vitest';
import { dayMs } from '../../../lib/time.ts';
import { openApi } from '../../support/api.ts';
import { refuses, responds } from '../../support/responses.ts';

describe('api-keys.revoke', () => {
  responds(200, 'with the revoked key, which works no longer', async () => {
    const { call, createKey } = await openApi();
    const { id, secret } = await createKey();
    const response = await call('DELETE', `/api-keys/${id}`);
    expect(response.data).toMatchObject({ id, status: 'revoked', revokedAt: expect.any(String) });
    const refused = await call('GET', '/projects', { key: secret });
    expect([refused.status, refused.error.message]).toEqual([401, 'This API key is revoked']);
    return response;
  });

  responds(200, 'again with the same, revokedAt unchanged', async () => {
    const { call, createKey, advance } = await openApi();
    const { id } = await createKey();
    const first = await call('DELETE', `/api-keys/${id}`);
    advance(dayMs);
    const response = await call('DELETE', `/api-keys/${id}`);
    expect(response.data).toEqual(first.data);
    return response;
  });

  responds(200, 'to the key itself', async () => {
    const { call, createKey } = await openApi();
    const { id, secret } = await createKey({ scopes: ['api-keys:write'] });
    const response = await call('DELETE', `/api-keys/${id}`, { key: secret });
    expect((await call('GET', '/api-keys/me', { key: secret })).status).toBe(401);
    return response;
  });

  refuses('not_found', 'a key with more projects than the caller has', async () => {
    const { call, createKey, createProject } = await openApi();
    const { id } = await createKey();
    const projectIds = [await createProject()];
    const { secret } = await createKey({ scopes: ['api-keys:write'], projectIds });
    return call('DELETE', `/api-keys/${id}`, { key: secret });
  });

  test('ten at the same time agree on when it was', async () => {
    const { call, createKey } = await openApi();
    const { id } = await createKey();
    const all = await Promise.all(Array.from({ length: 10 }, () => call('DELETE', `/api-keys/${id}`)));
    expect(new Set(all.map(({ text }) => text)).size).toBe(1);
    expect(all[0]?.status).toBe(200);
  });
});
