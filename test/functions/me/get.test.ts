import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hourMs } from '../../../lib/base/time.ts';
import { openApi } from '../../../samples/api.ts';
import { responds } from '../../support/responses.ts';
import { openApiWith, openIssuer, type TestIssuer } from '../../support/tokens.ts';

let issuer: TestIssuer;

beforeAll(async () => {
  issuer = await openIssuer();
});
afterAll(() => issuer.close());

describe('me.get', () => {
  responds(200, 'with a key that is bound to projects', async () => {
    const api = await openApi();
    const projectIds = [await api.createProject()];
    const { id, secret: key } = await api.createKey({
      scopes: ['projects:read'],
      projectIds,
      expiresIn: '1d',
    });
    const response = await api.call('GET', '/me', { key });
    const { data } = await api.call('GET', '/api-keys/me', { key });
    expect(response.data).toEqual({
      kind: 'api_key',
      id,
      organisationId: api.organisationId,
      organisationName: 'Test',
      mode: 'live',
      scopes: ['projects:read'],
      projectIds,
      environments: null,
      subject: null,
      expiresAt: data.expiresAt,
    });
    return response;
  });

  responds(200, 'with a root key in test mode, which does not expire', async () => {
    const api = await openApi();
    const response = await api.call('GET', '/me', { key: await api.testModeKey() });
    expect(response.data).toMatchObject({ kind: 'api_key', mode: 'test', projectIds: null, expiresAt: null });
    return response;
  });

  responds(200, 'with an access token', async () => {
    const api = await openApiWith(issuer, {});
    const response = await api.call('GET', '/me', { key: await api.token({ scopes: ['audit:read'] }) });
    expect(response.data).toMatchObject({
      kind: 'access_token',
      id: expect.stringMatching(/^sub:/),
      organisationId: api.organisationId,
      organisationName: 'Test',
      scopes: ['audit:read'],
      projectIds: null,
    });
    expect(Date.parse(String(response.data.expiresAt))).toBeGreaterThan(api.runtime.nowMs());
    return response;
  });

  responds(200, 'with an access token that has no scope', async () => {
    const api = await openApiWith(issuer, {});
    const response = await api.call('GET', '/me', { key: await api.token({ scopes: [] }) });
    expect(response.data.scopes).toEqual([]);
    return response;
  });

  test('an old secret sees its own end', async () => {
    const { call, createKey } = await openApi();
    const { id, secret } = await createKey({ expiresIn: '30d' });
    const { data } = await call('POST', `/api-keys/${id}/rotate`, { body: { overlap: '1h' } });
    expect((await call('GET', '/me', { key: secret })).data.expiresAt).toBe(data.previousSecretExpiresAt);
    const fresh = await call('GET', '/me', { key: String(data.secret) });
    expect(fresh.data.expiresAt).toBe(data.expiresAt);
    expect(Date.parse(String(data.previousSecretExpiresAt))).toBeLessThan(Date.now() + 2 * hourMs);
  });
});
