/** Access tokens of a real OIDC provider are accepted wherever keys are. Other tokens are refused. */

import { generateKeyPairSync } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { endpoints } from '../../functions/index.ts';
import { render } from '../../lib/base/log.ts';
import { allScopes, setsIn } from '../../lib/base/scopes.ts';
import { dayMs } from '../../lib/base/time.ts';
import { openApi } from '../../samples/api.ts';
import { type Sample, sampleOf } from '../../samples/samples.ts';
import { refuses, responds } from '../support/responses.ts';
import { openApiWith, openIssuer, signJwt, type TestIssuer } from '../support/tokens.ts';
import { walkOptions } from '../support/walks.ts';

let issuer: TestIssuer;
const open = (settings: Parameters<typeof openApiWith>[1] = {}) => openApiWith(issuer, settings);

beforeAll(async () => {
  issuer = await openIssuer();
});
afterAll(() => issuer.close());

const taking = endpoints.filter(({ auth }) => auth !== 'public');

describe('every endpoint', () => {
  let api: Awaited<ReturnType<typeof open>>;
  /** Of the issuer, for all scopes and for none. */
  let tokens: { all: string; none: string };
  let unknownKey: ReturnType<typeof otherKey>;

  beforeAll(async () => {
    api = await open();
    unknownKey = otherKey();
    tokens = { all: await api.token({ scopes: allScopes }), none: await api.token({ scopes: [] }) };
  });

  describe.each(taking.map((endpoint) => [endpoint.id, endpoint] as const))('%s', (id, endpoint) => {
    let sample: Sample;
    const options = walkOptions(taking, endpoint);
    const send = (key: string) => {
      // A token lives too short a time to make a key of thirty days.
      const body = id === 'api-keys.create' ? sample.otherBody : sample.body;
      return api.call(endpoint.method, sample.path, { key, ...(body && { body }) });
    };
    beforeAll(async () => {
      sample = await sampleOf(id, api);
    });

    if (endpoint.auth !== 'any') {
      refuses(
        'insufficient_scope',
        'a token without its scope',
        () => {
          const accepted = setsIn(endpoint.auth)
            .flat()
            .map((scope) => scope.split(':')[0]);
          const scopes = allScopes.filter((scope) => !accepted.includes(scope.split(':')[0]));
          return send(api.forge({ scope: scopes.join(' ') }));
        },
        options,
      );
    }

    refuses(
      'unauthorized',
      'a token that another key signed',
      () => send(api.forge({}, {}, unknownKey)),
      options,
    );

    test('answers a token as it answers a key', options, async () => {
      // A caller cannot rotate a key that is valid for longer than itself.
      const exp = api.nowSeconds() + (365 * dayMs) / 1000;
      const patient = () => api.forge({ scope: allScopes.join(' '), exp });
      // An endpoint without a scope may have a parameter that requires one.
      const needsNone = endpoint.auth === 'any' && !endpoint.errors.includes('insufficient_scope');
      const usual = needsNone ? tokens.none : tokens.all;
      const response = await send(id === 'api-keys.rotate' ? patient() : usual);
      // A token has no key of its own.
      const wanted = ['api-keys.me', 'api-keys.revoke-me'].includes(id)
        ? [404]
        : Object.keys(endpoint.responses).map(Number);
      expect(wanted, response.text).toContain(response.status);
    });
  });
});

/** A key that the issuer does not know, under the name of one that it does. */
const otherKey = () => ({
  ...generateKeyPairSync('rsa', { modulusLength: 2048 }),
  kid: issuer.signingKey().kid,
});

