/**
 * The keys of issuers: read on the path of requests, for all functions together, and only where it is allowed. A slow or dead
 * issuer delays only its own callers. The end of an identity takes effect with the next request.
 */

import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parseAudience } from '../../lib/api-keys/workload-identities/audience.ts';
import { hourMs, minuteMs, secondMs } from '../../lib/base/time.ts';
import { credentialsOf } from '../../lib/http/runtime.ts';
import { openApi, type TestApi, toLoopback } from '../../samples/api.ts';
import { call as send } from '../../scripts/local/call.ts';
import { routesOf } from '../../scripts/local/service.ts';
import { resume, suspend } from '../../scripts/organisations/state.ts';
import { refuses, responds } from '../support/responses.ts';
import {
  age,
  createIdentity,
  type Identity,
  jwkOf,
  keysPath,
  newSigner,
  openWorkloadIssuer,
  type Signer,
  tokenFor,
  type WorkloadIssuer,
} from '../support/workloads.ts';

const [first, second] = [newSigner('RS256', 'first'), newSigner('ES256', 'second')];

/** The API, an issuer of its own, and an identity that accepts its tokens. */
async function open(body: object = {}, timeoutMs = 20_000) {
  const issuer = await openWorkloadIssuer([first]);
  onTestFinished(issuer.close);
  const api = await openApi((runtime) => ({
    network: { ...toLoopback(runtime).network, timeoutMs },
  }));
  const identity = await createIdentity(api, issuer.url, { ...body });
  const get = (signer: Signer = first) =>
    api.call('GET', '/projects', { key: tokenFor(api, identity, signer) });
  return { api, issuer, identity, get };
}

const old = { fetchedMs: 11 * minuteMs, attemptedMs: 11 * minuteMs };
const tooOld = { fetchedMs: hourMs, attemptedMs: hourMs };

const keyOf = ({ id, audience }: Identity) => ({ tenant: parseAudience(audience)?.tenant, id });

async function itemOf({ runtime }: TestApi, identity: Identity) {
  const command = new GetCommand({
    TableName: runtime.tableNames.apiKeys,
    Key: keyOf(identity),
    ConsistentRead: true,
  });
  return (await runtime.client.send(command)).Item ?? {};
}

/** Sends the issuer's keys elsewhere, as if its document had said so. */
const moveKeys = ({ runtime }: TestApi, identity: Identity, jwksUri: string) =>
  runtime.client.send(
    new UpdateCommand({
      TableName: runtime.tableNames.apiKeys,
      Key: keyOf(identity),
      UpdateExpression: 'SET jwksUri = :uri',
      ExpressionAttributeValues: { ':uri': jwksUri },
    }),
  );

