/** What is due is sent to its worker, whatever happens to the scheduler. */

import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { split } from '../../../../lib/base/batches.ts';
import { hourMs, minuteMs, secondMs } from '../../../../lib/base/time.ts';
import { writeEach } from '../../../../lib/dynamodb/batch.ts';
import { commit } from '../../../../lib/dynamodb/commit.ts';
import { openSession } from '../../../../lib/dynamodb/session.ts';
import { bindStore } from '../../../../lib/dynamodb/store.ts';
import type { Letter, Sender } from '../../../../lib/workers/dispatcher.ts';
import { dueItems, dueTenant, entries, minuteOf } from '../../../../lib/workers/due.ts';
import type { Notice } from '../../../../lib/workers/notice.ts';
import { schedule, unschedule } from '../../../../lib/workers/schedule/schedule.ts';
import {
  checkpoints,
  type Limits,
  runSchedule,
  schedulerId,
} from '../../../../lib/workers/schedule/scheduler.ts';
import { testRuntime } from '../../../../samples/api.ts';
import { mortal } from '../../../support/workers.ts';

const startMs = Date.parse('2026-11-21T22:05:30Z');
const access = { schedule: ['GetItem', 'PutItem', 'DeleteItem', 'Query', 'BatchWriteItem'] } as const;
const ids = ['sweeper', 'purger'];

/** The table is shared, so each scheduler begins years after the one before, as if it was the first. */
let years = 0;

async function open() {
  years += 1;
  const clock = { nowMs: startMs + years * 365 * 24 * hourMs };
  const base = { ...testRuntime(), nowMs: () => clock.nowMs, log: () => {} };
  const { client, life } = mortal(base.client);
  const runtime = { ...base, client };
  const session = openSession(base.client, base.tableNames, access);
  const place = { tenant: schedulerId, id: 'checkpoint' };
  await base.client.send(new DeleteCommand({ TableName: base.tableNames.schedule, Key: place }));
  const sent: { worker: string; notice: Notice }[] = [];
  const letters: Letter[] = [];
  const sender: Sender = {
    send: async (worker, notices) => {
      sent.push(...notices.map((notice) => ({ worker, notice })));
      return [];
    },
    bury: async (some) => void letters.push(...some),
  };
  const author = () => ({
    changedBy: 'test',
    changedThrough: 'test',
    changedIn: base.newId('call', clock.nowMs),
    nowMs: clock.nowMs,
  });
  const input = {
    commit: (writes: Parameters<typeof commit>[1]) => commit(session, writes, author()),
    sleep: base.sleep,
    nowMs: () => clock.nowMs,
    readOrganisation: async () => undefined,
  };
  const tenant = `org_${years}#live`;
  const store = bindStore(session, tenant);
  const target = (id: string, worker = 'sweeper') =>
    ({ worker, table: 'conversations', partition: ['proj_1'], id }) as const;
  const dueStore = bindStore(session, dueTenant);
  return {
    clock,
    life,
    sent,
    letters,
    tenant,
    sentIds: () => sent.map(({ notice: { id } }) => id),
    plan: (id: string, inMs: number, worker?: string) =>
      schedule(store, target(id, worker), clock.nowMs + inMs, input),
    clear: (id: string) => unschedule(store, target(id), input),
    run: (limits: Partial<Limits> = {}, other: Partial<Sender> = {}) =>
      runSchedule(ids, runtime, { ...sender, ...other }, limits),
    /** @returns the ids of what is scheduled in the minute of a time */
    scheduled: async (atMs: number) => {
      const { items } = await dueItems.at(dueStore, minuteOf(atMs)).page({ limit: 900, order: 'oldest' });
      return items.map(({ id }) => id.split('#').at(-1));
    },
    entries: async () => (await entries.at(store, 'proj_1').page({ limit: 900, order: 'oldest' })).items,
    checkpoint: async () => (await checkpoints.at(bindStore(session, schedulerId)).get('checkpoint'))?.minute,
    /** Schedules many, without entries. */
    fill: async (count: number, atMs: number) => {
      const writes = Array.from({ length: count }, (_, n) => {
        const id = `${atMs}#sweeper#org_${n % 10}#live#proj_1#conv_${n}`;
        const condition = { kind: 'any' } as const;
        return dueItems.at(dueStore, minuteOf(atMs)).put({ id, table: 'conversations' }, { condition });
      });
      for (const some of split(writes, 2000)) await writeEach(session, some, base);
    },
  };
}