describe('the claims of a token', () => {
  responds(201, 'who did it stands in createdBy, and in the log', async () => {
    const api = await open();
    const response = await api.call('POST', '/projects', { key: await api.token(), body: { name: 'p' } });
    expect(response.data.createdBy).toBe('sub:live');
    const { organisationId } = api;
    expect(api.requestLines().at(-1)).toMatchObject({
      organisation: organisationId,
      mode: 'live',
      caller: 'sub:live',
    });
    return response;
  });

  responds(200, 'live and test data never meet', async () => {
    const api = await open();
    const id = await api.createProject();
    const key = await api.token({ mode: 'test' });
    expect((await api.call('GET', `/projects/${id}`, { key })).status).toBe(404);
    const own = await api.createProject({}, key);
    expect((await api.call('GET', `/projects/${own}`)).status).toBe(404);
    return api.call('GET', `/projects/${own}`, { key: await api.testModeKey() });
  });

  test('mark it as an access token, in the header or in a claim', async () => {
    const api = await open();
    const status = async (key: string) => (await api.call('GET', '/projects', { key })).status;
    for (const typ of ['at+jwt', 'AT+JWT', 'application/at+jwt'])
      expect(await status(api.forge({}, { typ }))).toBe(200);
    expect(await status(api.forge({ token_use: 'access' }, { typ: undefined }))).toBe(200);
  });

  test('must not make it an ID token, even if its issuer marks nothing', async () => {
    const api = await open({ tokenType: 'JWT' });
    const status = async (claims: object, header: object) =>
      (await api.call('GET', '/projects', { key: api.forge({ ...claims }, { ...header }) })).status;
    for (const typ of ['JWT', 'jwt', 'at+jwt', undefined]) expect(await status({}, { typ }), typ).toBe(200);
    expect(await status({ typ: 'Bearer' }, { typ: 'JWT' })).toBe(200);
    for (const typ of ['logout+jwt', 'dpop+jwt', 'secevent+jwt', '', 5, null]) {
      expect(await status({}, { typ }), `${typ}`).toBe(401);
    }
    for (const claims of [
      { token_use: 'id' },
      { typ: 'ID' },
      { nonce: 'n' },
      { at_hash: 'h' },
      { c_hash: 'h' },
    ]) {
      expect(await status(claims, { typ: 'JWT' }), JSON.stringify(claims)).toBe(401);
    }
  });

  responds(200, 'scopes in an array, among others that mean nothing here', async () => {
    const api = await open({ scopeClaim: 'permissions' });
    const permissions = ['openid', 'projects:read', 5, 'projects:admin'];
    const key = api.forge({ permissions });
    expect((await api.call('POST', '/projects', { key, body: { name: 'p' } })).status).toBe(403);
    return api.call('GET', '/projects', { key });
  });

  responds(200, 'claims by the names that are configured', async () => {
    const names = { organisationClaim: 'https://example.com/org', modeClaim: 'env' };
    const api = await open(names);
    const key = api.forge({
      organisation: 'somewhere else',
      mode: undefined,
      'https://example.com/org': api.organisationId,
      env: 'live',
    });
    return api.call('GET', '/projects', { key });
  });

  test('bind it to projects, where the claim is configured', async () => {
    const api = await open({ projectsClaim: 'projects' });
    const [mine, other] = [await api.createProject(), await api.createProject()];
    const status = async (path: string, projects: unknown) =>
      (await api.call('GET', path, { key: api.forge({ projects }) })).status;
    expect(await status(`/projects/${mine}`, [mine])).toBe(200);
    expect(await status(`/projects/${other}`, [mine])).toBe(404);
    expect(await status(`/projects/${other}`, [mine, other])).toBe(200);
    expect(await status(`/projects/${other}`, '*')).toBe(200);
    const { data } = await api.call('GET', '/projects', { key: api.forge({ projects: [mine] }) });
    expect(data.items).toMatchObject([{ id: mine }]);
    // It gives away no more than it has.
    const body = { name: 'k', scopes: ['projects:read'] };
    const key = api.forge({ projects: [mine] });
    expect((await api.call('POST', '/api-keys', { key, body })).data.projectIds).toEqual([mine]);
    const more = { ...body, projectIds: [other] };
    expect((await api.call('POST', '/api-keys', { key, body: more })).status).toBeGreaterThanOrEqual(400);
  });

  test('must be well formed: a malformed claim never means all projects', async () => {
    const api = await open({ projectsClaim: 'projects' });
    const id = await api.createProject();
    for (const projects of [
      undefined,
      null,
      '',
      id,
      [],
      ['*'],
      [id, 5],
      [id, 'proj_1'],
      { id },
      true,
      Array(101).fill(id),
    ]) {
      const { status, error } = await api.call('GET', '/projects', { key: api.forge({ projects }) });
      expect(status, JSON.stringify(projects)).toBe(401);
      expect(error.message).toContain('needs the claim projects');
    }
  });

  responds(200, 'one audience of several', async () => {
    const api = await open();
    const aud = ['https://elsewhere.example', issuer.settings.audience];
    return api.call('GET', '/projects', { key: api.forge({ aud }) });
  });

  responds(200, 'another algorithm, where it is the one that is configured', async () => {
    const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const keys = { keys: [{ ...pair.publicKey.export({ format: 'jwk' }), kid: 'curve' }] };
    const jwksUri = await serve((_request, response) => response.end(JSON.stringify(keys)));
    const api = await open({ algorithm: 'ES256', jwksUri });
    expect((await api.call('GET', '/projects', { key: api.forge() })).status).toBe(401);
    const key = api.forge({}, { alg: 'ES256' }, { ...pair, kid: 'curve' });
    return api.call('GET', '/projects', { key });
  });
});

