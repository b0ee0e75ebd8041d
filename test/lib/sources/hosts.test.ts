/** Jobs take turns at a host. */

import { expect, test } from 'vitest';
import { minuteMs, secondMs } from '../../../lib/base/time.ts';
import { commit } from '../../../lib/dynamodb/commit.ts';
import { openSession } from '../../../lib/dynamodb/session.ts';
import { bindStore } from '../../../lib/dynamodb/store.ts';
import type { Write } from '../../../lib/dynamodb/write.ts';
import { leaseMs, returnLease, takeLease } from '../../../lib/sources/store/hosts.ts';
import { openApi, storedOf } from '../../../samples/api.ts';

const host = 'acme.example';

async function open() {
  const api = await openApi();
  const { client, tableNames } = api.runtime;
  const actions = ['GetItem', 'PutItem', 'UpdateItem'] as const;
  const session = openSession(client, tableNames, { limits: actions });
  const store = bindStore(session, `${api.organisationId}#live`);
  const author = { changedBy: 'test', changedThrough: 'test', changedIn: 'test' };
  let calls = 0;
  const write = async (writes: readonly Write[], nowMs: number) => {
    if (writes.length === 0) return;
    calls += 1;
    const refusal = await commit(session, writes, { ...author, changedIn: `test ${calls}`, nowMs });
    if (refusal) throw new Error('refused');
  };
  return {
    api,
    /** @returns whether the job has the host now */
    async ask(jobId: string, nowMs: number): Promise<boolean> {
      const lease = await takeLease(store, host, jobId, nowMs);
      await write('writes' in lease ? lease.writes : lease.waits, nowMs);
      return 'writes' in lease;
    },
    endStep: (jobId: string, nowMs: number, pausedUntilMs = 0) =>
      write([returnLease(store, host, jobId, pausedUntilMs, nowMs)], nowMs),
  };
}

test('a job that waits gets the host when the step of the other job ends, and then they take turns', async () => {
  const { ask, endStep } = await open();
  expect(await ask('a', 0)).toBe(true);
  expect(await ask('b', 1)).toBe(false);
  expect(await ask('c', 2)).toBe(false);
  // Within its step, it keeps the host.
  expect(await ask('a', minuteMs)).toBe(true);
  await endStep('a', minuteMs + 1);
  // Its next step is faster than those that wait.
  expect(await ask('a', minuteMs + 2)).toBe(false);
  expect(await ask('c', minuteMs + 3)).toBe(false);
  expect(await ask('b', minuteMs + 4)).toBe(true);
  await endStep('b', 2 * minuteMs);
  const order = [];
  for (const jobId of ['b', 'a', 'c']) if (await ask(jobId, 2 * minuteMs + 1)) order.push(jobId);
  expect(order).toEqual(['c']);
});

test('a job that has ended while it waited blocks nobody for long', async () => {
  const { ask, endStep } = await open();
  expect(await ask('a', 0)).toBe(true);
  expect(await ask('b', 1)).toBe(false);
  await endStep('a', secondMs);
  expect(await ask('a', 2 * secondMs)).toBe(false);
  expect(await ask('a', 5 * minuteMs)).toBe(true);
});

test('the lease of a killed job goes to the first that waits, and the list of those is bounded', async () => {
  const { api, ask } = await open();
  expect(await ask('a', 0)).toBe(true);
  for (let number = 0; number < 30; number += 1) expect(await ask(`b${number}`, number)).toBe(false);
  const [lease] = (await storedOf(api, 'limits')).filter(({ tenant }) => `${tenant}`.endsWith('#hosts'));
  expect(lease?.waiting).toHaveLength(20);
  expect(await ask('b7', leaseMs)).toBe(false);
  expect(await ask('a', leaseMs)).toBe(false);
  expect(await ask('b0', leaseMs)).toBe(true);
});

test('a pause that the host wants comes before the turns', async () => {
  const { ask, endStep } = await open();
  expect(await ask('a', 0)).toBe(true);
  expect(await ask('b', 1)).toBe(false);
  await endStep('a', 2, minuteMs);
  expect(await ask('b', 3)).toBe(false);
  expect(await ask('a', minuteMs)).toBe(false);
  expect(await ask('b', minuteMs)).toBe(true);
});
