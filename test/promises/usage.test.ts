/**
 * The amounts that an organisation stores in a day are counted also without a quota: as exactly as by the counters of quotas,
 * even if the counting worker is killed or late.
 */

import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultLimits, type Quotas } from '../../lib/base/stage-limits.ts';
import { dayMs, minuteMs, timestamp } from '../../lib/base/time.ts';
import type { Notice } from '../../lib/workers/notice.ts';
import { type Json, openApi, storedOf, type TestApi } from '../../samples/api.ts';
import { deliverNotices, noticesOf } from '../../samples/lambda-queue.ts';
import { changeRecord } from '../../samples/stream-records.ts';
import usageCounter from '../../workers/usage-counter.ts';
import { withTransactionConflicts } from '../support/faults.ts';
import { suspendNow } from '../support/suspensions.ts';
import { countNotices, noticesSince } from '../support/usage.ts';
import { say, storing } from '../support/usage-histories.ts';
import { openMortal } from '../support/workers.ts';

const wide: Quotas = { documents: 1e6, bytes: 1e9, conversations: 1e6, messages: 1e6 };

/** @returns what `GET /usage` says is used */
async function usedOf(api: TestApi, key = api.rootKey): Promise<Json> {
  const { data } = await api.call('GET', '/usage', { key });
  const quotas = data.quotas as Record<string, Json>;
  return Object.fromEntries(
    ['documents', 'bytes', 'conversations', 'messages'].map((name) => [name, quotas[name]?.used]),
  );
}

/** Lets the service go on without quotas. @returns what the counters of the quotas have counted */
async function withoutQuotas(api: TestApi): Promise<Json> {
  const exact = await usedOf(api);
  api.runtime.limits = defaultLimits;
  return exact;
}

const operation = fc.record({
  kind: fc.constantFrom(...(Object.keys(storing) as (keyof typeof storing)[])),
  n: fc.nat({ max: 5 }),
  /** After how many calls the worker is killed, before or after the last one takes effect. */
  callsLeft: fc.integer({ min: 1, max: 5 }),
  afterwards: fc.boolean(),
});

const countsEqual = (numRuns: number) => async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(operation, { minLength: 8, maxLength: 25 }),
      fc.infiniteStream(fc.nat()),
      async (list, random) => {
        const { api, life } = await openMortal({
          limits: { ...defaultLimits, live: { rateLimit: null, quotas: wide } },
        });
        const projects = [await api.createProject(), await api.createProject()];
        const { changed } = noticesSince(api);
        const all: Notice[] = [];
        const shuffled = () => {
          const order = new Map(all.map((notice) => [notice, random.next().value]));
          return all.toSorted((one, other) => (order.get(one) ?? 0) - (order.get(other) ?? 0));
        };
        for (const [index, { kind, n, callsLeft, afterwards }] of list.entries()) {
          await storing[kind](api, projects[index % 2] ?? '', n);
          all.push(...(await changed()));
          Object.assign(life, { callsLeft, afterwards });
          await countNotices(api, shuffled().slice(0, 5)).catch(() => {});
          life.callsLeft = Number.POSITIVE_INFINITY;
        }
        await countNotices(api, shuffled());
        await countNotices(api, shuffled());
        const exact = await withoutQuotas(api);
        expect(await usedOf(api)).toEqual(exact);
      },
    ),
    { numRuns },
  );
};

const areEqual =
  'the counts equal those of quotas, if notices come twice, out of order, and to a worker that is killed';
test(areEqual, countsEqual(1));
test(`${areEqual}: more orders`, { tags: ['nightly'] }, countsEqual(12));

test('a day begins with nothing, and what was counted late for the day before does not change it', async () => {
  const api = await openApi();
  const { changed } = noticesSince(api);
  const path = await api.createConversation();
  await api.call('POST', `${path}/messages`, { body: say('a', 'b') });
  const yesterday = await changed();
  await countNotices(api, yesterday);
  api.advance(dayMs);
  expect(await usedOf(api)).toEqual({ documents: 0, bytes: 0, conversations: 0, messages: 0 });
  const conversation = await api.createConversation();
  await api.call('POST', `${conversation}/messages`, { body: say('abc') });
  const today = await changed();
  await countNotices(api, [...yesterday, ...today]);
  const used = { documents: 0, bytes: 3, conversations: 1, messages: 1 };
  expect(await usedOf(api)).toEqual(used);
  await countNotices(api, yesterday);
  expect(await usedOf(api)).toEqual(used);
});