describe('a refused token', () => {
  type Api = Awaited<ReturnType<typeof open>>;

  const cases: [string, string | RegExp, (api: Api) => string | Promise<string>][] = [
    ['nothing signed (alg: none)', 'Malformed access token', ({ forge }) => forge({}, { alg: 'none' })],
    [
      'nothing signed, with something behind the dot',
      /the wrong algorithm/,
      ({ forge }) => `${forge({}, { alg: 'none' })}c2ln`,
    ],
    [
      'the public key taken for a secret (HS256)',
      /the wrong algorithm/,
      () => {
        const { kid, publicKey } = issuer.signingKey();
        const pem = publicKey.export({ type: 'spki', format: 'pem' }) as string;
        return signJwt({ alg: 'HS256', kid }, { iss: issuer.settings.issuer }, pem);
      },
    ],
    ['another algorithm of the same key', /the wrong algorithm/, ({ forge }) => forge({}, { alg: 'RS512' })],
    ['another key of the same name', /signature .* is invalid/, ({ forge }) => forge({}, {}, otherKey())],
    [
      'a key of its own, in the header',
      /signature .* is invalid/,
      ({ forge }) => {
        const key = otherKey();
        const jwk = { ...key.publicKey.export({ format: 'jwk' }), kid: key.kid };
        return forge({}, { jwk, jku: 'https://example.com/keys', x5u: 'https://example.com' }, key);
      },
    ],
    ['a key that is not published', /not published by its issuer/, ({ forge }) => forge({}, { kid: 'mine' })],
    ['no name of a key', /has no key id/, ({ forge }) => forge({}, { kid: undefined })],
    ['an extension that is critical', 'Malformed access token', ({ forge }) => forge({}, { crit: ['b64'] })],
    ['another issuer', /another issuer/, ({ forge }) => forge({ iss: 'https://other.example' })],
    ['no issuer', /another issuer/, ({ forge }) => forge({ iss: undefined })],
    ['another audience', /another audience/, ({ token }) => token({ resource: 'https://other.example' })],
    ['no audience', /another audience/, ({ forge }) => forge({ aud: undefined })],
    ['audiences, none of them us', /another audience/, ({ forge }) => forge({ aud: ['a', 'b'] })],
    ['an end that has passed', /has expired/, ({ forge, nowSeconds }) => forge({ exp: nowSeconds() - 1 })],
    ['an end before all time', /has expired/, ({ forge }) => forge({ exp: -1e300 })],
    ['no end', /needs the claim exp/, ({ forge }) => forge({ exp: undefined })],
    ['an end that is no number', 'Malformed access token', ({ forge }) => forge({ exp: 'tomorrow' })],
    [
      'a beginning in the future',
      /not valid yet/,
      ({ forge, nowSeconds }) => forge({ nbf: nowSeconds() + 60 }),
    ],
    ['a beginning after all time', /not valid yet/, ({ forge }) => forge({ nbf: 1e300 })],
    ['no organisation', /needs the claim organisation/, ({ forge }) => forge({ organisation: undefined })],
    [
      'an organisation by name',
      /needs the claim organisation/,
      ({ forge }) => forge({ organisation: 'Acme' }),
    ],
    [
      'two organisations',
      /needs the claim organisation/,
      ({ forge, organisationId }) => forge({ organisation: [organisationId] }),
    ],
    [
      'an organisation that does not exist',
      /organisation of this access token does not exist/,
      ({ forge }) => forge({ organisation: 'org_01JZ4Y7Q8R5T2V9W3X6B0C1D4E' }),
    ],
    ['no mode', /needs the claim mode/, ({ forge }) => forge({ mode: undefined })],
    ['another mode', /needs the claim mode/, ({ forge }) => forge({ mode: 'LIVE' })],
    ['no subject', /needs the claim sub/, ({ forge }) => forge({ sub: undefined })],
    ['an empty subject', /needs the claim sub/, ({ forge }) => forge({ sub: '' })],
    ['a subject that is too long', /needs the claim sub/, ({ forge }) => forge({ sub: 's'.repeat(256) })],
    ['a subject that is not ASCII', /needs the claim sub/, ({ forge }) => forge({ sub: 'Jürgen' })],
    ['a list for claims', 'Malformed access token', () => signJwt({ alg: 'RS256' }, [], 'secret')],
    ['no JSON', 'Malformed access token', () => 'eyJ.abc.def'],
    ['claims nested very deep', 'Malformed access token', () => `eyJ9.${'W1tb'.repeat(2000)}.c2ln`],
    [
      'an ID token of Cognito',
      /not an access token/,
      ({ forge }) => forge({ token_use: 'id' }, { typ: undefined }),
    ],
    ['one that says both', /not an access token/, ({ forge }) => forge({ token_use: 'id' })],
    ['an ID token of anybody', /not an access token/, ({ forge }) => forge({ nonce: 'n' }, { typ: 'JWT' })],
    ['nothing about what it is', /not an access token/, ({ forge }) => forge({}, { typ: undefined })],
    ['a type that only looks like it', /not an access token/, ({ forge }) => forge({}, { typ: 'at+jwt+id' })],
    ['two parts', 'Invalid API key prefix', ({ forge }) => forge().split('.').slice(0, 2).join('.')],
    ['a character that is not base64url', 'Invalid API key prefix', ({ forge }) => `${forge()}+`],
  ];

  for (const [situation, message, make] of cases) {
    refuses('unauthorized', situation, async () => {
      const api = await open();
      // The keys are known, as they would be after the first requests.
      await api.call('GET', '/projects', { key: api.forge() });
      const key = await make(api);
      const response = await api.call('GET', '/projects', { key });
      expect(response.error.message).toMatch(message);
      expect(response.headers['WWW-Authenticate']).toBe('Bearer');
      for (const part of key.split('.').filter((text) => text.length > 5)) {
        expect(response.text).not.toContain(part);
      }
      expect(api.faultLines()).toEqual([]);
      return response;
    });
  }

  refuses('unauthorized', 'a token whose time passes, by the clock of the request', async () => {
    const api = await open();
    const key = api.forge({ exp: api.nowSeconds() + 60 });
    expect((await api.call('GET', '/projects', { key })).status).toBe(200);
    api.advance(60_000);
    return api.call('GET', '/projects', { key });
  });

  refuses('unauthorized', 'any token where no issuer is configured', async () => {
    const [api, plain] = [await open(), await openApi()];
    const response = await plain.call('GET', '/projects', { key: await api.token() });
    expect(response.error.message).toBe('Access tokens are not configured here: send an API key');
    return response;
  });
});

