import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, describe, expect, test } from 'vitest';
import { maxIdentities } from '../../../lib/api-keys/workload-identities/store.ts';
import { rootScopes } from '../../../lib/base/scopes.ts';
import { dayMs, timestamp } from '../../../lib/base/time.ts';
import { numbered } from '../../../lib/dynamodb/places.ts';
import { type Json, openApi, storedOf, toLoopback } from '../../../samples/api.ts';
import { identityBody } from '../../../samples/samples.ts';
import { refuses, responds } from '../../support/responses.ts';
import {
  createIdentity,
  documentPath,
  jwkOf,
  newSigner,
  openWorkloadIssuer,
  tokenFor,
} from '../../support/workloads.ts';

const path = '/workload-identities';
const issuer = await openWorkloadIssuer();
afterAll(() => issuer.close());

describe('workload-identities.create', () => {
  responds(201, 'with the audience, and without what only the service needs', async () => {
    const { call, organisationId, rootKey } = await openApi();
    const response = await call('POST', path, { body: identityBody });
    const { id } = response.data;
    const me = await call('GET', '/me', { key: rootKey });
    expect(response.data).toEqual({
      ...identityBody,
      id: expect.stringMatching(/^wid_/),
      audience: `urn:platform:${organisationId}:live:${id}`,
      projectIds: null,
      environments: null,
      allowedCidrs: null,
      rateLimit: null,
      expiresAt: null,
      status: 'active',
      createdBy: me.data.id,
      createdAt: expect.any(String),
      updatedAt: response.data.createdAt,
      deletedAt: null,
      lastUsedAt: null,
      lastUsedFrom: null,
      childrenRevocation: null,
    });
    return response;
  });

  responds(201, 'with its issuer as it was sent: tokens have the same text', async () => {
    const api = await openApi();
    const text = 'https://Login.example.com:443/a/../b';
    const response = await api.call('POST', path, { body: { ...identityBody, issuer: text } });
    expect(response.data).toMatchObject({ issuer: text });
    const [stored] = (await storedOf(api, 'apiKeys')).filter(({ id }) => id === response.data.id);
    expect(stored).toMatchObject({ issuer: text });
    return response;
  });

  responds(201, 'after its issuer was read once, and stores its keys', async () => {
    const api = await openApi(toLoopback);
    const before = issuer.requests.length;
    const body = { ...identityBody, issuer: issuer.url, jwks: null };
    const response = await api.call('POST', path, { body });
    expect(issuer.requests.slice(before)).toEqual([documentPath, '/keys']);
    expect(response.data.jwks).toBeNull();
    expect(response.text).not.toContain('issuerKeys');
    const [stored] = (await storedOf(api, 'apiKeys')).filter(({ id }) => id === response.data.id);
    expect(stored).toMatchObject({ jwksUri: `${issuer.url}/keys`, issuerKeys: { keys: [{ kid: 'first' }] } });
    return response;
  });

  responds(
    201,
    'with the projects, addresses, limit and end of the caller, if nothing else is said',
    async () => {
      const { call, createKey, createProject } = await openApi();
      const projectIds = [await createProject()];
      const bounds = {
        projectIds,
        allowedCidrs: ['0.0.0.0/0', '::/0'],
        rateLimit: { requests: 50, per: '1s' },
      };
      const { id, secret: key } = await createKey({ scopes: ['api-keys:write'], expiresIn: '1d', ...bounds });
      const { data } = await call('GET', `/api-keys/${id}`);
      const response = await call('POST', path, {
        key,
        body: { ...identityBody, scopes: ['api-keys:read'] },
      });
      expect(response.data).toMatchObject({ ...bounds, expiresAt: data.expiresAt, createdBy: id });
      return response;
    },
  );

  refuses(
    'insufficient_scope',
    'more scopes, projects, addresses, requests or time than the caller has',
    async () => {
      const { call, createKey, createProject } = await openApi();
      const [mine, other] = [await createProject(), await createProject()];
      const { secret: key } = await createKey({
        scopes: ['api-keys:write', 'projects:read'],
        expiresIn: '1d',
        projectIds: [mine],
        allowedCidrs: ['0.0.0.0/0', '::/0'],
        rateLimit: { requests: 5000, per: '1s' },
      });
      const body = { ...identityBody, scopes: ['projects:read'] };
      const more: Json[] = [
        { scopes: ['deploy:read'] },
        { projectIds: [other] },
        { rateLimit: null },
        { rateLimit: { requests: 5001, per: '1s' } },
        { expiresAt: null },
        { expiresAt: timestamp(Date.now() + 2 * dayMs) },
      ];
      for (const one of more) {
        const { error } = await call('POST', path, { key, body: { ...body, ...one } });
        expect([one, error.code]).toEqual([one, 'insufficient_scope']);
      }
      expect((await call('POST', path, { key, body })).status).toBe(201);
      const { secret: narrow } = await createKey({
        scopes: ['api-keys:write'],
        allowedCidrs: ['127.0.0.0/8'],
      });
      return call('POST', path, {
        key: narrow,
        sourceIp: '127.0.0.1',
        body: { ...identityBody, scopes: ['api-keys:read'], allowedCidrs: ['0.0.0.0/0'] },
      });
    },
  );

  refuses('not_found', 'a project that does not exist', async () => {
    const { call } = await openApi();
    return call('POST', path, {
      body: { ...identityBody, projectIds: ['proj_01JZ4Y7Q8R5T2V9W3X6B0C1D4E'] },
    });
  });

  refuses('too_many_identities', 'a tenant whose places are all taken', async () => {
    const api = await openApi();
    const { data } = await api.call('POST', path, { body: identityBody });
    const take = (id: string) =>
      api.runtime.client.send(
        new PutCommand({
          TableName: api.runtime.tableNames.apiKeys,
          Item: { tenant: `${api.organisationId}#live#places`, id, identityId: data.id, changedIn: 'test' },
        }),
      );
    await Promise.all(numbered(maxIdentities).map(take));
    return api.call('POST', path, { body: identityBody });
  });

  refuses(
    'too_many_identities',
    'more than a tenant may have, until one has ended',
    async () => {
      const { call } = await openApi();
      const made: string[] = [];
      while (made.length < maxIdentities) {
        const some = Array.from({ length: 10 }, () => call('POST', path, { body: identityBody }));
        for (const { status, data, text } of await Promise.all(some)) {
          expect(status, text).toBe(201);
          made.push(`${data.id}`);
        }
      }
      expect((await call('POST', path, { body: identityBody })).status).toBe(409);
      await call('DELETE', `${path}/${made[7]}`);
      // A suspended identity has not ended.
      await call('PATCH', `${path}/${made[8]}`, { body: { status: 'suspended' } });
      expect((await call('POST', path, { body: identityBody })).status).toBe(201);
      return call('POST', path, { body: identityBody });
    },
    { tags: ['long'] },
  );
});

