/** The tokens of a job in CI, from the dev server's issuer. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { JwtVerifier } from 'aws-jwt-verify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import create from '../../functions/workload-identities/create.ts';
import { ciClaims } from '../../scripts/local/ci-tokens.ts';
import { type LocalIssuer, startIssuer } from '../../scripts/local/issuer.ts';
import { root } from '../../scripts/shared/root.ts';

const audience = 'urn:platform:org_1:live:wid_1';
const claimsOf = (query: string) => ciClaims('http://issuer', new URLSearchParams(query), 1_000_000);

describe('the claims', () => {
  test('are of one job, for five minutes', () => {
    expect(claimsOf(`audience=${audience}&api-version=2.0`)).toEqual({
      iss: 'http://issuer',
      sub: 'repo:acme@2002/shop@1001:environment:production',
      aud: audience,
      repository: 'acme/shop',
      repository_id: '1001',
      repository_owner: 'acme',
      repository_owner_id: '2002',
      ref: 'refs/heads/main',
      environment: 'production',
      event_name: 'push',
      job_workflow_ref: 'acme/shop/.github/workflows/deploy.yml@refs/heads/main',
      jti: expect.any(String),
      nbf: 999_400,
      iat: 1_000_000,
      exp: 1_000_300,
    });
  });

  test.each([
    ['environment=', 'repo:acme@2002/shop@1001:ref:refs/heads/main'],
    ['environment=&ref=refs/tags/v1', 'repo:acme@2002/shop@1001:ref:refs/tags/v1'],
    ['environment=&event_name=pull_request', 'repo:acme@2002/shop@1001:pull_request'],
    ['environment=eu:prod', 'repo:acme@2002/shop@1001:environment:eu%3Aprod'],
    ['repository=mallory/shop&repository_id=9', 'repo:mallory@2002/shop@9:environment:production'],
  ])('%s: the subject is %s', (query, sub) => {
    expect(claimsOf(query)).toMatchObject({ sub });
  });

  test('without an environment have no claim of it', () => {
    expect(claimsOf('environment=')).not.toHaveProperty('environment');
  });

  test('without an audience are for the owner of the repository, as in GitHub Actions', () => {
    expect(claimsOf('')).toMatchObject({ aud: 'https://github.com/acme' });
  });

  test.each(['iss', 'sub', 'exp', 'iat', 'repositry_id', 'constructor', '__proto__'])(
    'cannot have a chosen %s',
    (name) => {
      expect(claimsOf(`${name}=1`)).toEqual({ unknown: name });
    },
  );
});

describe('the endpoint', () => {
  let issuer: LocalIssuer;
  beforeAll(async () => {
    issuer = await startIssuer([]);
  });
  afterAll(() => issuer?.close());

  const request = (query: string, init: RequestInit = {}) =>
    fetch(`${issuer.ci.ACTIONS_ID_TOKEN_REQUEST_URL}&${query}`, {
      headers: { Authorization: `Bearer ${issuer.ci.ACTIONS_ID_TOKEN_REQUEST_TOKEN}` },
      ...init,
    });

  test('gives tokens that verify with the keys in the document of the issuer, also after a rotation', async () => {
    for (const _ of ['before', 'after']) {
      const response = await request(`audience=${audience}`);
      expect(response.status).toBe(200);
      expect(response.headers.get('cache-control')).toBe('no-store');
      const { value, count } = (await response.json()) as { value: string; count: number };
      expect(count).toBe(value.length);
      const url = `${issuer.settings.issuer}/.well-known/openid-configuration`;
      const document = (await (await fetch(url)).json()) as { issuer: string; jwks_uri: string };
      expect(document.issuer).toBe(issuer.settings.issuer);
      const verifier = JwtVerifier.create({ issuer: document.issuer, audience });
      const keys = (await (await fetch(document.jwks_uri)).json()) as Parameters<
        typeof verifier.cacheJwks
      >[0];
      // Of the private key, nothing is published.
      expect(Object.keys(keys.keys[0] ?? {}).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
      verifier.cacheJwks(keys);
      expect(verifier.verifySync(value)).toMatchObject({ repository_id: '1001' });
      await issuer.rotate();
    }
  });

  test.each([
    ['no bearer', {}],
    ['another bearer', { Authorization: 'Bearer x' }],
    ['another scheme', { Authorization: 'Basic x' }],
  ])('refuses %s', async (_, headers) => {
    const response = await request(`audience=${audience}`, { headers });
    expect(response.status).toBe(401);
    expect(await response.text()).not.toContain('eyJ');
  });

  test('names a parameter that it does not know, and the method that it has', async () => {
    const unknown = await request('repositry_id=9');
    expect(unknown.status).toBe(400);
    expect(await unknown.json()).toMatchObject({ message: expect.stringContaining('"repositry_id"') });
    const bearer = { Authorization: `Bearer ${issuer.ci.ACTIONS_ID_TOKEN_REQUEST_TOKEN}` };
    expect((await request('', { method: 'POST', headers: bearer })).status).toBe(405);
  });
});

describe('the identities in docs/ci.md', () => {
  const text = readFileSync(resolve(root, 'docs/ci.md'), 'utf8');
  const identityOf = (heading: string) => {
    const section = text.split(`\n## ${heading}\n`)[1] ?? '';
    return JSON.parse(/```json\n([\s\S]*?)```/.exec(section)?.[1] ?? '') as {
      subject: string;
      claims: Record<string, string>;
    };
  };

  test.each(['GitHub Actions', 'GitLab', 'Buildkite'])('%s: can be created', (heading) => {
    const projectIds = ['proj_01JZ4Y7Q8R5T2V9W3X6B0C1D4E'];
    const parsed = create.request.body?.safeParse({ ...identityOf(heading), projectIds });
    expect(parsed?.error).toBeUndefined();
  });

  test('GitHub Actions: the dev server issues such a token', () => {
    const { subject, claims } = identityOf('GitHub Actions');
    expect(claimsOf('environment=production')).toMatchObject({ sub: subject, ...claims });
  });
});
