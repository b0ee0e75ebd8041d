/**
 * Limits of requests, from the request to the response. test/lib/limits/limiter.test.ts tests how many requests a limit lets
 * through, and test/contract.test.ts that every endpoint refuses.
 */
// @module-tag long

import { describe, expect, test } from 'vitest';
import type { RateLimit } from '../../lib/base/rate-limit.ts';
import { allScopes } from '../../lib/base/scopes.ts';
import { defaultLimits } from '../../lib/base/stage-limits.ts';
import { dayMs, hourMs, minuteMs } from '../../lib/base/time.ts';
import type { Runtime } from '../../lib/http/runtime.ts';
import { meter } from '../../measures/meter.ts';
import { type ApiResponse, openApi, storedOf, type TestApi } from '../../samples/api.ts';
import { intercept } from '../support/faults.ts';

const perHour = (requests: number): RateLimit => ({ requests, per: '1h' });

const limitedKey = async (api: Pick<TestApi, 'createKey'>, rateLimit: RateLimit) =>
  api.createKey({ scopes: allScopes, rateLimit });

const headersOf = ({ headers }: ApiResponse) => [headers['RateLimit-Policy'], headers.RateLimit];
/** The remaining requests, as a response says. */
const left = ({ headers }: ApiResponse) => Number(/r=(\d+)/.exec(headers.RateLimit ?? '')?.[1]);

/** An API at the begin of an hour, so that no test meets the end of a window. */
async function openAtWindow(adjust: (runtime: Runtime) => Partial<Runtime> = () => ({})) {
  const api = await openApi(adjust);
  api.advance(hourMs - (api.runtime.nowMs() % hourMs));
  return api;
}

async function openMetered() {
  let metered = meter({} as never);
  const api = await openAtWindow(({ client }) => {
    metered = meter(client);
    return { client: metered.client };
  });
  const cost = async (send: () => Promise<ApiResponse>) => {
    metered.reset();
    const response = await send();
    expect(response.status, response.text).toBeLessThan(300);
    const { roundTrips, readUnits, writeUnits } = metered.usage();
    return { roundTrips, readUnits, writeUnits };
  };
  /** @returns the additional cost of a request with a limit */
  const surcharge = async (method: string, path: string, body?: object) => {
    const { secret: unlimited } = await api.createKey({ scopes: allScopes });
    const { secret: limited } = await limitedKey(api, perHour(100));
    const costs = [];
    for (const key of [unlimited, limited]) {
      // The first use of a key is noted, and the first request of a window opens it.
      await api.call('GET', '/api-keys/me', { key });
      costs.push(await cost(() => api.call(method, path, { key, ...(body && { body }) })));
    }
    const [without, within] = costs;
    if (!without || !within) throw new Error('nothing was measured');
    return {
      roundTrips: within.roundTrips - without.roundTrips,
      readUnits: within.readUnits - without.readUnits,
      writeUnits: within.writeUnits - without.writeUnits,
    };
  };
  return { api, surcharge };
}

describe('a limit costs', () => {
  test('one write unit, in parallel with what the handler reads', async () => {
    const { surcharge } = await openMetered();
    expect(await surcharge('GET', '/projects')).toEqual({ roundTrips: 0, readUnits: 0, writeUnits: 1 });
  });

  test('one write unit and one round trip where the handler reads nothing', async () => {
    const { api, surcharge } = await openMetered();
    const project = await api.createProject();
    const more = { roundTrips: 1, readUnits: 0, writeUnits: 1 };
    expect(await surcharge('GET', `/projects/${project}`)).toEqual(more);
    expect(await surcharge('POST', '/projects', { name: 'p' })).toEqual(more);
  });

  test('nothing where there is none', async () => {
    const api = await openApi();
    const response = await api.call('GET', '/projects');
    expect(headersOf(response)).toEqual([undefined, undefined]);
    expect(await storedOf(api, 'limits')).toEqual([]);
  });
});

describe('a refused request', () => {
  test('has no effect, and its Idempotency-Key is as good as new', async () => {
    const api = await openAtWindow();
    const { secret: key } = await limitedKey(api, perHour(2));
    const create = (name: string) =>
      api.call('POST', '/projects', { key, body: { name }, idempotencyKey: name });
    expect([(await create('a')).status, (await create('b')).status]).toEqual([201, 201]);
    const refused = await create('c');
    expect([refused.status, refused.error.code]).toEqual([429, 'rate_limited']);
    expect((await api.call('GET', '/projects')).data.items).toHaveLength(2);
    // A limit of 2 frees one when half of the next window is over.
    expect(Number(refused.headers['Retry-After'])).toBeCloseTo((1.5 * hourMs) / 1000, -2);
    api.advance(Number(refused.headers['Retry-After']) * 1000);
    const created = await create('c');
    expect([created.status, created.headers['Idempotent-Replayed']]).toEqual([201, undefined]);
  });

  test('gets 429 whatever else is wrong with it', async () => {
    const api = await openAtWindow();
    const { secret: key } = await limitedKey(api, perHour(1));
    await api.call('GET', '/projects', { key });
    for (const path of ['/projects?colour=red', '/projects/proj_01JZ4Y7Q8R5T2V9W3X6B0C1D4E']) {
      expect((await api.call('GET', path, { key })).status).toBe(429);
    }
  });

  test('does not wait, and holds no place among those who do', async () => {
    const api = await openAtWindow();
    const path = `${await api.createConversation()}/transcript?waitSeconds=20`;
    const { secret: key } = await limitedKey(api, perHour(1));
    await api.call('GET', '/projects', { key });
    const begunMs = performance.now();
    expect((await api.call('GET', path, { key })).status).toBe(429);
    expect(performance.now() - begunMs).toBeLessThan(15_000);
    expect(await storedOf(api, 'idempotency')).toEqual([]);
  });
});