/** By what is wrong: the fields of the body, and the field in the error. */
const wrong: Readonly<Record<string, [Json, string]>> = {
  'an issuer without TLS': [{ issuer: 'http://acme.example' }, 'issuer'],
  'an issuer in a private network': [{ issuer: 'https://10.0.0.1' }, 'issuer'],
  'an issuer with a query': [{ issuer: 'https://acme.example/?a=b' }, 'issuer'],
  'an issuer with a fragment': [{ issuer: 'https://acme.example/#a' }, 'issuer'],
  'an issuer that is too long': [{ issuer: `https://acme.example/${'a'.repeat(255)}` }, 'issuer'],
  'a subject with a wildcard for the owner': [{ subject: 'repo:*:ref:refs' }, 'subject'],
  'a subject with two wildcards in a segment': [{ subject: 'repo:acme/site:a*b*' }, 'subject'],
  'a subject that is not ASCII': [{ subject: 'repo:ächme/site' }, 'subject'],
  'an empty subject': [{ subject: '' }, 'subject'],
  'a subject that is too long': [{ subject: 'a'.repeat(256) }, 'subject'],
  'a claim that the service checks': [{ claims: { aud: 'x' } }, 'claims'],
  'a claim that is an object': [{ claims: { a: {} } }, 'claims.a'],
  'a claim that is too long': [{ claims: { a: 'a'.repeat(256) } }, 'claims.a'],
  'too many claims': [
    { claims: Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`c${index}`, 1])) },
    'claims',
  ],
  'an end that is over': [{ expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
  'a state that nobody can set': [{ status: 'deleted' }, 'status'],
  'no keys': [{ jwks: { keys: [] } }, 'jwks.keys'],
  'a private key': [{ jwks: { keys: [{ ...identityBody.jwks.keys[0], d: 'AQAB' }] } }, 'jwks'],
  'a shared secret': [{ jwks: { keys: [{ kty: 'oct', kid: 'k', k: 'AQAB' }] } }, 'jwks'],
  'a field that does not exist': [{ audience: 'urn:platform:x' }, 'audience'],
};

test.each(Object.entries(wrong))('400 validation_error: %s', async (_, [fields, field]) => {
  const { call } = await openApi();
  const response = await call('POST', path, { body: { ...identityBody, ...fields } });
  expect(response.error.code, response.text).toBe('validation_error');
  expect((response.error.details as { path: string }[]).map((detail) => detail.path)).toContain(field);
});

test('400 validation_error: a claim of another type says which types there are', async () => {
  const { call } = await openApi();
  const response = await call('POST', path, {
    body: { ...identityBody, claims: { a: {}, b: null, c: 'a'.repeat(256) } },
  });
  expect(response.error.details).toEqual([
    { path: 'claims.a', message: 'must be text, a number, or true or false' },
    { path: 'claims.b', message: 'must be text, a number, or true or false' },
    { path: 'claims.c', message: 'must be at most 255 characters' },
  ]);
});

/** By the reason: what the issuer sends in place of its document. */
const documents: Readonly<Record<string, unknown>> = {
  'names another issuer': { issuer: 'https://acme.example', jwks_uri: `${issuer.url}/keys` },
  'without the address of its keys': { issuer: issuer.url },
  'is in a private network': { issuer: issuer.url, jwks_uri: 'https://10.0.0.1/keys' },
};

test.each(Object.entries(documents))('400 validation_error: a document: %s', async (_, document) => {
  const { call } = await openApi(toLoopback);
  issuer.answers.set(documentPath, (_request, response) => void response.end(JSON.stringify(document)));
  const response = await call('POST', path, { body: { ...identityBody, issuer: issuer.url, jwks: null } });
  issuer.answers.clear();
  expect(response.error.details, response.text).toEqual([
    { path: 'issuer', message: expect.stringMatching(/^the issuer has a document /) },
  ]);
  expect((await call('GET', path)).data.items).toEqual([]);
});

test('a token of a new identity is accepted, and everything that it does names it and its subject', async () => {
  const api = await openApi(toLoopback);
  const signer = newSigner('ES256', 'k');
  const jwks = { keys: [jwkOf(signer)] };
  const identity = await createIdentity(api, 'https://oidc.acme.example', { scopes: rootScopes, jwks });
  const key = tokenFor(api, identity, signer);
  const principal = `${identity.id}:repo:acme/bots:environment:production`;
  const me = await api.call('GET', '/me', { key });
  expect(me.data).toMatchObject({
    kind: 'workload_identity',
    id: identity.id,
    subject: 'repo:acme/bots:environment:production',
  });
  const { data: project } = await api.call('POST', '/projects', { key, body: { name: 'by CI' } });
  expect(project.createdBy).toBe(principal);
  const { data: child } = await api.call('POST', '/api-keys', {
    key,
    body: { name: 'child', scopes: ['projects:read'] },
  });
  expect(child.createdBy).toBe(principal);
  const list = await api.call('GET', `/api-keys?createdBy=${identity.id}`);
  expect((list.data.items as Json[]).map(({ id }) => id)).toEqual([child.id]);
  expect((await api.call('GET', '/api-keys/me', { key })).status).toBe(404);
  const sealed = { key, idempotencyKey: 'sealed', body: { name: 'sealed', scopes: ['projects:read'] } };
  const first = await api.call('POST', '/api-keys', sealed);
  expect((await api.call('POST', '/api-keys', sealed)).data.secret).toBe(first.data.secret);
  const other = tokenFor(api, identity, signer, { jti: 'another' });
  const replay = await api.call('POST', '/api-keys', { ...sealed, key: other });
  expect([replay.status, replay.error.code]).toEqual([409, 'secret_unavailable']);
});