describe('the keys of an issuer', () => {
  test('are read with the identity, and then not for ten minutes', async () => {
    const { issuer, get, api, identity } = await open();
    expect(issuer.reads()).toBe(1);
    for (let count = 0; count < 3; count += 1) expect((await get()).status).toBe(200);
    await age(api, identity, { fetchedMs: 9 * minuteMs, attemptedMs: 9 * minuteMs });
    expect((await get()).status).toBe(200);
    expect(issuer.reads()).toBe(1);
    await age(api, identity, old);
    expect((await get()).status).toBe(200);
    expect(issuer.reads()).toBe(2);
  });

  test('cost a request no round trip more than those of an API key', async () => {
    const { api, get } = await open();
    const { secret } = await api.createKey({ scopes: ['projects:write'] });
    // The first uses are noted.
    for (const _ of [1, 2]) {
      await get();
      await api.call('GET', '/projects', { key: secret });
    }
    const [byToken, byKey] = api.requestLines().slice(-2);
    expect(byToken).toMatchObject({ roundTrips: byKey?.roundTrips, readUnits: byKey?.readUnits });
  });

  test('are read again when the issuer has a new key, at once and once', async () => {
    const { issuer, get, api, identity } = await open();
    issuer.signers.unshift(second);
    await age(api, identity, { fetchedMs: minuteMs, attemptedMs: minuteMs });
    expect((await get(second)).status).toBe(200);
    expect((await get(second)).status).toBe(200);
    expect((await get(first)).status).toBe(200);
    expect(issuer.reads()).toBe(2);
  });

  test('are read for unknown keys once a minute, however many requests there are', async () => {
    const { issuer, get, api, identity } = await open();
    await age(api, identity, { fetchedMs: minuteMs, attemptedMs: minuteMs });
    for (let count = 0; count < 5; count += 1) expect((await get(second)).status).toBe(401);
    expect(issuer.reads()).toBe(2);
    // The other callers notice nothing.
    expect((await get()).status).toBe(200);
  });

  test('are read once for a hundred functions', { tags: ['long'], timeout: 60_000 }, async () => {
    const { api, issuer, identity } = await open();
    const functions = Array.from({ length: 100 }, () => {
      const credentials = credentialsOf(api.runtime, {});
      return { credentials, routes: routesOf({ ...api.runtime, credentials }) };
    });
    await age(api, identity, tooOld);
    issuer.answers.set(keysPath, async (_, response) => {
      await sleep(300);
      response.end(JSON.stringify({ keys: issuer.signers.map(jwkOf) }));
    });
    const responses = await Promise.all(
      functions.map(({ routes }) =>
        send(routes, 'GET', '/projects', { key: tokenFor(api, identity, first) }),
      ),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(100).fill(200));
    expect(issuer.reads()).toBe(2);
  });

  test('do not change the identity, and have public members only', async () => {
    const { api, issuer, identity, get } = await open();
    const before = await itemOf(api, identity);
    issuer.answers.set(keysPath, (_, response) => {
      const [key] = issuer.signers;
      const secrets = { ...key?.privateKey.export({ format: 'jwk' }), kid: 'first', x5c: ['MIIB'], extra: 1 };
      response.end(JSON.stringify({ keys: [secrets, { kty: 'oct', kid: 'o', k: 'AAAA' }] }));
    });
    await age(api, identity, old);
    expect((await get()).status).toBe(200);
    const { issuerKeys, ...after } = await itemOf(api, identity);
    const { issuerKeys: _, ...rest } = before;
    expect({ ...after, lastUsedAt: null, lastUsedFrom: null }).toEqual({ ...rest, lastUsedFrom: null });
    expect(issuerKeys.keys.flatMap(Object.keys).sort()).toEqual(['e', 'kid', 'kty', 'n']);
    expect(issuerKeys.fetchedAt).toBe(issuerKeys.attemptedAt);
  });

  test('of the caller need no issuer', async () => {
    const { api, issuer } = await open();
    const reads = issuer.requests.length;
    const identity = await createIdentity(api, 'https://kubernetes.example.com', {
      jwks: { keys: [jwkOf(second)] },
    });
    const get = (signer: Signer) => api.call('GET', '/projects', { key: tokenFor(api, identity, signer) });
    expect((await get(second)).status).toBe(200);
    expect((await get(first)).status).toBe(401);
    expect(issuer.requests.length).toBe(reads);
  });
});

/** What an issuer may do wrong, and why. */
const wrong: [string, (issuer: WorkloadIssuer) => void][] = [
  ['responds with an error', (issuer) => answer(issuer, 500, '{}')],
  ['responds with no JSON', (issuer) => answer(issuer, 200, '<html>')],
  ['responds with another document', (issuer) => answer(issuer, 200, '{"issuer":"x"}')],
  ['has no keys', (issuer) => answer(issuer, 200, '{"keys":[]}')],
  ['has too many keys', (issuer) => answer(issuer, 200, keysOf(51))],
  ['responds with too much', (issuer) => answer(issuer, 200, `{"keys":[],"x":"${'x'.repeat(300_000)}"}`)],
  ['redirects', (issuer) => answer(issuer, 302, '', { location: `${issuer.url}/elsewhere` })],
  ['is dead', (issuer) => void issuer.answers.set(keysPath, (request) => request.socket.destroy())],
];

const keysOf = (count: number) =>
  JSON.stringify({
    keys: Array.from({ length: count }, (_, index) => ({ ...jwkOf(first), kid: `${index}` })),
  });

function answer(issuer: WorkloadIssuer, status: number, body: string, headers: Record<string, string> = {}) {
  issuer.answers.set(keysPath, (_, response) => void response.writeHead(status, headers).end(body));
}

