/** Places of an organisation in a worker whose pieces are long. */

import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { hourMs } from '../../../lib/base/time.ts';
import { createWorkerHandler } from '../../../lib/workers/handler.ts';
import type { Notice } from '../../../lib/workers/notice.ts';
import { placesOf } from '../../../lib/workers/places.ts';
import { TurnOver } from '../../../lib/workers/turn.ts';
import { defineWorker, type Worker, type WorkerInput } from '../../../lib/workers/worker.ts';
import { openApi, storedOf, type TestApi } from '../../../samples/api.ts';
import { queueEvent } from '../../../samples/lambda-queue.ts';
import { suspend } from '../../../scripts/organisations/state.ts';
import { intercept } from '../../support/faults.ts';
import { dueNotices } from '../../support/schedule.ts';
import { projectNotice } from '../../support/test-worker.ts';

type Options = {
  from?: 'start' | 'outside';
  /** Is called while the notice has its place. */
  during?: (id: string, input: WorkerInput) => unknown;
};

/** Two places for each organisation, and a queue in memory that delivers when it is told to. */
async function openPlaces({ from = 'start', during = () => {} }: Options = {}) {
  const api = await openApi((runtime) => ({ ...runtime, sleep: async () => {} }));
  const queue: Notice[] = [];
  const done: string[] = [];
  let running = 0;
  let most = 0;
  const worker: Worker = defineWorker({
    id: 'test-worker',
    summary: 'A worker of the tests',
    sources: ['projects'],
    wants: () => true,
    access: { projects: ['GetItem'] },
    ends: 'whole',
    longPiece: { maxSeconds: 60, from },
    maxConcurrency: 4,
    whileSuspended: 'waits',
    impact: 'Nothing.',
    async handle([{ id }], input) {
      if (id.startsWith('proj_quick')) return;
      await input.outside();
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve(during(id, input)).finally(() => {
        running -= 1;
      });
      done.push(id);
    },
  });
  /** @param client the client of the function */
  async function deliver(notice: Notice, client = api.runtime.client): Promise<void> {
    const handler = createWorkerHandler(
      worker,
      { ...api.runtime, client },
      {
        postpone: async () => {},
        sendAgain: async (notices) => void queue.push(...notices.map((one) => one.notice)),
        isAwaited: async () => true,
      },
    );
    const { batchItemFailures } = await handler(queueEvent([notice]), {});
    if (batchItemFailures.length > 0) queue.push(notice);
  }
  const notice = (id: string, mode = 'live') =>
    projectNotice(`proj_${id}`, { tenant: `${api.organisationId}#${mode}` as Notice['tenant'] });
  const stored = async () =>
    (await storedOf(api, 'schedule')).filter(({ tenant }) => `${tenant}`.includes('#places#'));
  const waiting = async () => (await stored()).filter(({ tenant }) => `${tenant}`.endsWith('#queue'));
  /** Delivers what is in the queue, and when it is empty, what is due. */
  async function drain(): Promise<void> {
    for (let n = 0; n < 50; n += 1) {
      const next = queue.shift();
      if (next) await deliver(next);
      else if ((await waiting()).length === 0) return;
      else {
        api.advance(hourMs);
        queue.push(...(await dueNotices(api)).filter(({ table }) => table === 'schedule'));
      }
    }
    throw new Error('the queue does not get empty');
  }
  return { api, queue, done, worker, deliver, notice, stored, waiting, drain, most: () => most };
}

/** @returns a gate for each id: work waits at it until it is opened */
function gates() {
  const opened = new Map<string, PromiseWithResolvers<void>>();
  const at = (id: string) => {
    const gate = opened.get(id) ?? Promise.withResolvers<void>();
    opened.set(id, gate);
    return gate;
  };
  return { wait: (id: string) => at(id).promise, open: (id: string) => at(`proj_${id}`).resolve() };
}

const until = async (condition: () => boolean | Promise<boolean>) => {
  for (let n = 0; n < 500 && !(await condition()); n += 1) await new Promise((next) => setTimeout(next, 10));
};

const heldIn = async ({ stored }: Pick<Awaited<ReturnType<typeof openPlaces>>, 'stored'>) =>
  (await stored()).filter(({ tenant }) => !`${tenant}`.endsWith('#queue')).length;

