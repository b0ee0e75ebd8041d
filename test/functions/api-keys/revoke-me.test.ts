import { describe, expect } from 'vitest';
import { openApi } from '../../support/api.ts';
import { refuses, responds } from '../../support/responses.ts';
import { webhookBody, webhookScopes } from '../../support/samples.ts';
import { openApiWith, openIssuer } from '../../support/tokens.ts';

describe('api-keys.revoke-me', () => {
  responds(200, 'with the key of the request, which works no longer, whatever its scopes', async () => {
    const { call, createKey } = await openApi();
    const { id, secret } = await createKey({ scopes: ['audit:read'] });
    const response = await call('DELETE', '/api-keys/me', { key: secret });
    expect(response.data).toMatchObject({ id, status: 'revoked', revokedAt: expect.any(String) });
    expect(response.text).not.toContain(secret);
    expect((await call('DELETE', '/api-keys/me', { key: secret })).status).toBe(401);
    return response;
  });

  responds(200, 'with the number of the webhooks that it leaves on', async () => {
    const { call, createKey } = await openApi();
    const { secret: key } = await createKey({ scopes: webhookScopes });
    await call('POST', '/webhooks', { key, body: webhookBody });
    const response = await call('DELETE', '/api-keys/me', { key });
    expect(response.data).toMatchObject({ status: 'revoked', webhooks: 1, children: null });
    return response;
  });

  responds(200, 'to the last key that can create keys', async () => {
    const { call } = await openApi();
    const response = await call('DELETE', '/api-keys/me');
    expect((await call('GET', '/api-keys/me')).status).toBe(401);
    return response;
  });

  responds(200, 'to the old secret of a rotated key, and ends both', async () => {
    const { call, createKey } = await openApi();
    const { id, secret } = await createKey({ scopes: ['audit:read'] });
    const { data } = await call('POST', `/api-keys/${id}/rotate`, { body: {} });
    const response = await call('DELETE', '/api-keys/me', { key: secret });
    expect((await call('GET', '/api-keys/me', { key: String(data.secret) })).status).toBe(401);
    return response;
  });

  refuses('not_found', 'an access token, which has no key', async () => {
    const issuer = await openIssuer();
    try {
      const api = await openApiWith(issuer, {});
      return await api.call('DELETE', '/api-keys/me', { key: await api.token({ scopes: [] }) });
    } finally {
      issuer.close();
    }
  });
});
