/**
 * The contract: the answers of every endpoint of a kind. A row says which error it proves, for which endpoints, and how it is
 * brought about; test/contract.test.ts runs each row against each endpoint.
 */

import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import type { ErrorCode } from '../../lib/base/errors.ts';
import { allScopes, holds, type Scope, type ScopeSets, setsIn } from '../../lib/base/scopes.ts';
import { concurrentQuotas, dailyQuotas, defaultLimits } from '../../lib/base/stage-limits.ts';
import { dayMs } from '../../lib/base/time.ts';
import { makeApiKey, parseApiKey } from '../../lib/credentials/api-key.ts';
import { type Endpoint, mayBeMissing } from '../../lib/http/endpoint.ts';
import type { ApiResponse, CallOptions, ContractApi } from '../../samples/api.ts';
import { openApi } from '../../samples/api.ts';
import { type Sample, sampleOf } from '../../samples/samples.ts';

export type ContractRow = {
  proves: ErrorCode;
  when: string;
  applies: (endpoint: Endpoint) => boolean;
  act: (endpoint: Endpoint, api: ContractApi) => Promise<ApiResponse>;
  /** What the row needs that a deployed stack does not let a test do: another time, or a broken database. */
  needs?: 'clock' | 'faults';
  /** The row changes its organisation or its sample, so it needs an organisation of its own. */
  changes?: true;
  /** Code that all endpoints share refuses. In `npm test` and on the emulated account a few endpoints show the row (shown-contract.ts). */
  inPipeline?: true;
};

/** Most rows are refused before anything changes, so they share an organisation. @returns the organisation of a row */
export function organisations<Api>(open: () => Promise<Api>): (row?: ContractRow) => Promise<Api> {
  let shared: Promise<Api> | undefined;
  return (row) => {
    if (row?.changes) return open();
    shared ??= open();
    return shared;
  };
}

/** The samples that requests were refused for, and that are therefore still good. */
const untouched = new WeakMap<ContractApi, Map<string, Promise<Sample>>>();

/** @returns the endpoint's sample for a request that is going to be refused: made once in an organisation */
function sharedSampleOf(endpoint: Endpoint, api: ContractApi): Promise<Sample> {
  const samples = untouched.get(api) ?? new Map<string, Promise<Sample>>();
  untouched.set(api, samples);
  const sample = samples.get(endpoint.id) ?? sampleOf(endpoint.id, api);
  samples.set(endpoint.id, sample);
  return sample;
}

/** Sends the endpoint's sample, changed. */
export async function send(
  endpoint: Endpoint,
  api: ContractApi,
  options: CallOptions & { query?: string } = {},
): Promise<ApiResponse> {
  const { path, body, key } = await sharedSampleOf(endpoint, api);
  const { query = '', ...rest } = options;
  const response = await api.call(
    endpoint.method,
    path + (path.includes('?') ? query.replace('?', '&') : query),
    { ...(body && { body }), ...(key && { key }), ...rest },
  );
  if (response.status < 300) untouched.get(api)?.delete(endpoint.id);
  return response;
}

async function streamOfOpenReply(api: ContractApi): Promise<Sample> {
  const sample = await sampleOf('replies.get', api);
  return { ...sample, path: `${sample.path}/events` };
}

const takesCredential = ({ auth }: Endpoint) => auth !== 'public';
const takesScope = ({ auth }: Endpoint) => auth !== 'public' && auth !== 'any';
const takesBody = ({ request }: Endpoint) => request.body !== undefined;
/** Without a body, an endpoint whose fields are all optional takes its defaults. */
const requiresBody = ({ request }: Endpoint) => request.body?.safeParse({}).success === false;
const takesId = ({ path }: Endpoint) => mayBeMissing(path);
/** Of a resource that belongs to a tenant. */
const takesOwnId = (endpoint: Endpoint) => takesId(endpoint) && takesCredential(endpoint);
const isIdempotent = ({ idempotent }: Endpoint) => idempotent;
const namesProject = ({ path }: Endpoint) => path.startsWith('/projects/{project_id}');
const isBelowProject = ({ project }: Endpoint) => project !== undefined;
const always = () => true;

