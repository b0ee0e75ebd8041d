import { afterAll, describe, expect } from 'vitest';
import { rootScopes } from '../../../lib/base/scopes.ts';
import { dayMs } from '../../../lib/base/time.ts';
import { openApi, type TestApi, toLoopback } from '../../../samples/api.ts';
import { identityBody, webhookBody } from '../../../samples/samples.ts';
import keyRevoker from '../../../workers/key-revoker.ts';
import { refuses, responds } from '../../support/responses.ts';
import { handleAll } from '../../support/suspensions.ts';
import { createIdentity, openWorkloadIssuer, tokenFor } from '../../support/workloads.ts';

const path = '/workload-identities';
const issuer = await openWorkloadIssuer();
afterAll(() => issuer.close());

/** @returns an identity with all scopes, and a function that makes tokens for it */
async function open() {
  const api = await openApi(toLoopback);
  const identity = await createIdentity(api, issuer.url, { scopes: rootScopes });
  const [signer] = issuer.signers;
  if (!signer) throw new Error('the issuer has no key');
  return { api, identity, token: (claims = {}) => tokenFor(api, identity, signer, claims) };
}

/** A key with a key below it, a webhook and an identity, each with another subject of the same identity. */
async function startThings({ call, createKey }: TestApi, token: (claims?: object) => string) {
  const key = await createKey({ scopes: ['api-keys:write'] }, token());
  const below = await createKey({ scopes: ['api-keys:read'] }, key.secret);
  const { data: webhook } = await call('POST', '/webhooks', { key: token(), body: webhookBody });
  const { data: identity } = await call('POST', path, { key: token(), body: identityBody });
  return { keys: [key.id, below.id], webhook: `${webhook.id}`, identity: `${identity.id}` };
}

describe('workload-identities.delete', () => {
  responds(200, 'with the deleted identity, whose tokens work no longer', async () => {
    const { api, identity, token } = await open();
    const response = await api.call('DELETE', `${path}/${identity.id}`);
    expect(response.data).toMatchObject({ status: 'deleted', deletedAt: expect.any(String), webhooks: 0 });
    expect((await api.call('GET', '/me', { key: token() })).status).toBe(401);
    return response;
  });

  responds(200, 'again with the same, deletedAt unchanged', async () => {
    const { call, advance } = await openApi();
    const { data } = await call('POST', path, { body: identityBody });
    const first = await call('DELETE', `${path}/${data.id}`);
    advance(dayMs);
    const response = await call('DELETE', `${path}/${data.id}`);
    expect(response.data).toEqual(first.data);
    return response;
  });

  responds(200, 'to the identity itself', async () => {
    const { api, identity, token } = await open();
    return api.call('DELETE', `${path}/${identity.id}`, { key: token() });
  });

  responds(200, 'with what would end, and changes nothing, with dryRun=true', async () => {
    const { api, identity, token } = await open();
    await startThings(api, token);
    const response = await api.call('DELETE', `${path}/${identity.id}?dryRun=true&children=true`);
    expect(response.data).toMatchObject({ status: 'active', webhooks: 1, children: 3 });
    expect((await api.call('GET', '/me', { key: token() })).status).toBe(200);
    return response;
  });

  responds(202, 'and then ends the keys and identities below it, with children=true', async () => {
    const { api, identity, token } = await open();
    const things = await startThings(api, token);
    const response = await api.call('DELETE', `${path}/${identity.id}?children=true`);
    await handleAll(api, keyRevoker, 'apiKeys', ({ id }) => id === identity.id);
    for (const id of things.keys)
      expect((await api.call('GET', `/api-keys/${id}`)).data.status).toBe('revoked');
    expect((await api.call('GET', `${path}/${things.identity}`)).data.status).toBe('deleted');
    expect((await api.call('GET', `/webhooks/${things.webhook}`)).data.disabledReason).toBe('key_revoked');
    expect((await api.call('GET', `${path}/${identity.id}`)).data.childrenRevocation).toMatchObject({
      finishedAt: expect.any(String),
      revoked: 3,
      skipped: 0,
      webhookIds: [things.webhook],
    });
    return response;
  });

  refuses('insufficient_scope', 'an identity with a scope that the caller does not have', async () => {
    const { api, identity } = await open();
    const { secret: key } = await api.createKey({ scopes: ['api-keys:write'] });
    return api.call('DELETE', `${path}/${identity.id}`, { key });
  });

  refuses('last_key', 'children=true, if no other key can create keys', async () => {
    const { api, identity, token } = await open();
    const { id: root } = (await api.call('GET', '/api-keys/me')).data;
    const { secret: key } = await api.createKey({ scopes: rootScopes }, token());
    expect((await api.call('DELETE', `/api-keys/${root}`, { key })).status).toBe(200);
    // The identity itself can go: it is no key.
    expect((await api.call('DELETE', `${path}/${identity.id}?dryRun=true`, { key })).status).toBe(200);
    return api.call('DELETE', `${path}/${identity.id}?children=true`, { key });
  });

  refuses('not_found', 'an identity with more projects than the caller has', async () => {
    const { call, createKey, createProject } = await openApi();
    const { data } = await call('POST', path, { body: identityBody });
    const projectIds = [await createProject()];
    const { secret: key } = await createKey({ scopes: ['api-keys:write'], projectIds });
    return call('DELETE', `${path}/${data.id}`, { key });
  });
});