test('one organisation gets half of the places, and the end of a holder starts the oldest that waits', async () => {
  const gate = gates();
  const places = await openPlaces({ during: (id) => gate.wait(id) });
  const { api, done, queue, deliver, notice, waiting } = places;
  expect(placesOf(places.worker)).toBe(2);
  const holders = [deliver(notice('a')), deliver(notice('b', 'test'))];
  await until(async () => (await heldIn(places)) === 2);
  // They wait without a place, and without a failure.
  await deliver(notice('c', 'test'));
  await deliver(notice('d'));
  expect([done, queue, (await waiting()).length]).toEqual([[], [], 2]);
  // Another organisation has its own places.
  const Item = { tenant: 'org_2', id: 'org_2', name: 'Test', createdAt: '2026-03-01T09:30:00.000Z' };
  await api.runtime.client.send(new PutCommand({ TableName: api.runtime.tableNames.organisations, Item }));
  gate.open('other');
  await deliver({ ...notice('other'), tenant: 'org_2#live' });
  expect(done).toEqual(['proj_other']);

  gate.open('a');
  await holders[0];
  expect(queue.map(({ id, tenant }) => [id, tenant.split('#')[1]])).toEqual([['proj_c', 'test']]);
  // Its place is kept: another notice cannot take it.
  await deliver(notice('e'));
  for (const id of ['b', 'c', 'd', 'e']) gate.open(id);
  await Promise.all(holders);
  await places.drain();
  expect(done.slice(3)).toEqual(['proj_c', 'proj_d', 'proj_e']);
  // Two, and the other organisation.
  expect([places.most(), await places.stored(), api.faultLines()]).toEqual([3, [], []]);
});

test('a notice that needs no long piece takes no place', async () => {
  for (const from of ['start', 'outside'] as const) {
    const places = await openPlaces({ from });
    let writes = 0;
    const counting = intercept(places.api.runtime.client, ({ constructor: { name } }) => {
      if (name.startsWith('TransactWrite') || name.startsWith('Put') || name.startsWith('Delete'))
        writes += 1;
      return undefined;
    });
    await places.deliver(places.notice('quick'), counting);
    expect(writes).toBe(from === 'start' ? 2 : 0);
  }
});

test('the end of a turn gives the place to the oldest that waits, and the turn that goes on comes behind it', async () => {
  const turns = new Map<string, number>();
  const gate = gates();
  const places = await openPlaces({
    async during(id) {
      await gate.wait(id);
      const turn = (turns.get(id) ?? 0) + 1;
      turns.set(id, turn);
      if (turn < 3) throw new TurnOver();
    },
  });
  const holders = ['a', 'b'].map((id) => places.deliver(places.notice(id)));
  await until(async () => (await heldIn(places)) === 2);
  await places.deliver(places.notice('c'));
  for (const id of ['a', 'b', 'c']) gate.open(id);
  await Promise.all(holders);
  expect(places.queue.map(({ id }) => id)).toContain('proj_c');
  // Only a notice that waits has the id of its item.
  expect(places.queue.filter(({ waits }) => waits !== undefined).map(({ id }) => id)).toEqual(['proj_c']);
  await places.drain();
  expect([[...places.done].sort(), await places.stored()]).toEqual([['proj_a', 'proj_b', 'proj_c'], []]);
});

test('a notice that begins to wait while the last holder ends has its place', async () => {
  const gate = gates();
  const places = await openPlaces({ during: (id) => gate.wait(id) });
  const holders = ['a', 'b'].map((id) => places.deliver(places.notice(id)));
  await until(async () => (await heldIn(places)) === 2);
  gate.open('c');
  // The holders end when it has seen that there is no place, and before it waits.
  const client = intercept(places.api.runtime.client, (command, proceed) => {
    const waits =
      command.constructor.name !== 'QueryCommand' && JSON.stringify(command.input).includes('#queue');
    for (const id of waits ? ['a', 'b'] : []) gate.open(id);
    return waits ? Promise.all(holders).then(proceed) : undefined;
  });
  await places.deliver(places.notice('c'), client);
  expect([places.done.at(-1), await places.stored()]).toEqual(['proj_c', []]);
});