/** @returns the sets of scopes that the endpoint accepts for its sample: the request may decide it, or what it names */
export async function setsForSample(endpoint: Endpoint, api: ContractApi): Promise<ScopeSets> {
  const sets = setsIn(endpoint.auth);
  const { path, body } = await sharedSampleOf(endpoint, api);
  const query = Object.fromEntries(new URL(path, 'https://api.test').searchParams);
  const required = endpoint.scopesFor?.({
    query: endpoint.request.query.parse(query),
    body: endpoint.request.body?.parse(body),
  });
  if (required !== undefined) return typeof required === 'string' ? [[required]] : required;
  if (!endpoint.scopesForLoaded) return sets;
  const accepted: ScopeSets[number][] = [];
  for (const set of sets) if (await acceptsSet(endpoint, api, set)) accepted.push(set);
  return accepted;
}

/** The beginning of the message when a caller lacks what the endpoint declares. Handlers that refuse say why. */
const lacking = 'This request requires the scope';

/** @returns whether a key with this set of scopes gets as far as the handler of the endpoint */
export async function acceptsSet(
  endpoint: Endpoint,
  api: ContractApi,
  set: ScopeSets[number],
): Promise<boolean> {
  const { secret: key } = await api.createKey({ scopes: set });
  const { status, error } = await send(endpoint, api, { key });
  return status !== 403 || !error.message?.startsWith(lacking);
}

/** @returns each way to leave one scope of each set out */
const waysOut = (sets: ScopeSets): Scope[][] =>
  sets.reduce<Scope[][]>((ways, set) => ways.flatMap((way) => set.map((scope) => [...way, scope])), [[]]);

/** @returns as many scopes as possible that include none of these: some scopes together include a scope */
function without(left: readonly Scope[]): Scope[] {
  const kept: Scope[] = [];
  for (const scope of allScopes) if (!left.some((one) => holds([...kept, scope], one))) kept.push(scope);
  return kept;
}

/** @returns what a key with these scopes lacks of the sets of which it lacks least */
function leastLack(scopes: readonly Scope[], sets: ScopeSets): Scope[] {
  const lacks = sets.map((set) => set.filter((scope) => !holds(scopes, scope)));
  const least = Math.min(...lacks.map(({ length }) => length));
  return lacks.filter(({ length }) => length === least).flat();
}

const refusesKey = (
  when: string,
  key: (api: ContractApi) => Promise<CallOptions> | CallOptions,
): ContractRow => ({
  proves: 'unauthorized',
  when,
  applies: takesCredential,
  async act(endpoint, api) {
    const response = await send(endpoint, api, await key(api));
    expect(response.headers['WWW-Authenticate']).toBe('Bearer');
    return response;
  },
});

const unauthorized = (...row: Parameters<typeof refusesKey>): ContractRow => ({
  ...refusesKey(...row),
  inPipeline: true,
});

/** Sends the endpoint's sample after something has happened to the project in its path. */
async function sendAfter(
  endpoint: Endpoint,
  api: ContractApi,
  happens: (project: string) => Promise<ApiResponse>,
): Promise<ApiResponse> {
  const { path, body } = await sampleOf(endpoint.id, api);
  const happened = await happens(path.split('/').slice(0, 3).join('/'));
  expect(happened.status, happened.text).toBe(200);
  return api.call(endpoint.method, path, { ...(body && { body }) });
}

