/** A worker's function with batches of its queue. */

import { setTimeout } from 'node:timers/promises';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from 'vitest';
import { createWorkerHandler, pauseSeconds } from '../../../lib/workers/handler.ts';
import type { Notice } from '../../../lib/workers/notice.ts';
import { checkTurn, openTurn, TurnOver } from '../../../lib/workers/turn.ts';
import type { Worker, WorkerInput } from '../../../lib/workers/worker.ts';
import { openApi, testRuntime } from '../../../samples/api.ts';
import { queueEvent, recordingQueue } from '../../../samples/lambda-queue.ts';
import { projectNotice, testWorker } from '../../support/test-worker.ts';

const organisation = (id: string, changes: object = {}) => {
  const { client, tableNames: names } = testRuntime();
  const Item = { tenant: id, id, name: 'Test', createdAt: '2026-03-01T09:30:00.000Z', ...changes };
  return client.send(new PutCommand({ TableName: names.organisations, Item }));
};

beforeAll(() => Promise.all(['org_1', 'org_2'].map((id) => organisation(id))));

/** @returns a handler, the ids that each call was about, and the notices that come again: with their seconds and pauses */
async function open(
  handle: (notices: readonly Notice[], input: WorkerInput) => void = () => {},
  changes: Partial<Worker> = {},
) {
  const { runtime, faultLines } = await openApi();
  const calls: string[][] = [];
  const { queue, postponed, sentAgain } = recordingQueue();
  const worker = testWorker(async (notices, input) => {
    calls.push(notices.map(({ id }) => id));
    handle(notices, input);
  }, changes);
  const handler = createWorkerHandler(worker, { ...runtime, turnMs: 0 }, queue);
  const run = async (notices: readonly Notice[], context = {}, receives = 1) => {
    const { batchItemFailures } = await handler(queueEvent(notices, receives), context);
    return batchItemFailures.map(({ itemIdentifier }) => notices[Number(itemIdentifier)]?.id);
  };
  const again = () =>
    sentAgain.splice(0).map(({ notice, seconds }) => [notice.id, seconds, notice.pauses ?? 0]);
  return { handler, run, calls, postponed, again, faultLines };
}

const inProject = (project: string, id: string, changes: Partial<Notice> = {}) =>
  projectNotice(id, { partition: [project], ...changes });

test('only a worker that declares it may ask models', async () => {
  for (const models of [true, false]) {
    const api = await openApi();
    const asked: unknown[] = [];
    const worker = testWorker(
      async (_, input) => {
        const tool = { name: 'score', description: 'a', schema: {} };
        const request = { modelId: 'another', system: [], messages: [], maxTokens: 1, tool };
        asked.push(
          input.models.listed.map(({ id }) => id),
          await (await input.outside()).models.converse(request),
        );
      },
      { models, whileSuspended: 'waits' },
    );
    await createWorkerHandler(worker, api.runtime)(queueEvent([projectNotice('proj_1')]), {});
    expect(asked).toEqual(models ? [['local.judge'], { kind: 'unavailable', message: '404' }] : []);
    expect(api.faultLines().map(({ fault }) => (fault as Error).message)).toEqual(
      models ? [] : ['the use of models is not declared'],
    );
  }
});