describe.each(wrong)('an issuer that %s', (_, spoil) => {
  test('does no harm while its keys are younger than an hour', async () => {
    const { api, issuer, identity, get } = await open();
    spoil(issuer);
    await age(api, identity, { fetchedMs: 55 * minuteMs, attemptedMs: 55 * minuteMs });
    for (let count = 0; count < 3; count += 1) expect((await get()).status).toBe(200);
    // It is asked once a minute.
    expect(issuer.requests.slice(2)).toEqual([keysPath]);
  });

  test('then has no callers, but for a minute no requests either', async () => {
    const { api, issuer, identity, get } = await open();
    spoil(issuer);
    await age(api, identity, tooOld);
    const response = await get();
    expect(response.status, response.text).toBe(503);
    expect(response.error.code).toBe('service_unavailable');
    expect(response.headers['Retry-After']).toBe('60');
    expect(response.text).not.toContain(issuer.url);
    // After the time that an attempt may take.
    await age(api, identity, { fetchedMs: hourMs, attemptedMs: 20 * secondMs });
    const again = await get();
    expect(again.status).toBe(503);
    expect(Number(again.headers['Retry-After'])).toBeGreaterThan(30);
    expect((await get(second)).status).toBe(503);
    expect(issuer.requests.slice(2)).toEqual([keysPath]);
    // As soon as it responds again, its callers are back.
    issuer.answers.clear();
    await age(api, identity, { fetchedMs: hourMs, attemptedMs: minuteMs });
    expect((await get()).status).toBe(200);
  });
});

describe('a slow issuer', () => {
  test('delays only its own callers', async () => {
    const { api, issuer, identity, get } = await open({}, 60 * secondMs);
    const other = await openWorkloadIssuer([second]);
    onTestFinished(other.close);
    const quick = await createIdentity(api, other.url);
    const held: ServerResponse[] = [];
    issuer.answers.set(keysPath, (_, response) => held.push(response));
    await age(api, identity, tooOld);
    const waiting = get();
    let isDone = false;
    waiting.then(() => {
      isDone = true;
    });
    while (issuer.reads() < 2) await sleep(5);
    await age(api, quick, tooOld);
    const key = tokenFor(api, quick, second);
    expect((await api.call('GET', '/projects', { key })).status).toBe(200);
    expect((await api.call('GET', '/projects')).status).toBe(200);
    expect(isDone).toBe(false);
    for (const response of held) response.destroy();
    expect((await waiting).status).toBe(503);
  });

  test('that does not answer is given up', async () => {
    const { api, issuer, identity, get } = await open({}, 300);
    issuer.answers.set(keysPath, () => {});
    await age(api, identity, tooOld);
    expect((await get()).status).toBe(503);
  });

  test('that sends byte after byte is given up, too', async () => {
    const { api, issuer, identity, get } = await open({}, 300);
    const timers = new Set<NodeJS.Timeout>();
    onTestFinished(() => timers.forEach(clearInterval));
    issuer.answers.set(keysPath, (_, response) => {
      timers.add(setInterval(() => response.write(' '), 50));
    });
    await age(api, identity, tooOld);
    expect((await get()).status).toBe(503);
  });

  test('whose reader has crashed is asked again after a minute', async () => {
    const { api, issuer, identity, get } = await open();
    // An attempt was claimed, and its function ended.
    await age(api, identity, { fetchedMs: hourMs, attemptedMs: 5 * secondMs });
    expect((await get()).status).toBe(503);
    expect(issuer.reads()).toBe(1);
    await age(api, identity, { fetchedMs: hourMs, attemptedMs: minuteMs });
    expect((await get()).status).toBe(200);
    expect(issuer.reads()).toBe(2);
  });

  test('whose reader takes long has callers that wait, and then are told to come back', {
    tags: ['long'],
    timeout: 30_000,
  }, async () => {
    const { api, identity, get } = await open();
    await age(api, identity, { fetchedMs: hourMs, attemptedMs: 0 });
    const begunMs = performance.now();
    const response = await get();
    expect(response.status).toBe(503);
    expect(performance.now() - begunMs).toBeGreaterThan(2 * secondMs);
  });
});