test('what is due is sent to its worker and removed, and nothing else', async () => {
  const { plan, run, clock, sent, sentIds, tenant, scheduled } = await open();
  await plan('a', 10 * secondMs);
  await plan('b', 20 * secondMs, 'purger');
  await plan('later', 40 * secondMs);
  expect(await run()).toBe(0);
  const [aMs, laterMs] = [clock.nowMs + 10 * secondMs, clock.nowMs + 40 * secondMs];
  clock.nowMs += 25 * secondMs;
  expect(await run()).toBe(2);
  const notice = { table: 'conversations', kind: 'DUE', tenant, partition: ['proj_1'], sequence: '' };
  expect(sent).toEqual([
    { worker: 'sweeper', notice: { ...notice, id: 'a', atMs: aMs } },
    { worker: 'purger', notice: { ...notice, id: 'b', atMs: aMs + 10 * secondMs } },
  ]);
  expect([await scheduled(aMs), await scheduled(laterMs)]).toEqual([[], ['later']]);
  expect(await run()).toBe(0);
  clock.nowMs += minuteMs;
  expect(await run()).toBe(1);
  expect(sentIds()).toEqual(['a', 'b', 'later']);
});

test('a later time replaces an earlier one, and clearing it leaves nothing', async () => {
  const { plan, run, clear, clock, sentIds, scheduled, entries: entriesOf } = await open();
  await plan('a', 10 * secondMs);
  await plan('a', 5 * minuteMs);
  const dueMs = clock.nowMs + 5 * minuteMs;
  expect(await entriesOf()).toMatchObject([{ id: 'sweeper#a', dueMs }]);
  expect(await scheduled(clock.nowMs + 10 * secondMs)).toEqual([]);
  await plan('b', 5 * minuteMs);
  await clear('b');
  await clear('b');
  expect(await scheduled(dueMs)).toEqual(['a']);
  clock.nowMs += 5 * minuteMs;
  await run();
  expect(sentIds()).toEqual(['a']);
  await clear('a');
  expect(await entriesOf()).toEqual([]);
});

test('a time that was sent too early, because of the clocks, can be set again', async () => {
  const { plan, run, clock, sentIds } = await open();
  await plan('a', 2 * secondMs);
  clock.nowMs += 3 * secondMs;
  await run();
  // The clock of the worker is behind that of the scheduler.
  clock.nowMs -= 3 * secondMs;
  await plan('a', 2 * secondMs);
  clock.nowMs += minuteMs;
  await run();
  expect(sentIds()).toEqual(['a', 'a']);
});

test('a time in the past is due at once', async () => {
  const { plan, run, sentIds } = await open();
  await plan('a', -3 * hourMs);
  await run();
  expect(sentIds()).toEqual(['a']);
});

test('after hours without a run, the next one sends everything since', { tags: ['long'] }, async () => {
  const { plan, run, clock, sentIds } = await open();
  await run();
  const due = Array.from({ length: 20 }, (_, n) => n);
  for (const n of due) await plan(`a${n}`, n * 31 * minuteMs);
  clock.nowMs += 11 * hourMs;
  expect(await run()).toBe(20);
  expect(sentIds()).toEqual(due.map((n) => `a${n}`));
});

test('what was written late, up to 15 minutes, is sent', async () => {
  const { plan, run, clock, sentIds } = await open();
  await run();
  clock.nowMs -= 14 * minuteMs;
  await plan('late', secondMs);
  clock.nowMs += 14 * minuteMs + minuteMs;
  await run();
  expect(sentIds()).toEqual(['late']);
});

