import { describe, expect } from 'vitest';
import { openApi } from '../../../samples/api.ts';
import { refuses, responds } from '../../support/responses.ts';

describe('api-keys.get', () => {
  responds(200, 'with the key, without its secret', async () => {
    const { call } = await openApi();
    const created = await call('POST', '/api-keys', { body: { name: 'ci', scopes: ['projects:read'] } });
    const { secret, ...key } = created.data;
    const response = await call('GET', `/api-keys/${key.id}`);
    expect(response.data).toEqual(key);
    expect(response.text).not.toContain(secret as string);
    return response;
  });

  responds(200, 'with a revoked key', async () => {
    const { call, createKey } = await openApi();
    const { id } = await createKey();
    await call('DELETE', `/api-keys/${id}`);
    const response = await call('GET', `/api-keys/${id}`);
    expect(response.data.status).toBe('revoked');
    return response;
  });

  refuses('not_found', 'an id that nobody has', async () => {
    const { call } = await openApi();
    return call('GET', '/api-keys/key_01JZ4Y7Q8R5T2V9W3X6B0C1D4E');
  });

  refuses('not_found', 'a key with more projects than the caller has', async () => {
    const { call, createKey, createProject, rootKey } = await openApi();
    const { data: root } = await call('GET', '/api-keys/me', { key: rootKey });
    const projectIds = [await createProject()];
    const { secret } = await createKey({ scopes: ['api-keys:read'], projectIds });
    return call('GET', `/api-keys/${root.id}`, { key: secret });
  });
});