describe('keys in a private network', () => {
  test.each([
    ['an address', 'https://10.0.0.1/keys'],
    ['the metadata of a machine', 'http://169.254.169.254/latest/meta-data'],
    ['a name that resolves to a private address', 'https://issuer.example.com/keys'],
    ['a name that has no address', 'https://nowhere.example.com/keys'],
  ])('are not read: %s', async (_, jwksUri) => {
    const issuer = await openWorkloadIssuer([first]);
    onTestFinished(issuer.close);
    const asked: string[] = [];
    const api = await openApi((runtime) => ({
      network: {
        ...toLoopback(runtime).network,
        resolveName: async (name) => {
          asked.push(name);
          return name.startsWith('issuer') ? ['10.0.0.1', '93.184.216.34'] : [];
        },
        via: () => {
          throw new Error('a connection was opened');
        },
      },
    }));
    const identity = await createIdentity(api, issuer.url, { jwks: { keys: [jwkOf(first)] } });
    const { runtime } = api;
    const nowMs = runtime.nowMs();
    await runtime.client.send(
      new UpdateCommand({
        TableName: runtime.tableNames.apiKeys,
        Key: keyOf(identity),
        UpdateExpression: 'SET jwksUri = :uri, issuerKeys = :keys, jwks = :none',
        ExpressionAttributeValues: {
          ':uri': jwksUri,
          ':none': null,
          ':keys': { keys: [], fetchedAt: nowMs - hourMs, attemptedAt: nowMs - hourMs },
        },
      }),
    );
    const response = await api.call('GET', '/projects', { key: tokenFor(api, identity, first) });
    expect(response.status, response.text).toBe(503);
    const fault = JSON.stringify(api.faultLines().at(-1) ?? '');
    expect(fault).not.toContain('a connection was opened');
    expect(asked.length).toBe(jwksUri.includes('example') ? 1 : 0);
  });

  test('are not read although the name of the issuer had a public address before', async () => {
    const { api, issuer, identity, get } = await open();
    await moveKeys(api, identity, `${issuer.url.replace('127.0.0.1', '[::ffff:10.0.0.1]')}/keys`);
    await age(api, identity, tooOld);
    expect((await get()).status).toBe(503);
    expect(issuer.reads()).toBe(1);
  });
});

