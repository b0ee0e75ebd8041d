import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect } from 'vitest';
import { type Json, openApi } from '../../../samples/api.ts';
import { webhookBody, webhookScopes } from '../../../samples/samples.ts';
import { call as send } from '../../../scripts/local/call.ts';
import { routesOf } from '../../../scripts/local/service.ts';
import { intercept } from '../../support/faults.ts';
import { refuses, responds } from '../../support/responses.ts';
import { openApiWith, openIssuer } from '../../support/tokens.ts';

const isRevocation = (command: unknown): boolean =>
  command instanceof UpdateCommand && JSON.stringify(command.input).includes('revokedAt');

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

  responds(200, 'with the key, although another transaction was under way', async () => {
    let conflicts = 0;
    const { call, createKey } = await openApi(({ client }) => ({
      client: intercept(client, (command) => {
        if (!isRevocation(command) || conflicts > 0) return undefined;
        conflicts += 1;
        return Promise.reject(Object.assign(new Error('conflict'), { name: 'TransactionConflictException' }));
      }),
    }));
    const { secret: key } = await createKey({ scopes: ['projects:read'] });
    const response = await call('DELETE', '/api-keys/me', { key });
    expect(conflicts).toBe(1);
    expect((await call('GET', '/projects', { key })).status).toBe(401);
    return response;
  });

  responds(200, 'with the same time, if another request revokes it first', async () => {
    const state: { other?: Json; key: string } = { key: '' };
    const { call, createKey, runtime } = await openApi(({ client }) => ({
      client: intercept(client, (command, proceed) => {
        if (!isRevocation(command) || state.other) return undefined;
        state.other = {};
        const behind = async () => {
          state.other = (await send(routes, 'DELETE', '/api-keys/me', { key: state.key })).data;
          return proceed();
        };
        return behind();
      }),
    }));
    const routes = routesOf(runtime);
    state.key = String((await createKey({ scopes: ['projects:read'] })).secret);
    const response = await call('DELETE', '/api-keys/me', { key: state.key });
    // The first use of the key is noted beside the requests, before or after they read it.
    const { lastUsedAt, lastUsedFrom } = response.data;
    expect(response.data).toEqual({ ...state.other, lastUsedAt, lastUsedFrom });
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
