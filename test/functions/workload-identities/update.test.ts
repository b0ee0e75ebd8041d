import { afterAll, describe, expect, test } from 'vitest';
import { rootScopes } from '../../../lib/base/scopes.ts';
import { dayMs, hourMs, timestamp } from '../../../lib/base/time.ts';
import { type Json, openApi, storedOf, toLoopback } from '../../../samples/api.ts';
import { identityBody } from '../../../samples/samples.ts';
import { refuses, responds } from '../../support/responses.ts';
import { createIdentity, openWorkloadIssuer, tokenFor } from '../../support/workloads.ts';

const path = '/workload-identities';
const issuer = await openWorkloadIssuer();
afterAll(() => issuer.close());

const tokenOf = (api: Parameters<typeof tokenFor>[0], identity: Parameters<typeof tokenFor>[1]) => {
  const [signer] = issuer.signers;
  if (!signer) throw new Error('the issuer has no key');
  return tokenFor(api, identity, signer);
};

describe('workload-identities.update', () => {
  responds(200, 'with the new fields, in force from the next request on', async () => {
    const api = await openApi(toLoopback);
    const identity = await createIdentity(api, issuer.url);
    const key = tokenOf(api, identity);
    const change = (body: Json) => api.call('PATCH', `${path}/${identity.id}`, { body });
    const statusOf = async () => (await api.call('GET', '/projects', { key })).status;
    expect(await statusOf()).toBe(200);
    for (const [body, undo] of [
      [{ subject: 'repo:acme/other' }, { subject: 'repo:acme/bots:environment:production' }],
      [{ claims: { environment: 'staging' } }, { claims: {} }],
      [{ status: 'suspended' }, { status: 'active' }],
      [{ allowedCidrs: ['192.0.2.0/24'] }, { allowedCidrs: null }],
    ] as const) {
      expect((await change(body)).data).toMatchObject(body);
      expect([body, await statusOf()]).toEqual([body, 401]);
      await change(undo);
      expect([undo, await statusOf()]).toEqual([undo, 200]);
    }
    const response = await change({ scopes: ['deploy:read'], name: 'renamed' });
    expect(await statusOf()).toBe(403);
    expect((await api.call('GET', `${path}/${identity.id}`)).data).toEqual({
      ...response.data,
      lastUsedAt: expect.any(String),
      lastUsedFrom: expect.anything(),
    });
    return response;
  });

  responds(200, 'with the keys that it is given, and with those of its issuer again', async () => {
    const api = await openApi(toLoopback);
    const { id } = await createIdentity(api, issuer.url);
    const stored = async () => (await storedOf(api, 'apiKeys')).find((item) => item.id === id);
    const { jwks } = identityBody;
    await api.call('PATCH', `${path}/${id}`, { body: { jwks } });
    expect(await stored()).toMatchObject({ jwks });
    expect(Object.keys((await stored()) ?? {})).not.toContain('issuerKeys');
    const response = await api.call('PATCH', `${path}/${id}`, { body: { jwks: null } });
    expect(await stored()).toMatchObject({ jwks: null, issuerKeys: { keys: [{ kid: 'first' }] } });
    return response;
  });

  refuses('identity_ended', 'a deleted identity, and an expired identity', async () => {
    const { call, advance } = await openApi();
    const expiresAt = timestamp(Date.now() + hourMs);
    const { data } = await call('POST', path, { body: { ...identityBody, expiresAt } });
    const { data: other } = await call('POST', path, { body: identityBody });
    await call('DELETE', `${path}/${other.id}`);
    const body = { status: 'active' };
    expect((await call('PATCH', `${path}/${other.id}`, { body })).error.code).toBe('identity_ended');
    advance(hourMs);
    return call('PATCH', `${path}/${data.id}`, { body });
  });

  refuses('insufficient_scope', 'a caller that could not create the identity as it is then', async () => {
    const { call, createKey } = await openApi();
    const { data } = await call('POST', path, { body: identityBody });
    const scopes = ['api-keys:write', ...identityBody.scopes];
    const { secret: few } = await createKey({ scopes: ['api-keys:write'] });
    // It ends earlier than the identity.
    const { secret: key } = await createKey({ scopes });
    const change = (body: Json, by: string) => call('PATCH', `${path}/${data.id}`, { key: by, body });
    expect((await change({ name: 'n' }, few)).status).toBe(403);
    expect((await change({ name: 'n' }, key)).status).toBe(200);
    expect((await change({ status: 'suspended' }, key)).status).toBe(200);
    for (const body of [
      { status: 'active' },
      { subject: 'repo:mallory/site' },
      { claims: {} },
      { issuer: 'https://oidc.mallory.example' },
      { jwks: identityBody.jwks },
      { expiresAt: timestamp(Date.now() + dayMs) },
      { rateLimit: { requests: 1, per: '1h' } },
    ]) {
      expect([body, (await change(body, key)).error.code]).toEqual([body, 'insufficient_scope']);
    }
    return change({ scopes: ['projects:read', 'audit:read'] }, key);
  });

  refuses('insufficient_scope', 'an identity that changes itself', async () => {
    const api = await openApi(toLoopback);
    const identity = await createIdentity(api, issuer.url, { scopes: rootScopes });
    const key = tokenOf(api, identity);
    return api.call('PATCH', `${path}/${identity.id}`, { key, body: { name: 'mine' } });
  });
});

test('400 validation_error: an issuer that cannot be read. The identity stays as it is', async () => {
  const { call } = await openApi(toLoopback);
  const { data } = await call('POST', path, { body: identityBody });
  const response = await call('PATCH', `${path}/${data.id}`, {
    body: { issuer: `${issuer.url}/other`, jwks: null },
  });
  expect(response.error.details).toEqual([
    { path: 'issuer', message: expect.stringMatching(/^the issuer has no document/) },
  ]);
  expect((await call('GET', `${path}/${data.id}`)).data).toEqual(data);
});