describe('counted is', () => {
  test('every verified request, whatever its response: also replays, 304 and errors', async () => {
    const api = await openAtWindow();
    const path = await api.createConversation();
    const environment = `${path.split('/').slice(0, 3).join('/')}/environments/production`;
    await api.call('POST', environment.replace(/environments.*/, 'deployments'), {
      body: { environment: 'production' },
    });
    const { secret: key } = await limitedKey(api, perHour(100));
    const create = () => api.call('POST', '/projects', { key, body: { name: 'a' }, idempotencyKey: 'one' });
    const config = (headers = {}) => api.call('GET', `${environment}/config`, { key, headers });
    const responses = [
      await create(),
      await create(),
      await config(),
      await api.call('GET', '/projects?colour=red', { key }),
      await api.call('GET', '/projects/proj_01JZ4Y7Q8R5T2V9W3X6B0C1D4E', { key }),
    ];
    const etag = responses[2]?.headers.ETag ?? '';
    responses.push(await config({ 'If-None-Match': etag }));
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 200, 400, 404, 304]);
    expect(responses[1]?.headers['Idempotent-Replayed']).toBe('true');
    expect(responses.map(left)).toEqual([99, 98, 97, 96, 95, 94]);
  });

  test('one request for one that waits', async () => {
    const clock = { waitedMs: 0 };
    const api = await openAtWindow(() => ({
      elapsedMs: () => clock.waitedMs,
      async sleep(ms: number) {
        clock.waitedMs += ms;
      },
    }));
    const path = `${await api.createConversation()}/transcript`;
    const { secret: key } = await limitedKey(api, perHour(100));
    expect(left(await api.call('GET', `${path}?waitSeconds=20`, { key }))).toBe(99);
    expect(clock.waitedMs).toBe(20_000);
    expect(left(await api.call('GET', path, { key }))).toBe(98);
  });

  test('nothing for a wrong secret, however often: who knows the id of a key cannot use its limit up', async () => {
    const api = await openAtWindow();
    const { secret } = await limitedKey(api, perHour(2));
    const wrong = secret.slice(0, 70) + (secret[70] === 'a' ? 'b' : 'a') + secret.slice(71);
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        const response = await api.call('GET', '/projects', { key: wrong });
        expect([response.status, ...headersOf(response)]).toEqual([401, undefined, undefined]);
      }),
    );
    expect(await storedOf(api, 'limits')).toEqual([]);
    expect(left(await api.call('GET', '/projects', { key: secret }))).toBe(1);
  });
});

describe('the limit of an organisation', () => {
  const limits = { ...defaultLimits, live: { rateLimit: perHour(3), quotas: {} } };

  test('applies to all of its credentials together, and the headers list both limits', async () => {
    const api = await openAtWindow(() => ({ limits }));
    const { secret: key } = await limitedKey(api, perHour(100));
    expect(headersOf(await api.call('GET', '/projects', { key }))).toEqual([
      '"key";q=100;w=3600, "tenant";q=3;w=3600',
      expect.stringMatching(/^"key";r=99;t=\d+, "tenant";r=1;t=\d+$/),
    ]);
    expect(headersOf(await api.call('GET', '/projects'))).toEqual([
      '"tenant";q=3;w=3600',
      expect.stringMatching(/^"tenant";r=0;t=\d+$/),
    ]);
    const refused = await api.call('GET', '/projects', { key });
    expect([refused.status, refused.error.message]).toEqual([
      429,
      expect.stringContaining('the limit of all credentials of the organisation in this mode is 3 per 1h'),
    ]);
    // It used up nothing of the key.
    api.advance(2 * dayMs);
    expect(left(await api.call('GET', '/projects', { key }))).toBe(99);
  });

  test('is 6000 per minute for test data, and none for live data', async () => {
    const api = await openAtWindow();
    const key = await api.testModeKey();
    expect(headersOf(await api.call('GET', '/projects', { key }))).toEqual([
      '"tenant";q=6000;w=60',
      expect.stringMatching(/^"tenant";r=5999;t=\d+$/),
    ]);
    expect(headersOf(await api.call('GET', '/projects'))).toEqual([undefined, undefined]);
  });

  test('is apart for test data, which can take nothing from live data', async () => {
    const one = { rateLimit: perHour(2), quotas: {} };
    const api = await openAtWindow(() => ({ limits: { live: one, test: one } }));
    const key = await api.testModeKey();
    const inTest = [];
    for (let sent = 0; sent < 4; sent += 1) inTest.push((await api.call('GET', '/projects', { key })).status);
    expect(inTest).toEqual([200, 200, 429, 429]);
    expect((await api.call('GET', '/projects')).status).toBe(200);
  });
});