test('a change counts on its day until a day after its end, once', async () => {
  const api = await openApi();
  // Shortly before midnight, so that the day ends before the worker runs.
  api.advance(dayMs - (api.runtime.nowMs() % dayMs) + dayMs - minuteMs);
  const startMs = api.runtime.nowMs();
  const { changed } = noticesSince(api);
  const say3 = async () =>
    void (await api.call('POST', `${await api.createConversation()}/messages`, { body: say('abc') }));
  const bytesOf = async () => {
    const range = `from=${timestamp(startMs)}&to=${timestamp(startMs + 1)}`;
    const { data } = await api.call('GET', `/usage/days?${range}`);
    return (data.totals as Json).bytes;
  };
  await say3();
  const [first] = [await changed()];
  await say3();
  const second = await changed();
  api.advance(dayMs);
  await countNotices(api, [...first, ...first]);
  expect(await bytesOf()).toBe(3);
  api.advance(minuteMs - 1000 - (api.runtime.nowMs() % minuteMs));
  await countNotices(api, first);
  expect(await bytesOf()).toBe(3);
  // The counted amounts may be removed soon, so nothing is counted any more.
  api.advance(minuteMs);
  await countNotices(api, [...first, ...second]);
  expect(await bytesOf()).toBe(3);
  const kept = (await storedOf(api, 'limits')).filter(({ tenant }) => `${tenant}`.endsWith('#counted'));
  expect(kept).not.toEqual([]);
  for (const { ttl } of kept) expect(Number(ttl) * 1000).toBeGreaterThan(api.runtime.nowMs() + dayMs / 2);
});

test('a conversation that goes on after midnight counts on both days', async () => {
  const api = await openApi();
  const { changed } = noticesSince(api);
  const project = await api.createProject({ settings: { conversationTimeoutMinutes: 1440 } });
  const path = await api.createConversation({}, project);
  await api.call('POST', `${path}/messages`, { body: say('a', 'b') });
  await countNotices(api, await changed());
  api.advance(dayMs - (api.runtime.nowMs() % dayMs));
  await api.call('POST', `${path}/messages`, { body: say('c') });
  await countNotices(api, await changed());
  expect(await usedOf(api)).toEqual({ documents: 0, bytes: 1, conversations: 0, messages: 1 });
});

test('test and live data, and other organisations, are counted apart, also while one is suspended', async () => {
  const api = await openApi();
  const other = await openApi();
  const root = await api.testModeKey();
  const counted = [noticesSince(api), noticesSince(other)];
  await api.createConversation();
  await other.createConversation();
  const inTest = `/projects/${await api.createProject({}, root)}/knowledge/documents`;
  await api.call('POST', inTest, { body: { title: 't', content: 'abc' }, key: root });
  await suspendNow(other);
  for (const { count } of counted) await count();
  const nothing = { documents: 0, bytes: 0, messages: 0 };
  expect(await usedOf(api)).toEqual({ ...nothing, conversations: 1 });
  expect(await usedOf(api, root)).toEqual({ documents: 1, bytes: 3, conversations: 0, messages: 0 });
  const sums = (await storedOf(other, 'limits')).filter(({ tenant }) => `${tenant}`.endsWith('#days'));
  expect(sums).toMatchObject([{ conversations: 1 }]);
});

test('ten runs at the same time count a thousand conversations of ten projects once', {
  tags: ['long'],
}, async () => {
  const api = await openApi(({ client }) => ({ client: withTransactionConflicts(client).client }));
  const day = new Date(api.runtime.nowMs()).toISOString().slice(0, 10);
  const records = Array.from({ length: 1000 }, (_, n) =>
    changeRecord(undefined, {
      tenant: `${api.organisationId}#live#${api.runtime.newId('project', n % 10)}`,
      id: api.runtime.newId('conversation', n),
      changedIn: `${n}`,
      dayUses: `${day} 0 30 1 2`,
    }),
  );
  const notices = noticesOf(usageCounter, records);
  await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      deliverNotices(
        api.runtime,
        usageCounter,
        notices.filter((_, index) => index % 10 === n),
      ),
    ),
  );
  expect(await usedOf(api)).toEqual({ documents: 0, bytes: 30_000, conversations: 1000, messages: 2000 });
});