/** A request that shares its Idempotency-Keys with the endpoint's: in the same project, or below none. */
async function firstRequest(endpoint: Endpoint, path: string, api: ContractApi) {
  if (!namesProject(endpoint)) return { path: '/projects', body: { name: 'the first' } };
  const project = path.split('/').slice(0, 3).join('/');
  // It may be one that the sample has deleted, and that is to be restored.
  await api.call('POST', `${project}/restore`);
  return {
    path: `${project}/conversations`,
    body: { avatarId: 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E', channel: 'first' },
  };
}

/** A query for a request that waits for what does not come. */
const waiting = (id: string) =>
  id === 'jobs.get' || id === 'replies.get' ? '?waitSeconds=1' : '?afterSeq=1&waitSeconds=1';

/** Makes the DynamoDB client fail with this error, or the clock where the endpoint has no table. */
const broken = (endpoint: Endpoint, error: Error) => () => {
  const fail = () => {
    throw error;
  };
  return Object.keys(endpoint.access).length > 0
    ? { client: { send: async () => fail() } as never }
    : { nowMs: fail };
};

/** Sends the endpoint's sample to an API that fails with this error. */
async function sendAiling(endpoint: Endpoint, api: ContractApi, error: Error) {
  const { path, body } = await sharedSampleOf(endpoint, api);
  const ailing = await openApi(broken(endpoint, error));
  const response = await ailing.call(endpoint.method, path, { key: api.rootKey, ...(body && { body }) });
  return { response, ailing };
}

export const contract: readonly ContractRow[] = [
  unauthorized('no credential', () => ({ key: null })),
  unauthorized('another scheme', ({ rootKey }) => ({
    key: null,
    headers: { Authorization: `Basic ${rootKey}` },
  })),
  unauthorized('another prefix', async ({ rootKey }) => ({ key: rootKey.replace('sk_live_', 'pk_live_') })),
  unauthorized('a key with one character changed', ({ rootKey }) => ({
    key: rootKey.slice(0, 70) + (rootKey[70] === 'a' ? 'b' : 'a') + rootKey.slice(71),
  })),
  unauthorized("a live key in test mode's clothes", ({ rootKey }) => ({
    key: rootKey.replace('live', 'test'),
  })),
  unauthorized('a well-formed key with another secret', ({ rootKey }) => {
    const location = parseApiKey(rootKey);
    if (!location) throw new Error('the root key does not parse');
    return { key: makeApiKey(location, randomBytes).secret };
  }),
  unauthorized('an access token, where no issuer is configured', () => ({
    key: 'eyJhbGciOiJSUzI1NiIsImtpZCI6ImEifQ.eyJzdWIiOiJzb21lYm9keSJ9.c2lnbmF0dXJl',
  })),
  unauthorized('a key from an address that is not allowed', async (api) => ({
    key: (await api.createKey({ scopes: allScopes, allowedCidrs: ['192.0.2.0/24', '2001:db8::/32'] })).secret,
  })),
  unauthorized('the old secret of a key that was rotated', async (api) => {
    const { id, secret } = await api.createKey({ scopes: allScopes });
    await api.call('POST', `/api-keys/${id}/rotate`, { body: { overlap: 0 } });
    return { key: secret };
  }),
  refusesKey('a revoked key', async (api) => {
    const { id, secret } = await api.createKey({ scopes: allScopes });
    await api.call('DELETE', `/api-keys/${id}`);
    return { key: secret };
  }),
  {
    ...unauthorized('an expired key', async (api) => {
      const { secret } = await api.createKey({ scopes: allScopes, expiresIn: '1d' });
      api.advance?.(dayMs);
      return { key: secret };
    }),
    needs: 'clock',
    changes: true,
  },
  {
    proves: 'organisation_suspended',
    when: 'an organisation that its operator has suspended, but only with a valid key of it',
    inPipeline: true,
    applies: takesCredential,
    async act(endpoint, api) {
      const location = parseApiKey(api.rootKey);
      if (!location || !api.whileSuspended) throw new Error('this API has no operator');
      const guessed = makeApiKey(location, randomBytes).secret;
      await sharedSampleOf(endpoint, api);
      return api.whileSuspended(async () => {
        expect((await send(endpoint, api, { key: guessed })).error.code).toBe('unauthorized');
        return send(endpoint, api);
      });
    },
  },
  {
    proves: 'insufficient_scope',
    when: 'a key with every scope but one of each set, and the message names what is missing',
    applies: takesScope,
    async act(endpoint, api) {
      const sets = await setsForSample(endpoint, api);
      const refused: ApiResponse[] = [];
      for (const left of waysOut(sets)) {
        const scopes = without(left);
        const { secret: key } = await api.createKey({ scopes });
        const response = await send(endpoint, api, { key });
        expect([left, response.status, response.error?.code]).toEqual([left, 403, 'insufficient_scope']);
        for (const scope of leastLack(scopes, sets)) expect(response.error.message).toContain(scope);
        refused.push(response);
      }
      return refused[0] as ApiResponse;
    },
  },
  {
    proves: 'validation_error',
    when: 'an unknown query parameter, and the details name it',
    inPipeline: true,
    applies: always,
    async act(endpoint, api) {
      const response = await send(endpoint, api, { query: '?colour=red' });
      expect(response.error.details).toEqual([{ path: 'colour', message: 'unknown field' }]);
      return response;
    },
  },
  {
    proves: 'validation_error',
    when: 'an unknown body field, and the details name it',
    inPipeline: true,
    applies: takesBody,
    async act(endpoint, api) {
      const { body } = await sharedSampleOf(endpoint, api);
      const response = await send(endpoint, api, { body: { ...body, colour: 'red' } });
      expect(response.error.details).toEqual([{ path: 'colour', message: 'unknown field' }]);
      return response;
    },
  },
  {
    proves: 'validation_error',
    when: 'a body where none is taken',
    inPipeline: true,
    applies: (endpoint) => !takesBody(endpoint),
    act: (endpoint, api) => send(endpoint, api, { body: { colour: 'red' } }),
  },
  ...['[]', 'null', '"text"', '5', '{"__proto__":{"admin":true}}', '{"name":{"__proto__":1}}'].map(
    (rawBody): ContractRow => ({
      proves: 'validation_error',
      when: `the body ${rawBody}`,
      inPipeline: true,
      applies: takesBody,
      act: (endpoint, api) => send(endpoint, api, { rawBody }),
    }),
  ),
  ...(
    [
      ['a broken body', '{"name":', takesBody],
      ['an empty body', '', requiresBody],
      ['a body nested 100 000 deep', '['.repeat(100_000) + ']'.repeat(100_000), takesBody],
    ] as const
  ).map(
    ([when, rawBody, applies]): ContractRow => ({
      proves: 'invalid_json',
      when,
      inPipeline: true,
      applies,
      act: (endpoint, api) =>
        send(endpoint, api, { rawBody, headers: { 'Content-Type': 'application/json' } }),
    }),
  ),
  {
    proves: 'payload_too_large',
    when: 'a body of 256 KB and one byte',
    inPipeline: true,
    applies: always,
    act: (endpoint, api) => send(endpoint, api, { rawBody: `"${'x'.repeat(256 * 1024 - 1)}"` }),
  },
  ...[
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonp',
    'multipart/form-data',
    'application/json; charset=utf-16',
  ].map(
    (type): ContractRow => ({
      proves: 'unsupported_media_type',
      when: `a body as ${type}`,
      inPipeline: true,
      applies: always,
      act: (endpoint, api) => send(endpoint, api, { rawBody: '{}', headers: { 'Content-Type': type } }),
    }),
  ),
  {
    proves: 'unsupported_media_type',
    when: 'a compressed body',
    inPipeline: true,
    applies: always,
    act: (endpoint, api) => send(endpoint, api, { rawBody: '{}', headers: { 'Content-Encoding': 'gzip' } }),
  },
  {
    proves: 'not_found',
    when: "another organisation's resource",
    applies: takesOwnId,
    async act(endpoint, api) {
      const other = await api.another();
      return send(endpoint, api, { key: other.rootKey });
    },
  },
  {
    proves: 'not_found',
    when: 'a live resource with a test-mode key of the same organisation',
    applies: takesOwnId,
    act: async (endpoint, api) => send(endpoint, api, { key: await api.testModeKey() }),
  },
  {
    proves: 'not_found',
    when: 'an id that cannot be one',
    inPipeline: true,
    applies: takesId,
    async act(endpoint, api) {
      const { body } = await sharedSampleOf(endpoint, api);
      const path = endpoint.path.replace(/\{\w+\}/g, '..%2F%00');
      return api.call(endpoint.method, path, { ...(body && { body }) });
    },
  },
  {
    proves: 'not_found',
    when: 'a project that the key is not bound to',
    applies: namesProject,
    async act(endpoint, api) {
      const projectIds = [await api.createProject()];
      const { secret } = await api.createKey({ scopes: allScopes, projectIds });
      return send(endpoint, api, { key: secret });
    },
  },
  {
    proves: 'not_found',
    when: 'a deleted project, though what is below it is as it was',
    applies: isBelowProject,
    changes: true,
    act: (endpoint, api) => sendAfter(endpoint, api, (project) => api.call('DELETE', project)),
  },
  {
    proves: 'project_archived',
    when: 'an archived project',
    applies: ({ project }) => project === 'active',
    changes: true,
    act: (endpoint, api) =>
      sendAfter(endpoint, api, (project) => api.call('PATCH', project, { body: { status: 'archived' } })),
  },
  {
    proves: 'version_mismatch',
    when: 'an If-Match of another version',
    applies: ({ ifMatch }) => ifMatch,
    act: (endpoint, api) => send(endpoint, api, { headers: { 'If-Match': '"4711", W/"1"' } }),
  },
  {
    proves: 'validation_error',
    when: 'an If-Match that is none',
    inPipeline: true,
    applies: ({ ifMatch }) => ifMatch,
    act: (endpoint, api) => send(endpoint, api, { headers: { 'If-Match': '1' } }),
  },
  ...(
    [
      ['an empty Idempotency-Key', ''],
      ['an Idempotency-Key of an empty string', '""'],
      ['an Idempotency-Key of 256 characters', 'k'.repeat(256)],
      ['an Idempotency-Key that is not ASCII', 'schlüssel'],
      ['an Idempotency-Key with a tab in it', 'a\tb'],
    ] as const
  ).map(
    ([when, idempotencyKey]): ContractRow => ({
      proves: 'invalid_idempotency_key',
      when,
      inPipeline: true,
      applies: isIdempotent,
      act: (endpoint, api) => send(endpoint, api, { idempotencyKey }),
    }),
  ),
  {
    proves: 'idempotency_key_reused',
    when: 'the Idempotency-Key of another request, whose own answer stays',
    applies: isIdempotent,
    changes: true,
    async act(endpoint, api) {
      const sample = await sampleOf(endpoint.id, api);
      const { path: firstPath, body: firstBody } = await firstRequest(endpoint, sample.path, api);
      const first = { body: firstBody, idempotencyKey: 'one' };
      const created = await api.call('POST', firstPath, first);
      expect(created.status, created.text).toBe(201);
      const response = await api.call(endpoint.method, sample.path, {
        ...(sample.otherBody && { body: sample.otherBody }),
        idempotencyKey: 'one',
      });
      const again = await api.call('POST', firstPath, first);
      expect(again.text).toBe(created.text);
      return response;
    },
  },
  {
    proves: 'rate_limited',
    when: 'a key with one request per hour, the second time, and the headers say when it may come again',
    inPipeline: true,
    applies: takesCredential,
    async act(endpoint, api) {
      const rateLimit = { requests: 1, per: '1h' };
      const { secret } = await api.createKey({ scopes: allScopes, rateLimit });
      const first = await api.call('GET', '/api-keys/me', { key: secret });
      expect(first.headers).toMatchObject({
        RateLimit: expect.stringMatching(/^"key";r=0;t=[1-9]\d*$/),
        'RateLimit-Policy': '"key";q=1;w=3600',
      });
      const response = await send(endpoint, api, { key: secret });
      const seconds = response.headers['Retry-After'];
      expect(response.headers).toMatchObject({
        'Retry-After': expect.stringMatching(/^[1-9]\d*$/),
        RateLimit: `"key";r=0;t=${seconds}`,
        'RateLimit-Policy': '"key";q=1;w=3600',
      });
      expect(response.error.message).toContain('the limit of this API key is 1 per 1h');
      return response;
    },
  },
  {
    proves: 'quota_exceeded',
    needs: 'faults',
    when: 'a quota of zero',
    applies: ({ errors }) => errors.includes('quota_exceeded'),
    async act(endpoint, api) {
      const isStream = endpoint.raw === 'events';
      // The reply of the sample has ended, so that its stream does not wait.
      const { path, body } = isStream ? await streamOfOpenReply(api) : await sharedSampleOf(endpoint, api);
      const quotas = Object.fromEntries([...dailyQuotas, ...concurrentQuotas].map((name) => [name, 0]));
      const limited = await openApi(() => ({
        limits: { ...defaultLimits, live: { rateLimit: null, quotas } },
      }));
      const isPatch = endpoint.id === 'knowledge.documents.update';
      const sent = isPatch ? { content: 'another' } : body;
      const response = await limited.call(
        endpoint.method,
        `${path}${endpoint.method === 'GET' && !isStream ? waiting(endpoint.id) : ''}`,
        {
          key: api.rootKey,
          ...(sent && { body: sent }),
        },
      );
      expect(response.error.message).toMatch(/quota of 0 .*\(quotas\.\w+\)/);
      return response;
    },
  },
  {
    proves: 'internal_error',
    needs: 'faults',
    when: 'something breaks, and not a word of it gets out',
    inPipeline: true,
    applies: always,
    async act(endpoint, api) {
      const { response, ailing } = await sendAiling(endpoint, api, new Error('password=hunter2'));
      expect(response.text).not.toContain('hunter2');
      expect(ailing.faultLines()).toMatchObject([{ level: 'error', message: 'internal_error' }]);
      return response;
    },
  },
  {
    proves: 'service_unavailable',
    needs: 'faults',
    when: 'DynamoDB throttles, and the answer says when to come again',
    inPipeline: true,
    applies: always,
    async act(endpoint, api) {
      const throttled = Object.assign(new Error('slow down'), { name: 'ThrottlingException' });
      const { response } = await sendAiling(endpoint, api, throttled);
      expect(response.headers['Retry-After']).toBe('1');
      return response;
    },
  },
];
