/** The limiter, on DynamoDB Local, with a clock of its own: races for a window, and what a limit lets through. */

import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { periodsMs, type RateLimit } from '../../../lib/base/rate-limit.ts';
import { openSession, sendUpdate } from '../../../lib/dynamodb/session.ts';
import { createLimiter, type Limiter, type Policy, type Standing } from '../../../lib/limits/limiter.ts';
import { meter } from '../../../measures/meter.ts';
import { testRuntime } from '../../../samples/api.ts';

/** In the future, so that DynamoDB Local does not remove counters by TTL. */
const startMs = Date.parse('2126-03-01T09:30:00Z');
const perMinute = (requests: number): RateLimit => ({ requests, per: '1m' });
const times = <Result>(count: number, make: (index: number) => Result): Result[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** A key of a tenant of its own. Each function of it is a `createLimiter()`. */
function openKey() {
  const { client, tableNames } = testRuntime();
  const metered = meter(client);
  const tenant = `org_${randomUUID()}#live`;
  const faults: unknown[] = [];
  const policy = (limit: RateLimit, name: Policy['name'] = 'key'): Policy => ({ name, holder: name, limit });

  async function ask(limiter: Limiter, policies: readonly Policy[], nowMs: number, chance = 0) {
    const session = openSession(metered.client, tableNames, { limits: ['UpdateItem'] });
    const work: Promise<unknown>[] = [];
    const standings = await limiter(policies, {
      tenant,
      nowMs,
      chance,
      send: (parameters) => sendUpdate(session, 'limits', parameters),
      later: (one) => void work.push(one),
      onFailure: (fault) => void faults.push(fault),
    });
    await Promise.all(work);
    return standings;
  }

  return { ask, policy, faults, writes: () => metered.usage().writeUnits, reset: metered.reset };
}

const isPassed = (standings: readonly Standing[]) => !standings.some(({ isRefused }) => isRefused);

/** Sends this many requests at once, each to a function of its own. @returns how many pass */
async function storm(
  { ask, policy }: ReturnType<typeof openKey>,
  { count, limit, nowMs }: { count: number; limit: RateLimit; nowMs: number },
): Promise<number> {
  const all = await Promise.all(
    times(count, (index) => ask(createLimiter(), [policy(limit)], nowMs, index / count)),
  );
  return all.filter(isPassed).length;
}

describe('fifty functions at the same time', () => {
  test('let exactly the limit through in the first window: one of them opens it, and none is lost', async () => {
    const key = openKey();
    expect(await storm(key, { count: 50, limit: perMinute(20), nowMs: startMs })).toBe(20);
    expect(key.faults).toEqual([]);
  });

  test('let everything through below the limit, also at the start of the next window', {
    tags: ['long'],
  }, async () => {
    const key = openKey();
    const limit = perMinute(200);
    expect(await storm(key, { count: 50, limit, nowMs: startMs + 1000 })).toBe(50);
    expect(await storm(key, { count: 50, limit, nowMs: startMs + 60_000 })).toBe(50);
    expect(await storm(key, { count: 50, limit, nowMs: startMs + 240_000 })).toBe(50);
    expect(key.faults).toEqual([]);
  });

  test('count the part of the previous window that is less than a period ago', async () => {
    const key = openKey();
    const limit = perMinute(20);
    expect(await storm(key, { count: 50, limit, nowMs: startMs + 59_999 })).toBe(20);
    expect(await storm(key, { count: 50, limit, nowMs: startMs + 60_000 })).toBe(0);
    expect(await storm(key, { count: 50, limit, nowMs: startMs + 75_000 })).toBe(5);
    expect(await storm(key, { count: 50, limit, nowMs: startMs + 90_000 })).toBe(5);
  });

  test('share a limit of more than 500 per second, and none of it is lost', { tags: ['long'] }, async () => {
    const key = openKey();
    const limit: RateLimit = { requests: 501, per: '1s' };
    const limiters = times(50, createLimiter);
    const outcomes = await Promise.all(
      times(540, (index) =>
        key.ask(limiters[index % 50] as Limiter, [key.policy(limit)], startMs, (index * 0.618) % 1),
      ),
    );
    expect(outcomes.filter(isPassed).length).toBe(501);
  });
});

describe('a request costs', () => {
  test('one write unit, and two for the first one of a window', async () => {
    const { ask, policy, writes, reset } = openKey();
    const limiter = createLimiter();
    const unitsAt = async (nowMs: number) => {
      reset();
      await ask(limiter, [policy(perMinute(20))], nowMs);
      return writes();
    };
    expect(await unitsAt(startMs)).toBe(2);
    expect(await unitsAt(startMs + 1)).toBe(1);
    expect(await unitsAt(startMs + 59_999)).toBe(1);
    expect(await unitsAt(startMs + 60_000)).toBe(2);
    expect(await unitsAt(startMs + 60_001)).toBe(1);
  });

  test('nothing where the limit is known to be reached, until it may pass', async () => {
    const { ask, policy, writes, reset } = openKey();
    const limiter = createLimiter();
    const limit = policy(perMinute(2));
    const at = (nowMs: number) => ask(limiter, [limit, policy(perMinute(9), 'tenant')], nowMs);
    for (const ms of [0, 1, 2]) await at(startMs + ms);
    reset();
    const standings = await at(startMs + 900);
    expect(standings).toEqual([{ policy: limit, isRefused: true, remaining: 0, untilMs: startMs + 90_000 }]);
    expect(writes()).toBe(0);
    expect(isPassed(await at(startMs + 89_900))).toBe(false);
    expect(isPassed(await at(startMs + 90_000))).toBe(true);
  });
});

test('a request that the limit of the key refuses uses up nothing of the tenant', {
  tags: ['long'],
}, async () => {
  const { ask, policy } = openKey();
  const ofTenant = policy(perMinute(10), 'tenant');
  const outcomes = await Promise.all(
    times(50, () => ask(createLimiter(), [policy(perMinute(3)), ofTenant], startMs)),
  );
  expect(outcomes.filter(isPassed).length).toBeLessThanOrEqual(3);
  const [left] = await ask(createLimiter(), [ofTenant], startMs);
  expect(left).toMatchObject({ isRefused: false, remaining: 9 - outcomes.filter(isPassed).length });
});

test('another limit takes effect at once, also where the old one is known to be reached', async () => {
  const key = openKey();
  const limiter = createLimiter();
  const passes = async (requests: number, ms: number) =>
    isPassed(await key.ask(limiter, [key.policy(perMinute(requests))], startMs + ms));
  expect([await passes(2, 0), await passes(2, 0), await passes(2, 0)]).toEqual([true, true, false]);
  expect([await passes(4, 1), await passes(4, 1), await passes(4, 1)]).toEqual([true, true, false]);
  expect(await passes(3, 2)).toBe(false);
  // Of the old limit, no more is left than the new one allows.
  expect(await passes(3, 60_000 + 20_000)).toBe(true);
});

test('a function whose clock is behind or ahead counts in the same window', async () => {
  const key = openKey();
  const limit = perMinute(10);
  expect(await storm(key, { count: 5, limit, nowMs: startMs + 59_900 })).toBe(5);
  expect(await storm(key, { count: 1, limit, nowMs: startMs + 60_000 })).toBe(1);
  // Of 10, one is taken, and the five before count in full.
  expect(await storm(key, { count: 50, limit, nowMs: startMs + 59_950 })).toBe(4);
});

test('a limit that cannot be counted is not known', async () => {
  const faults: unknown[] = [];
  const outage = new Error('no table');
  const standings = await createLimiter()([{ name: 'key', holder: 'key', limit: perMinute(1) }], {
    tenant: 'org#live',
    nowMs: startMs,
    chance: 0,
    send: () => Promise.reject(outage),
    later: () => {},
    onFailure: (fault) => void faults.push(fault),
  });
  expect([standings, faults]).toEqual([[], [outage]]);
});

describe('in any history of requests, with clocks that differ by 200 ms', () => {
  const perMs = periodsMs['1s'];
  const skewMs = 200;
  const step = fc.record({
    afterMs: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 400 }), fc.constant(1500)),
    limiter: fc.integer({ min: 0, max: 3 }),
    skewMs: fc.integer({ min: -skewMs / 2, max: skewMs / 2 }),
    requests: fc.integer({ min: 1, max: 6 }),
  });

  test('no more pass in any time T than requests × (1 + (T + the difference) / per)', {
    tags: ['long'],
  }, async () => {
    const steps = fc.array(step, { minLength: 10, maxLength: 40 });
    const history = fc.record({ limit: fc.integer({ min: 1, max: 12 }), steps });
    await fc.assert(
      fc.asyncProperty(history, async ({ limit: requests, steps }) => {
        const key = openKey();
        const limiters = times(4, createLimiter);
        const passedAtMs: number[] = [];
        let nowMs = startMs;
        for (const { afterMs, limiter, skewMs, requests: count } of steps) {
          nowMs += afterMs;
          const ask = () =>
            key.ask(limiters[limiter] as Limiter, [key.policy({ requests, per: '1s' })], nowMs + skewMs);
          const outcomes = await Promise.all(times(count, ask));
          passedAtMs.push(...outcomes.filter(isPassed).map(() => nowMs));
        }
        expect(key.faults).toEqual([]);
        for (const [first, fromMs] of passedAtMs.entries()) {
          for (const [last, toMs] of passedAtMs.entries()) {
            const most = requests * (1 + (toMs - fromMs + skewMs) / perMs);
            if (last >= first) expect(last - first + 1).toBeLessThanOrEqual(most);
          }
        }
      }),
      { numRuns: 15 },
    );
  });
});