describe('a batch', () => {
  test('is handled once per tenant and project', async () => {
    const { run, calls } = await open();
    const batch = [
      inProject('proj_1', 'a'),
      inProject('proj_2', 'b'),
      inProject('proj_1', 'c'),
      inProject('proj_1', 'd', { tenant: 'org_1#test' }),
      inProject('proj_1', 'e', { tenant: 'org_2#live' }),
      projectNotice('proj_1'),
    ];
    expect(await run(batch)).toEqual([]);
    expect(calls.map(String).sort()).toEqual(['a,c,proj_1', 'b', 'd', 'e']);
  });

  test('has the work of several organisations: none waits for another, or for its notices to go back', async () => {
    const { runtime } = await openApi();
    const { queue, sentAgain } = recordingQueue();
    const handled: string[] = [];
    const quiet = Promise.withResolvers<void>();
    const worker = testWorker(async ([notice], { later }) => {
      if (notice.tenant === 'org_1#live') await Promise.race([quiet.promise, setTimeout(5000)]);
      else later(notice, 1);
      handled.push(notice.id);
    });
    const sendAgain: typeof queue.sendAgain = async (notices) => {
      await queue.sendAgain(notices);
      handled.push('back');
      quiet.resolve();
    };
    const batch = [inProject('proj_1', 'a'), inProject('proj_2', 'b', { tenant: 'org_2#test' })];
    await createWorkerHandler(worker, runtime, { ...queue, sendAgain })(queueEvent(batch), {});
    expect(handled).toEqual(['b', 'back', 'a']);
    expect(sentAgain.map(({ notice }) => notice.id)).toEqual(['b']);
  });

  test('has one notice per item: the newest, wherever it is', async () => {
    const handled: Notice[] = [];
    const { run } = await open((notices) => void handled.push(...notices));
    const at = (sequence: string, kind: Notice['kind'], atMs = 0) =>
      projectNotice('proj_1', { sequence, kind, atMs });
    await run([at('9', 'MODIFY'), at('10', 'MODIFY'), at('8', 'INSERT')]);
    await run([at('5', 'REMOVE', 2000), at('6', 'INSERT', 1000)]);
    // That it is due is something else.
    await run([at('1', 'MODIFY'), at('', 'DUE')]);
    expect(handled.map(({ sequence, kind }) => [sequence, kind])).toEqual([
      ['10', 'INSERT'],
      ['5', 'REMOVE'],
      ['1', 'MODIFY'],
      ['', 'DUE'],
    ]);
  });

  test('that fails is tried notice by notice, and only the failing ones come again', async () => {
    const { run, calls, postponed, faultLines } = await open((notices) => {
      if (notices.some(({ id }) => id === 'b')) throw new Error('bad');
    });
    const batch = ['a', 'b', 'c'].map((id) => inProject('proj_1', id));
    expect(await run([...batch, inProject('proj_2', 'd')])).toEqual(['b']);
    expect(calls).toEqual([['a', 'b', 'c'], ['a'], ['b'], ['c'], ['d']]);
    expect(postponed).toEqual({ 1: 5 });
    expect(faultLines().map(({ message }) => message)).toEqual(['work failed', 'work failed']);
  });

  test('all messages of a failing item come again', async () => {
    const { run } = await open(() => {
      throw new Error('bad');
    });
    expect(await run([projectNotice('proj_1'), projectNotice('proj_1', { sequence: '2' })])).toHaveLength(2);
  });

  test('that runs out of time goes back to the queue from there', async () => {
    const { run, calls, again } = await open();
    let leftMs = 40_000;
    const context = { getRemainingTimeInMillis: () => (leftMs -= 20_000) };
    const batch = ['proj_1', 'proj_2', 'proj_3', 'proj_4'].map((id) => projectNotice(id));
    expect(await run(batch, context)).toEqual([]);
    expect(calls).toEqual([['proj_1'], ['proj_2']]);
    expect(again()).toEqual([
      ['proj_3', 0, 0],
      ['proj_4', 0, 0],
    ]);
  });

  test('with a message that is no notice: only that message comes again', async () => {
    const { handler, calls, faultLines } = await open();
    const { Records } = queueEvent([
      projectNotice('proj_1'),
      projectNotice('proj_2'),
      projectNotice('proj_3'),
    ]);
    const [first, second, third] = Records;
    const broken = [{ ...first, body: 'null' }, { ...second, body: '{"table":' }, third] as typeof Records;
    const { batchItemFailures } = await handler({ Records: broken }, {});
    expect(batchItemFailures).toEqual([{ itemIdentifier: '0' }, { itemIdentifier: '1' }]);
    expect(calls).toEqual([['proj_3']]);
    expect(faultLines().map(({ message }) => message)).toEqual(Array(2).fill('message is unreadable'));
  });
});

test('each failure makes the next pause longer, up to 15 minutes', async () => {
  expect([1, 2, 3, 8, 9, 20].map(pauseSeconds)).toEqual([5, 10, 20, 640, 900, 900]);
  const { run, postponed } = await open(() => {
    throw new Error('bad');
  });
  await run([projectNotice('proj_1')], {}, 3);
  expect(postponed).toEqual({ 0: 20 });
});