describe('the end of an identity', () => {
  const ends: [string, string, object | undefined][] = [
    ['deleted', 'DELETE', undefined],
    ['suspended', 'PATCH', { status: 'suspended' }],
  ];

  test.each(ends)(
    'under load: no request is accepted that began after it was %s',
    async (status, method, body) => {
      const { api, identity, issuer } = await open({}, 20_000);
      const key = tokenFor(api, identity, first);
      const results: { begunMs: number; status: number; message: string }[] = [];
      let isOver = false;
      const load = Array.from({ length: 8 }, async () => {
        while (!isOver) {
          const begunMs = performance.now();
          const response = await api.call('GET', '/projects', { key });
          results.push({ begunMs, status: response.status, message: response.error?.message ?? '' });
        }
      });
      while (results.length < 20) await sleep(5);
      // Some of the requests read the keys again.
      await age(api, identity, old);
      const ended = await api.call(method, `/workload-identities/${identity.id}`, { ...(body && { body }) });
      const endedMs = performance.now();
      expect(ended.status, ended.text).toBe(200);
      const before = results.length;
      while (results.length < before + 40) await sleep(5);
      isOver = true;
      await Promise.all(load);
      const after = results.filter(({ begunMs }) => begunMs > endedMs);
      expect(after.length).toBeGreaterThan(20);
      expect(new Set(after.map((one) => one.status))).toEqual(new Set([401]));
      expect(after[0]?.message).toBe(`This workload identity is ${status}`);
      expect(results.filter((one) => one.status === 200).length).toBeGreaterThanOrEqual(10);
      expect(new Set(results.map((one) => one.status))).toEqual(new Set([200, 401]));
      // An ended identity causes no request to its issuer.
      const reads = issuer.reads();
      await age(api, identity, tooOld);
      await api.call('GET', '/projects', { key });
      expect(issuer.reads()).toBe(reads);
    },
    60_000,
  );

  test('a suspended identity is back with its next request', async () => {
    const { api, identity, get } = await open();
    const patch = (status: string) =>
      api.call('PATCH', `/workload-identities/${identity.id}`, { body: { status } });
    await patch('suspended');
    expect((await get()).status).toBe(401);
    await patch('active');
    expect((await get()).status).toBe(200);
  });

  refuses('organisation_suspended', 'the organisation is suspended, until it is resumed', async () => {
    const { api, get } = await open();
    await suspend(api.runtime, api.organisationId);
    const response = await get();
    await resume(api.runtime, api.organisationId);
    expect((await get()).status).toBe(200);
    return response;
  });

  test('is the end of its project, for an identity that is bound to it', async () => {
    const api = await openApi();
    const [own, other] = [await api.createProject(), await api.createProject()];
    const body = { projectIds: [own], jwks: { keys: [jwkOf(second)] } };
    const identity = await createIdentity(api, 'https://issuer.example', body);
    const key = tokenFor(api, identity, second);
    const status = async (id: string) => (await api.call('GET', `/projects/${id}`, { key })).status;
    expect([await status(own), await status(other)]).toEqual([200, 404]);
    expect((await api.call('POST', '/projects', { key, body: { name: 'p' } })).status).toBe(403);
    await api.call('DELETE', `/projects/${own}`);
    expect(await status(own)).toBe(404);
  });

  test('is not told to whoever cannot sign its tokens', async () => {
    const { api, identity } = await open();
    await api.call('DELETE', `/workload-identities/${identity.id}`);
    const key = tokenFor(api, identity, newSigner('RS256', 'first'));
    const response = await api.call('GET', '/projects', { key });
    expect(response.status).toBe(401);
    expect(response.error.message).not.toContain('deleted');
  });

  test('comes with the end of its token, of an hour, or of itself', async () => {
    const { api, identity, get } = await open();
    const expiresAt = async (changes: object) =>
      (await api.call('GET', '/me', { key: tokenFor(api, identity, first, { ...changes }) })).data.expiresAt;
    const seconds = Math.floor(api.runtime.nowMs() / secondMs);
    const at = (time: number) => new Date(time * secondMs).toISOString();
    expect(await expiresAt({ exp: seconds + 60 })).toBe(at(seconds + 60));
    expect(await expiresAt({ iat: seconds - 600, exp: seconds + 86_400 })).toBe(at(seconds - 600 + 3600));
    const body = { expiresAt: at(seconds + 120) };
    expect((await api.call('PATCH', `/workload-identities/${identity.id}`, { body })).status).toBe(200);
    expect(await expiresAt({ exp: seconds + 600 })).toBe(at(seconds + 120));
    api.advance(121 * secondMs);
    const response = await get();
    expect(response.status).toBe(401);
    expect(response.error.message).toBe('This workload identity is expired');
  });
});

describe('a replay', () => {
  const request = { body: { name: 'k', scopes: ['projects:read'] }, idempotencyKey: 'k' };

  responds(201, 'with the same token has the secret', async () => {
    const { api, identity } = await open({ scopes: ['api-keys:write', 'projects:read'] });
    const key = tokenFor(api, identity, first);
    const created = await api.call('POST', '/api-keys', { ...request, key });
    const again = await api.call('POST', '/api-keys', { ...request, key });
    expect(again.text).toBe(created.text);
    return again;
  });

  refuses('secret_unavailable', 'with another token of the same run', async () => {
    const { api, identity } = await open({ scopes: ['api-keys:write', 'projects:read'] });
    const [one, other] = [1, 2].map((jti) => tokenFor(api, identity, first, { jti: `${jti}` }));
    const created = await api.call('POST', '/api-keys', { ...request, ...(one && { key: one }) });
    expect(created.status, created.text).toBe(201);
    const response = await api.call('POST', '/api-keys', { ...request, ...(other && { key: other }) });
    expect(response.error.resource).toMatchObject({ id: created.data.id });
    expect(response.text).not.toContain(created.data.secret);
    return response;
  });
});