describe('if limits cannot be counted, requests pass', () => {
  const failing = (fault: () => Promise<never>) =>
    openAtWindow(({ client }) => ({
      limiterPatienceMs: 50,
      client: intercept(client, ({ input }) =>
        (input as { TableName?: string }).TableName?.endsWith('limits') ? fault() : undefined,
      ),
    }));

  test('and the log has a line with a metric, for the alarm', async () => {
    const outage = Object.assign(new Error('slow down'), { name: 'ThrottlingException' });
    const api = await failing(() => Promise.reject(outage));
    const { secret: key } = await limitedKey(api, perHour(1));
    for (const _ of [1, 2]) {
      const response = await api.call('POST', '/projects', { key, body: { name: 'p' } });
      expect([response.status, ...headersOf(response)]).toEqual([201, '"key";q=1;w=3600', undefined]);
    }
    expect(api.faultLines()).toMatchObject([
      { level: 'warn', message: 'a limit could not be counted', limiterFailures: 1, fault: outage },
      { limiterFailures: 1 },
    ]);
  });

  test('soon, also if DynamoDB does not answer', async () => {
    const api = await openAtWindow(({ client }) => ({
      limiterPatienceMs: 50,
      client: {
        send: ((command: { input: { TableName?: string } }, options?: { abortSignal?: AbortSignal }) =>
          command.input.TableName?.endsWith('limits')
            ? new Promise((_, reject) => {
                options?.abortSignal?.addEventListener('abort', () => reject(options.abortSignal?.reason));
              })
            : client.send(command as never)) as never,
      },
    }));
    const { secret: key } = await limitedKey(api, perHour(1));
    expect((await api.call('GET', '/projects', { key })).status).toBe(200);
    expect(api.faultLines()).toMatchObject([{ limiterFailures: 1 }]);
  });
});

describe('a change of the limit', () => {
  test('takes effect with the next request', async () => {
    const api = await openAtWindow();
    const { id, secret: key } = await limitedKey(api, perHour(1));
    const change = async (rateLimit: RateLimit | null) => {
      const response = await api.call('PATCH', `/api-keys/${id}`, { body: { rateLimit } });
      expect([response.status, response.data.rateLimit]).toEqual([200, rateLimit]);
    };
    const get = async () => (await api.call('GET', '/projects', { key })).status;
    expect([await get(), await get()]).toEqual([200, 429]);
    await change(perHour(2));
    expect([await get(), await get()]).toEqual([200, 429]);
    await change({ requests: 1, per: '1m' });
    expect([await get(), await get()]).toEqual([200, 429]);
    await change(null);
    const free = await api.call('GET', '/projects', { key });
    expect([free.status, ...headersOf(free)]).toEqual([200, undefined, undefined]);
  });

  test('is none by rotation', async () => {
    const api = await openAtWindow();
    const { id, secret } = await limitedKey(api, perHour(3));
    expect(left(await api.call('GET', '/projects', { key: secret }))).toBe(2);
    const { data } = await api.call('POST', `/api-keys/${id}/rotate`, { body: {} });
    expect(data.rateLimit).toEqual(perHour(3));
    expect(left(await api.call('GET', '/projects', { key: `${data.secret}` }))).toBe(1);
    expect(left(await api.call('GET', '/projects', { key: secret }))).toBe(0);
  });
});

test('fifty callers at many times the limit: no more pass than the documented bound', async () => {
  let clockMs = 0;
  const api = await openApi(({ nowMs }) => {
    // The time passes with the requests: a slow machine sends as many of them in a second.
    const begunMs = nowMs();
    return { nowMs: () => begunMs + clockMs };
  });
  const requests = 20;
  const { secret: key } = await limitedKey(api, { requests, per: '1s' });
  let [passed, refused] = [0, 0];
  const caller = async () => {
    while (clockMs < 2000) {
      clockMs += 8;
      const { status } = await api.call('GET', '/api-keys/me', { key });
      if (status === 200) passed += 1;
      else refused += 1;
    }
  };
  await Promise.all(Array.from({ length: 50 }, caller));
  expect(passed + refused).toBe(250);
  expect(passed).toBeGreaterThanOrEqual(requests);
  expect(passed).toBeLessThanOrEqual(requests * (1 + clockMs / 1000));
});

test('counters expire', async () => {
  const api = await openAtWindow();
  const { secret: key } = await limitedKey(api, { requests: 5, per: '1m' });
  const nowMs = api.runtime.nowMs();
  await api.call('GET', '/projects', { key });
  const [{ ttl } = {}] = await storedOf(api, 'limits');
  expect(Number(ttl) * 1000).toBeGreaterThanOrEqual(nowMs);
  expect(Number(ttl) * 1000).toBeLessThanOrEqual(nowMs + 3 * minuteMs);
});
