/** What a request logs, and what it never logs. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endpoints } from '../../../functions/index.ts';
import { createRenderer, describe as describeFault, type LogLine, render } from '../../../lib/base/log.ts';
import { allScopes } from '../../../lib/base/scopes.ts';
import { type CallOptions, openApi } from '../../../samples/api.ts';
import { sampleOf } from '../../../samples/samples.ts';
import { intercept, openMocked } from '../../support/faults.ts';
import { openApiWith, openIssuer, type TestIssuer } from '../../support/tokens.ts';
import { walkOptions } from '../../support/walks.ts';

test('a request logs one line, with its cost', async () => {
  const { call, requestLines, organisationId } = await openApi();
  const { data: key } = await call('GET', '/api-keys/me');
  await call('POST', '/projects', { body: { name: 'p' }, idempotencyKey: 'k', requestId: 'r1' });
  await call('POST', '/projects', { body: { name: 'p' }, idempotencyKey: 'k', requestId: 'r2' });
  await call('GET', '/projects/proj_01JZ4Y7Q8R5T2V9W3X6B0C1D4E', { requestId: 'r3' });
  const caller = { organisation: organisationId, mode: 'live', caller: key.id };
  const common = { level: 'info', message: 'request', ...caller, databaseErrors: 0 };
  expect(requestLines().slice(1)).toEqual([
    {
      ...common,
      requestId: 'r1',
      call: expect.stringMatching(/^call_/),
      endpoint: 'projects.create',
      status: 201,
      error: null,
      durationMs: expect.any(Number),
      coldStart: true,
      replayed: false,
      roundTrips: 2,
      readUnits: 3,
      writeUnits: expect.any(Number),
    },
    expect.objectContaining({
      requestId: 'r2',
      status: 201,
      coldStart: false,
      replayed: true,
      roundTrips: 1,
    }),
    expect.objectContaining({ requestId: 'r3', status: 404, error: 'not_found', endpoint: 'projects.get' }),
  ]);
});

test('a request refused before its caller is known logs a line too', async () => {
  const { call, requestLines } = await openApi();
  await call('GET', '/projects', { key: null });
  expect(requestLines()).toMatchObject([
    { status: 401, error: 'unauthorized', organisation: null, caller: null, roundTrips: 0 },
  ]);
});

test('a failed call of DynamoDB is counted, a failed condition is not', async () => {
  const { api, mock } = await openMocked();
  const id = await api.createProject();
  await Promise.all([1, 2, 3].map((n) => api.call('PATCH', `/projects/${id}`, { body: { name: `${n}` } })));
  expect(api.requestLines().map(({ databaseErrors }) => databaseErrors)).toEqual([0, 0, 0, 0]);
  mock.onAnyCommand().rejects('no');
  // It reads the key, its organisation and the project at the same time.
  await api.call('GET', `/projects/${id}`);
  expect(api.requestLines().at(-1)).toMatchObject({ status: 500, databaseErrors: 3 });
});

test('the line carries its metrics in the embedded metric format', async () => {
  const { call, requestLines } = await openApi();
  await call('GET', '/projects');
  const [line] = requestLines();
  const printed = JSON.parse(render(line as LogLine, 'prod', 1_700_000_000_000));
  expect(printed).toMatchObject({ ...line, serverErrors: 0, coldStarts: 1 });
  expect(printed._aws.Timestamp).toBe(1_700_000_000_000);
  const [{ Namespace, Dimensions, Metrics }] = printed._aws.CloudWatchMetrics;
  expect([Namespace, Dimensions]).toEqual(['PlatformApi/prod', [['endpoint'], []]]);
  for (const { Name } of Metrics) expect(typeof printed[Name], Name).toBe('number');
});

test('a limit that could not be counted has a metric of its own, for the alarm', () => {
  const line: LogLine = {
    level: 'warn',
    message: 'a limit could not be counted',
    requestId: 'r',
    endpoint: 'projects.get',
    limiterFailures: 1,
    fault: new Error('slow down'),
  };
  const told = JSON.parse(render(line, 'prod', 5));
  expect(told).toMatchObject({ limiterFailures: 1, fault: { message: 'slow down' } });
  expect(told._aws.CloudWatchMetrics).toEqual([
    {
      Namespace: 'PlatformApi/prod',
      Dimensions: [[]],
      Metrics: [{ Name: 'limiterFailures', Unit: 'Count' }],
    },
  ]);
  const { limiterFailures: _, ...other } = line;
  expect(JSON.parse(render(other, 'prod', 5))._aws).toBeUndefined();
});

test('a fault is logged with its stack and its causes', () => {
  const cause = new Error('inner');
  const told = describeFault(new TypeError('outer', { cause })) as Record<string, unknown>;
  expect(told).toMatchObject({ name: 'TypeError', message: 'outer', cause: { message: 'inner' } });
  expect(told.stack).toContain('log.test.ts');
});

describe('no secret, token, body or Idempotency-Key is in any line', () => {
  const marker = 'HUSH-HUSH';
  let issuer: TestIssuer;

  beforeAll(async () => {
    issuer = await openIssuer();
  });
  afterAll(() => issuer.close());

  const hidden = { name: marker, metadata: { [marker]: marker } };

  /** Ways to bring secrets in, and ways to fail. */
  const requests: [string, (key: string, token: string) => CallOptions & { query?: string }][] = [
    ['as it should be', () => ({})],
    ['with an unknown field', () => ({ body: hidden })],
    ['with a broken body', () => ({ rawBody: `{"${marker}": "${marker}` })],
    ['with a forbidden member', () => ({ rawBody: `{"__proto__": {"${marker}": 1}}` })],
    ['with a query', () => ({ query: `?${marker}=${marker}` })],
    ['with another type', () => ({ headers: { 'Content-Type': marker } })],
    ['with a broken key', (key) => ({ key: `${key}x` })],
    ['with an access token', (_, token) => ({ key: token })],
    ['with a broken access token', (_, token) => ({ key: `${token}x` })],
    ['with an access token that nobody signed', (_, token) => ({ key: token.replace(/[^.]*$/, '') })],
    ['with a header that is no bearer', () => ({ key: null, headers: { Authorization: `Basic ${marker}` } })],
    ['with an Idempotency-Key', () => ({ idempotencyKey: marker })],
    ['with a bad Idempotency-Key', () => ({ idempotencyKey: `${marker}\u0001` })],
    ['with a header of its own', () => ({ headers: { 'X-Secret': marker } })],
  ];

  describe.each(endpoints.map((endpoint) => [endpoint.id, endpoint] as const))('%s', (id, endpoint) => {
    test('hides them', walkOptions(endpoints, endpoint, 'nightly'), async () => {
      let failing = false;
      const api = await openApiWith(issuer, {}, ({ client }) => ({
        client: intercept(client, () => {
          if (!failing) return undefined;
          // What an SDK might say: the message of its own, and the request hanging on as a property.
          const error = new Error('The provided key element does not match the schema');
          return Promise.reject(Object.assign(error, { request: { body: marker }, $metadata: {} }));
        }),
      }));
      const { secret } = await api.createKey({ scopes: allScopes });
      const token = await api.token({ scopes: allScopes });
      const seen = [secret, api.rootKey, marker, ...token.split('.')];
      let sample = await sampleOf(id, api);
      // What breaks changes nothing, so it comes first.
      for (const broken of [true, false]) {
        for (const [, make] of requests) {
          const { path, body } = sample;
          failing = broken;
          const { query = '', ...options } = make(secret, token);
          const response = await api.call(endpoint.method, path + query, {
            ...(body && { body }),
            key: secret,
            ...options,
          });
          failing = false;
          if (response.data.secret) seen.push(response.data.secret as string);
          // A change that succeeded may not succeed twice.
          if (response.status < 300 && endpoint.method !== 'GET') sample = await sampleOf(id, api);
        }
      }
      const lines = [...api.requestLines(), ...api.faultLines()].map((line) => render(line, 'test', 0));
      expect(lines.length).toBeGreaterThanOrEqual(2 * requests.length);
      for (const line of lines) {
        for (const secretText of seen) expect(line).not.toContain(secretText);
        expect(line).not.toMatch(/sk_(live|test)_[0-9A-Za-z]{20}/);
      }
    });
  });
});

test('every line names the commit of its function', async () => {
  const about = { worker: 'w', tenant: 't', item: 'i' };
  const work = { notices: 1, failed: false, durationMs: 1, roundTrips: 0, readUnits: 0, writeUnits: 0 };
  const lines: LogLine[] = [
    { level: 'info', message: 'work', ...about, ...work, databaseErrors: 0 },
    { level: 'error', message: 'work failed', ...about, fault: new Error('no') },
  ];
  const { call, requestLines } = await openApi();
  await call('GET', '/projects');
  for (const line of [...requestLines(), ...lines]) {
    for (const stage of [undefined, 'prod']) {
      expect(JSON.parse(createRenderer(stage, '4cd1a73b0e12')(line, 0)).commit).toBe('4cd1a73b0e12');
    }
  }
});

test('without a stage a line has its fields and no metrics, so that CloudWatch bills none', async () => {
  const { call, requestLines } = await openApi();
  await call('GET', '/projects');
  const [line] = requestLines();
  const printed = JSON.parse(createRenderer(undefined, '4cd1a73b0e12')(line as LogLine, 0));
  expect(printed).toEqual({ ...line, commit: '4cd1a73b0e12', serverErrors: 0, coldStarts: 1 });
});