test('a notice that SQS does not postpone or take back comes again as after a failure', async () => {
  const { runtime } = await openApi();
  const noSqs = () => Promise.reject(new Error('no SQS'));
  const queue = { postpone: noSqs, sendAgain: noSqs, isAwaited: noSqs };
  for (const fault of [new Error('bad'), new TurnOver()]) {
    const worker = testWorker(() => Promise.reject(fault));
    const { batchItemFailures } = await createWorkerHandler(
      worker,
      runtime,
      queue,
    )(queueEvent([projectNotice('proj_1')]), {});
    expect(batchItemFailures).toEqual([{ itemIdentifier: '0' }]);
  }
});

describe('the end of a turn', () => {
  test('is no fault: all notices of the call go back to the queue, and no receive counts', async () => {
    const { run, calls, again, postponed, faultLines } = await open((_, input) => checkTurn(input));
    const batch = [
      inProject('proj_1', 'a'),
      inProject('proj_1', 'b', { pauses: 3 }),
      inProject('proj_2', 'c'),
    ];
    expect(await run(batch)).toEqual([]);
    expect(calls).toEqual([['a', 'b'], ['c']]);
    expect(again()).toEqual([
      ['a', 0, 0],
      ['b', 0, 0],
      ['c', 0, 0],
    ]);
    expect([postponed, faultLines()]).toEqual([{}, []]);
  });

  test('again and again without anything stored is a failure', async () => {
    const { runtime, faultLines } = await openApi();
    const { queue, sentAgain } = recordingQueue();
    let stores = true;
    const worker = testWorker(async (_, { commit, store }) => {
      const change = store.update('projects', 'proj_1', { name: 'New' }, { condition: { kind: 'any' } });
      if (stores) await commit([change]);
      throw new TurnOver();
    });
    const handler = createWorkerHandler(worker, runtime, queue);
    const next = async (notice: Notice) => {
      const { batchItemFailures } = await handler(queueEvent([notice]), {});
      return batchItemFailures.length > 0 ? 'failed' : sentAgain.splice(0)[0]?.notice;
    };
    const turns = async (count: number, notice: Notice | 'failed' | undefined) => {
      let last = notice;
      for (let n = 0; n < count && typeof last === 'object'; n += 1) last = await next(last);
      return last;
    };
    const stored = await turns(30, projectNotice('proj_1'));
    stores = false;
    const idle = await turns(20, stored);
    expect(idle).toMatchObject({ idleTurns: 20 });
    expect(await turns(1, idle)).toBe('failed');
    expect(faultLines().map(({ fault }) => (fault as Error).message)).toEqual([
      'the last turns have stored nothing',
    ]);
    stores = true;
    expect(await turns(1, idle)).toMatchObject({ idleTurns: 0 });
  });

  test('comes after its time if another notice waits, and later if none does', async () => {
    const ends: boolean[] = [];
    for (const isAwaited of [true, false]) {
      let nowMs = 0;
      const turn = openTurn({ turnMs: 10, elapsedMs: () => nowMs, isAwaited: async () => isAwaited });
      await setTimeout(50);
      for (const ms of [9, 10, 59, 60]) {
        nowMs = ms;
        ends.push(turn.isOver());
      }
      turn.close();
    }
    expect(ends).toEqual([false, true, true, true, false, false, false, true]);
  });
});

test('nothing is done for an organisation that is being deleted, or is gone; a suspended one goes on', async () => {
  const { run, calls } = await open();
  const suspendedAt = '2026-03-01T09:30:00.000Z';
  await organisation('org_3', { suspendedAt });
  await organisation('org_4', { suspendedAt, deletionBeganAt: suspendedAt });
  const tenants = ['org_3#live', 'org_4#live', 'org_4#test', 'org_5#live'] as const;
  expect(await run(tenants.map((tenant, n) => projectNotice(`proj_${n}`, { tenant })))).toEqual([]);
  expect(calls).toEqual([['proj_0']]);
});