const killedAtEvery = (step: number) => async () => {
  let points = 0;
  for (let point = 1; points === 0; point += step) {
    for (const afterwards of [false, true]) {
      const { plan, run, clock, sentIds, life, scheduled } = await open();
      await run();
      for (const id of ['a', 'b', 'c']) await plan(id, 10 * secondMs, id === 'c' ? 'purger' : 'sweeper');
      const dueMs = clock.nowMs + 10 * secondMs;
      clock.nowMs += minuteMs;
      Object.assign(life, { callsLeft: point, afterwards });
      const isKilled = await run().then(
        () => false,
        () => true,
      );
      life.callsLeft = Number.POSITIVE_INFINITY;
      if (!isKilled) points = point;
      clock.nowMs += minuteMs;
      await run();
      expect(new Set(sentIds())).toEqual(new Set(['a', 'b', 'c']));
      expect(await scheduled(dueMs)).toEqual([]);
    }
  }
  expect(points).toBeGreaterThan(10);
};

test(
  'killed before or after some calls, the next runs send everything and leave nothing',
  { tags: ['long'] },
  killedAtEvery(4),
);
test(
  'killed before or after any call, the next runs send everything and leave nothing',
  { tags: ['long'] },
  killedAtEvery(1),
);

test('two runs at the same time send everything, and the checkpoint never goes back', async () => {
  const { plan, run, clock, sentIds, checkpoint } = await open();
  for (let n = 0; n < 30; n += 1) await plan(`a${n}`, 10 * secondMs);
  clock.nowMs += minuteMs;
  await Promise.all([run(), run()]);
  expect(new Set(sentIds()).size).toBe(30);
  const reached = await checkpoint();
  clock.nowMs -= hourMs;
  await run();
  expect(await checkpoint()).toBe(reached);
});

describe('if a queue', () => {
  test('is not available, the other workers get theirs, the run fails, and the next one tries again', async () => {
    const { plan, run, clock, sentIds, checkpoint } = await open();
    await run();
    await plan('a', 10 * secondMs);
    await plan('b', 10 * secondMs, 'purger');
    const dueMs = clock.nowMs + 10 * secondMs;
    await plan('c', 5 * minuteMs, 'purger');
    clock.nowMs += 30 * minuteMs;
    const send: Sender['send'] = async (worker) => {
      if (worker === 'sweeper') throw new Error('no queue');
      return [];
    };
    await expect(run({}, { send })).rejects.toThrow('no queue');
    expect(await checkpoint()).toBe(minuteOf(dueMs));
    await run();
    expect(sentIds()).toEqual(['a']);
  });

  test('refuses a notice, or there is no such worker any more, it becomes a dead letter', async () => {
    const { plan, run, clock, letters, scheduled } = await open();
    await plan('a', secondMs);
    await plan('b', secondMs, 'removed-worker');
    clock.nowMs += 10 * secondMs;
    await run({}, { send: async (_, notices) => [...notices] });
    expect(letters).toMatchObject([
      { reason: 'refused', worker: 'removed-worker', notice: { id: 'b' } },
      { reason: 'refused', worker: 'sweeper', notice: { id: 'a' } },
    ]);
    expect(await scheduled(clock.nowMs)).toEqual([]);
  });
});

test('a run sends a bounded number, and the next ones continue', { tags: ['long'] }, async () => {
  const { run, fill, clock, sentIds } = await open();
  await fill(1200, clock.nowMs + secondMs);
  clock.nowMs += minuteMs;
  expect(await run({ maxItems: 600 })).toBe(1000);
  clock.nowMs += minuteMs;
  expect(await run({ maxRunMs: 0 })).toBe(0);
  clock.nowMs += 20 * minuteMs;
  expect(await run()).toBe(200);
  expect(new Set(sentIds()).size).toBe(1200);
});

test('100 000 items that are due in one minute are all sent', { tags: ['nightly'] }, async () => {
  const { run, fill, clock, sentIds } = await open();
  await fill(100_000, clock.nowMs + secondMs);
  for (let sum = 0; sum < 100_000; ) {
    clock.nowMs += minuteMs;
    sum += await run({ maxItems: 30_000 });
  }
  expect(new Set(sentIds()).size).toBe(100_000);
  expect(sentIds()).toHaveLength(100_000);
});

test('a time with a fraction is stored in whole milliseconds, and is not sent early', async () => {
  const { plan, run, clock, entries, sentIds } = await open();
  await plan('a', 1000.25);
  expect((await entries()).map(({ dueMs }) => dueMs)).toEqual([clock.nowMs + 1001]);
  clock.nowMs += 1000;
  expect(await run()).toBe(0);
  clock.nowMs += 1;
  await run();
  expect(sentIds()).toEqual(['a']);
});