test('the same notice may come twice, also when it has waited', async () => {
  const gate = gates();
  const places = await openPlaces({ during: (id) => gate.wait(id) });
  const holders = ['a', 'b'].map((id) => places.deliver(places.notice(id)));
  await until(async () => (await heldIn(places)) === 2);
  await places.deliver(places.notice('c'));
  await places.deliver(places.notice('c'));
  for (const id of ['a', 'b', 'c']) gate.open(id);
  await Promise.all(holders);
  // SQS delivers a message a second time.
  places.queue.push(...places.queue);
  await places.drain();
  expect(new Set(places.done)).toEqual(new Set(['proj_a', 'proj_b', 'proj_c']));
  expect(await places.stored()).toEqual([]);
});

test('notices that wait for a place go on to wait for the end of a suspension', async () => {
  const gate = gates();
  const places = await openPlaces({ during: (id) => gate.wait(id) });
  const holders = ['a', 'b'].map((id) => places.deliver(places.notice(id)));
  await until(async () => (await heldIn(places)) === 2);
  for (const id of ['c', 'd', 'e']) await places.deliver(places.notice(id));
  await suspend(places.api.runtime, places.api.organisationId);
  for (const id of ['a', 'b']) gate.open(id);
  await Promise.all(holders);
  await places.drain();
  const waiting = (await storedOf(places.api, 'schedule')).filter(({ tenant }) =>
    `${tenant}`.endsWith('#waiting'),
  );
  expect(waiting.map(({ id }) => `${id}`.split('#').at(-1)).sort()).toEqual(['proj_c', 'proj_d', 'proj_e']);
  expect(await places.stored()).toEqual([]);
});

describe('a function that is killed', () => {
  /** The client of a function that is killed at its n-th call. */
  function killedAt(client: TestApi['runtime']['client'], n: number) {
    let calls = 0;
    const killed = intercept(client, () => {
      calls += 1;
      return calls >= n ? Promise.reject(new Error('killed')) : undefined;
    });
    return { client: killed, isKilled: () => calls >= n };
  }

  test.each(['a', 'c'])('at any of its calls: every notice is handled (%s)', async (victim) => {
    for (let n = 1; ; n += 1) {
      const gate = gates();
      const places = await openPlaces({ during: (id) => gate.wait(id) });
      const { client, isKilled } = killedAt(places.api.runtime.client, n);
      const deliver = (id: string) =>
        places.deliver(places.notice(id), id === victim ? client : places.api.runtime.client);
      const holders = ['a', 'b'].map(deliver);
      await until(async () => places.queue.length > 0 || (await heldIn(places)) === 2);
      const later = ['c', 'd'].map(deliver);
      await until(async () => (await waitingOrBack(places)) >= 2);
      for (const id of ['a', 'b', 'c', 'd']) gate.open(id);
      await Promise.all([...holders, ...later]);
      await places.drain();
      expect(new Set(places.done), `${n}`).toEqual(new Set(['proj_a', 'proj_b', 'proj_c', 'proj_d']));
      expect(places.most()).toBeLessThanOrEqual(2);
      if (!isKilled()) break;
    }
  });

  const waitingOrBack = async ({ waiting, queue }: Awaited<ReturnType<typeof openPlaces>>) =>
    (await waiting()).length + queue.length;

  test('keeps its place only until its time is over, and a timer starts what waits', async () => {
    const places = await openPlaces();
    const { api, notice, deliver } = places;
    const { client, tableNames } = api.runtime;
    const ttl = Math.ceil(api.runtime.nowMs() / 1000) + 185;
    for (const id of ['00', '01']) {
      const tenant = `${api.organisationId}#live#places#test-worker`;
      const Item = { tenant, id, holder: 'killed', ttl, changedBy: 'test', changedIn: 'test' };
      await client.send(new PutCommand({ TableName: tableNames.schedule, Item }));
    }
    await deliver(notice('c'));
    expect([places.queue, places.done]).toEqual([[], []]);
    const [due] = await dueNotices(api);
    expect(due).toMatchObject({ table: 'schedule', id: 'test-worker' });
    expect(due?.atMs).toBeGreaterThan(ttl * 1000);
    // Before that time, it starts nothing.
    if (due) await deliver(due);
    expect(places.queue).toEqual([]);
    await places.drain();
    expect(places.done).toEqual(['proj_c']);
  });
});