test("a worker's writes carry its name, each commit with a new version", async () => {
  const api = await openApi();
  const stamps: unknown[] = [];
  const project = await api.createProject();
  const worker = testWorker(async ([{ id }], { store, commit }) => {
    for (const name of ['first', 'second']) {
      await commit([store.update('projects', id, { name }, { condition: { kind: 'present' } })]);
      const stored = await store.get('projects', id);
      stamps.push(stored?.changedIn);
      expect(stored).toMatchObject({ name, changedBy: 'worker:test-worker' });
    }
  });
  const notice = projectNotice(project, { tenant: `${api.organisationId}#live` });
  await createWorkerHandler(worker, api.runtime)(queueEvent([notice]), {});
  expect(new Set(stamps).size).toBe(2);
});

test('an undeclared action is refused', async () => {
  const api = await openApi();
  const range = { from: 'proj_', to: 'proj_~', after: undefined, limit: 1 };
  const worker = testWorker(async (_, { store }) => void (await store.page('projects', range)));
  await createWorkerHandler(worker, api.runtime)(queueEvent([projectNotice('proj_1')]), {});
  expect(api.faultLines()[0]?.fault).toMatchObject({ message: expect.stringContaining('not declared') });
});

describe('a worker', () => {
  /** @returns a worker that asks for its notices again after so many seconds, and what it was answered */
  async function openAsking(seconds: Readonly<Record<string, number>>) {
    const { runtime } = await openApi();
    const answers: boolean[] = [];
    const { queue, postponed, sentAgain } = recordingQueue();
    const worker = testWorker(async (notices, { later }) => {
      for (const notice of notices) {
        const after = seconds[notice.id];
        if (after !== undefined) answers.push(later(notice, after));
        if (notice.id === 'bad') throw new Error('bad');
        if (notice.id === 'over') throw new TurnOver();
      }
    });
    const handler = createWorkerHandler(worker, runtime, queue);
    const run = async (notices: readonly Notice[]) =>
      (await handler(queueEvent(notices), {})).batchItemFailures.map((one) => one.itemIdentifier);
    const again = () => sentAgain.map(({ notice, seconds }) => [notice.id, seconds, notice.pauses]);
    return { run, answers, postponed, again };
  }

  test('gets a notice again when it wants, and the others are done', async () => {
    const { run, answers, again } = await openAsking({ a: 7, c: 30 });
    const batch = [inProject('proj_1', 'a'), inProject('proj_1', 'b'), inProject('proj_2', 'c')];
    expect(await run([...batch, inProject('proj_1', 'a', { sequence: '2' })])).toEqual([]);
    expect(answers).toEqual([true, true]);
    expect(again()).toEqual([
      ['a', 7, 1],
      ['c', 30, 1],
    ]);
  });

  test('whose turn is over still starts the work of another notice', async () => {
    const { run, postponed, again } = await openAsking({ a: 0 });
    expect(await run([inProject('proj_1', 'a'), inProject('proj_1', 'over')])).toEqual([]);
    expect(again()).toEqual(
      expect.arrayContaining([
        ['over', 0, 0],
        ['a', 0, 1],
      ]),
    );
    expect(postponed).toEqual({});
  });

  test('that asks for a notice and then fails gets it again as after a failure', async () => {
    const { run, postponed, again } = await openAsking({ bad: 60 });
    expect(await run([inProject('proj_1', 'bad')])).toEqual(['0']);
    expect([postponed, again()]).toEqual([{ 0: 5 }, []]);
  });

  test('may ask nine times in a row', async () => {
    const { run, answers, again } = await openAsking({ a: 1 });
    for (const pauses of [8, 9]) expect(await run([inProject('proj_1', 'a', { pauses })])).toEqual([]);
    expect(answers).toEqual([true, false]);
    expect(again()).toEqual([['a', 1, 9]]);
  });

  test.each([true, false])('with atOnce: %s', async (atOnce) => {
    let running = 0;
    let most = 0;
    const { runtime } = await openApi();
    const worker = testWorker(
      async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((done) => setImmediate(done));
        for (let turn = 0; turn < 1000 && atOnce && most < 3; turn += 1) await setTimeout(10);
        running -= 1;
      },
      { atOnce },
    );
    const batch = ['proj_1', 'proj_2', 'proj_3'].map((id) => projectNotice(id));
    await createWorkerHandler(worker, runtime)(queueEvent(batch), {});
    expect(most).toBe(atOnce ? 3 : 1);
  });
});