describe('several issuers', () => {
  /** Two issuers: the second one may name only the organisations of its list, and has other settings. */
  async function openTwo() {
    const second = await openIssuer();
    onTestFinished(() => second.close());
    const listed: string[] = [];
    const settings = {
      ...second.settings,
      audience: 'urn:second',
      organisationClaim: 'tenant',
      organisations: listed,
    };
    const api = await openApiWith(issuer, {}, () => ({}), [settings]);
    /** A token of the second issuer. */
    const own = { iss: settings.issuer, aud: settings.audience, tenant: api.organisationId };
    const forge = (claims: object = {}, header: object = {}, key = second.signingKey()) =>
      api.forge({ ...own, organisation: undefined, ...claims }, { ...header }, key);
    const message = async (key: string) => {
      const { status, error } = await api.call('GET', '/projects', { key });
      return status === 200 ? 'accepted' : `${status} ${error.message}`;
    };
    return { api, second, listed, forge, message };
  }

  test('each is accepted for its own organisations only', async () => {
    const { api, listed, forge, message } = await openTwo();
    const notNamed = '401 The issuer of this access token may not name this organisation';
    expect([await message(api.forge()), await message(forge())]).toEqual(['accepted', notNamed]);
    listed.push(api.organisationId);
    // The issuer without a list may no longer name an organisation that another issuer lists.
    expect([await message(api.forge()), await message(forge())]).toEqual([notNamed, 'accepted']);
  });

  test('each is checked with its own settings: keys, audience and claims', async () => {
    const { api, second, listed, forge, message } = await openTwo();
    listed.push(api.organisationId);
    expect(await message(forge())).toBe('accepted');
    const first = issuer.signingKey();
    expect(await message(forge({}, {}, first))).toMatch(/^401 .* not published by its issuer/);
    const renamed = { ...first, kid: second.signingKey().kid };
    expect(await message(forge({}, {}, renamed))).toMatch(/^401 The signature .* is invalid/);
    expect(await message(api.forge({}, {}, second.signingKey()))).toMatch(/not published by its issuer/);
    expect(await message(forge({ aud: issuer.settings.audience }))).toMatch(/^401 .* another audience/);
    const { organisationId: organisation } = api;
    expect(await message(forge({ tenant: undefined, organisation }))).toMatch(/^401 .* the claim tenant/);
    expect(await message(forge({ iss: 'https://third.example' }))).toMatch(/^401 .* another issuer/);
    expect(await message(forge({ iss: [second.settings.issuer] }))).toMatch(/^401 Malformed/);
    expect(await message(forge({}, { alg: 'none' }))).toMatch(/^401 Malformed/);
    const { kid, publicKey } = second.signingKey();
    const pem = publicKey.export({ type: 'spki', format: 'pem' }) as string;
    const shared = signJwt({ alg: 'HS256', kid, typ: 'at+jwt' }, { iss: second.settings.issuer }, pem);
    expect(await message(shared)).toMatch(/^401 .* wrong algorithm/);
  });

  test('the keys of one that does not respond do not hinder the other', async () => {
    const { api, second, listed, forge, message } = await openTwo();
    listed.push(api.organisationId);
    second.close();
    expect(await message(forge())).toMatch(/^503/);
    listed.pop();
    expect(await message(api.forge())).toBe('accepted');
  });
});

describe("the issuer's keys", () => {
  test('a new key is accepted at once, and the key that it replaced is refused', async () => {
    const api = await open();
    const old = await api.token();
    const status = async (key: string) => (await api.call('GET', '/projects', { key })).status;
    expect(await status(old)).toBe(200);
    const before = issuer.signingKey();
    await issuer.rotate();
    expect(await status(old)).toBe(200);
    const fresh = await api.token();
    expect(await status(fresh)).toBe(200);
    expect(await status(old)).toBe(401);
    expect(await status(api.forge({}, {}, before))).toBe(401);
  });

  test('a withdrawn key is refused within five minutes, even if no token with another key comes', async () => {
    const api = await open();
    const old = await api.token();
    const status = async () => (await api.call('GET', '/projects', { key: old })).status;
    expect(await status()).toBe(200);
    await issuer.rotate();
    api.advance(299_000);
    expect(await status()).toBe(200);
    api.advance(1_000);
    expect(await status()).toBe(401);
  });

  test('a new key under the old key id is used', async () => {
    const pairs = [1, 2].map(() => generateKeyPairSync('rsa', { modulusLength: 2048 }));
    let current = pairs[0];
    const jwksUri = await serve((_request, response) =>
      response.end(
        JSON.stringify({ keys: [{ ...current?.publicKey.export({ format: 'jwk' }), kid: 'same' }] }),
      ),
    );
    const api = await open({ jwksUri });
    const [one, two] = pairs.map((pair) => api.forge({}, {}, { ...pair, kid: 'same' }));
    const status = async (key = '') => (await api.call('GET', '/projects', { key })).status;
    expect([await status(one), await status(two)]).toEqual([200, 401]);
    current = pairs[1];
    api.advance(300_000);
    expect([await status(one), await status(two)]).toEqual([401, 200]);
  });

  test('are fetched once for simultaneous requests, and not for malformed tokens', async () => {
    const { jwksUri, count } = await countingKeys();
    const api = await open({ jwksUri });
    await api.call('GET', '/projects', { key: api.forge({ iss: 'https://other.example' }) });
    await api.call('GET', '/projects', { key: api.forge({ exp: api.nowSeconds() - 1 }) });
    expect(count()).toBe(0);
    const key = api.forge();
    const all = await Promise.all(Array.from({ length: 20 }, () => api.call('GET', '/projects', { key })));
    expect(all.map(({ status }) => status)).toEqual(all.map(() => 200));
    expect(count()).toBe(1);
    // A stranger who makes up names of keys makes us ask once, and then not for a while.
    for (const kid of ['a', 'b', 'c', 'd']) {
      await api.call('GET', '/projects', { key: api.forge({}, { kid }) });
    }
    expect(count()).toBe(2);
  });

  async function countingKeys() {
    let count = 0;
    const { publicKey, kid } = issuer.signingKey();
    const keys = { keys: [{ ...publicKey.export({ format: 'jwk' }), kid }] };
    const jwksUri = await serve((request, response) => {
      count += 1;
      expect(request.headers.connection).toBe('close');
      response.end(JSON.stringify(keys));
    });
    return { jwksUri, count: () => count };
  }

  const faults: [string, RequestListener | undefined][] = [
    ['nobody answers', undefined],
    ['an error', (_request, response) => response.writeHead(500).end()],
    [
      'another place',
      (_request, response) => response.writeHead(302, { Location: issuer.settings.jwksUri }).end(),
    ],
    ['no JSON', (_request, response) => response.end('<html>')],
    ['something else', (_request, response) => response.end('{"keys":[{"kid":5}]}')],
    ['too much', (_request, response) => response.end(`{"keys":[],"x":"${'x'.repeat(300_000)}"}`)],
  ];

  for (const [situation, listener] of faults) {
    refuses('service_unavailable', `the issuer says: ${situation}`, async () => {
      const jwksUri = listener ? await serve(listener) : 'http://127.0.0.1:1/jwks';
      const api = await open({ jwksUri });
      const key = api.forge();
      const response = await api.call('GET', '/projects', { key });
      expect(response.headers['Retry-After']).toBe('1');
      const lines = api.faultLines();
      expect(lines).toMatchObject([{ level: 'error', message: 'service_unavailable' }]);
      for (const part of key.split('.'))
        expect(lines.map((line) => render(line, '', 0)).join()).not.toContain(part);
      expect((await api.call('GET', '/projects')).status).toBe(200);
      return response;
    });
  }

  const silent = async () => {
    const api = await open({ jwksUri: await serve(() => {}) });
    const begun = performance.now();
    const response = await api.call('GET', '/projects', { key: api.forge() });
    expect(performance.now() - begun).toBeGreaterThan(2900);
    return response;
  };
  refuses('service_unavailable', 'the issuer says nothing for three seconds', silent, { tags: ['long'] });
});

/** @returns the address of a server that answers so; it ends with the tests */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).unref();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`;
}

test('a token costs as many round trips as a key: it reads the organisation instead of the key', async () => {
  const api = await open();
  const id = await api.createProject();
  const key = api.forge();
  await api.call('GET', `/projects/${id}`, { key });
  await api.call('POST', '/projects', { key, body: { name: 'p' }, idempotencyKey: 'k' });
  await api.call('POST', '/projects', { key, body: { name: 'p' }, idempotencyKey: 'k' });
  // A token's grant checks no key: the new key is written alone.
  await api.call('POST', '/api-keys', { key, body: { name: 'k', scopes: ['projects:read'] } });
  const lines = api.requestLines().slice(1);
  expect(lines.map(({ roundTrips, readUnits }) => [roundTrips, readUnits])).toEqual([
    [1, 2],
    [2, 2],
    [1, 2],
    [2, 1],
  ]);
  expect(lines.at(-1)?.writeUnits).toBe(1);
});

describe('idempotency', () => {
  test('a repeated request is replayed, even with a newer token', async () => {
    const api = await open();
    const request = { body: { name: 'p' }, idempotencyKey: 'k' };
    const first = await api.call('POST', '/projects', { ...request, key: await api.token() });
    const second = await api.call('POST', '/projects', { ...request, key: await api.token() });
    expect([first.status, second.text]).toEqual([201, first.text]);
    expect(second.headers['Idempotent-Replayed']).toBe('true');
    expect(api.requestLines().map(({ roundTrips }) => roundTrips)).toEqual([2, 1]);
  });

  refuses('secret_unavailable', 'a new key, asked for again with another token', async () => {
    const api = await open();
    const [one, other] = [await api.token(), await api.token()];
    const request = { body: { name: 'k', scopes: ['projects:read'] }, idempotencyKey: 'k' };
    const created = await api.call('POST', '/api-keys', { ...request, key: one });
    const again = await api.call('POST', '/api-keys', { ...request, key: one });
    expect(again.text).toBe(created.text);
    const response = await api.call('POST', '/api-keys', { ...request, key: other });
    expect(response.error.resource).toMatchObject({ id: created.data.id });
    expect(response.text).not.toContain(created.data.secret);
    return response;
  });
});

describe('keys created with a token', () => {
  responds(201, 'work, say who made them, and end with the token', async () => {
    const api = await open();
    const exp = api.nowSeconds() + 600;
    const key = api.forge({ exp });
    const body = { name: 'k', scopes: ['projects:read'] };
    const response = await api.call('POST', '/api-keys', { key, body });
    expect(response.data).toMatchObject({
      createdBy: 'sub:somebody',
      expiresAt: new Date(exp * 1000).toISOString(),
    });
    expect((await api.call('GET', '/projects', { key: response.data.secret as string })).status).toBe(200);
    return response;
  });

  responds(200, 'a token gives a key what it holds itself', async () => {
    const api = await open();
    const { id } = await api.createKey({ expiresIn: '1h' });
    const path = `/api-keys/${id}`;
    const narrow = api.forge({ scope: 'api-keys:write', exp: api.nowSeconds() + dayMs / 1000 });
    expect((await api.call('PATCH', path, { key: narrow, body: { scopes: ['deploy:read'] } })).status).toBe(
      403,
    );
    const scope = 'api-keys:write deploy:read projects:read';
    const wide = api.forge({ scope, exp: api.nowSeconds() + dayMs / 1000 });
    return api.call('PATCH', path, { key: wide, body: { scopes: ['deploy:read'] } });
  });

  refuses('insufficient_scope', 'a key that would outlive the token', async () => {
    const api = await open();
    const body = { name: 'k', scopes: ['projects:read'], expiresIn: '1d' };
    return api.call('POST', '/api-keys', { key: api.forge(), body });
  });

  refuses('not_found', 'the key of a caller who has none', async () => {
    const api = await open();
    const response = await api.call('GET', '/api-keys/me', { key: await api.token() });
    expect(response.error.message).toContain('The request uses a token');
    return response;
  });
});
