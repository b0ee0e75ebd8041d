/** One question has one answer and one price: under duplicates, races, and kills between any two calls. */

import { describe, expect, test } from 'vitest';
import { costOf, usdOf } from '../../lib/base/money.ts';
import { minuteMs, secondMs } from '../../lib/base/time.ts';
import { type Json, storedOf } from '../../samples/api.ts';
import { defaultAnswer, type Script } from '../../samples/models.ts';
import { spentOfDay } from '../support/evaluations.ts';
import { openReplies, testModel } from '../support/replies.ts';
import { mortal } from '../support/workers.ts';

type Opened = Awaited<ReturnType<typeof openReplies>>;

const openConversation = async (script?: Script, options?: Parameters<typeof openReplies>[1]) => {
  const opened = await openReplies(script, options);
  const { id: deploymentId } = await opened.deploy();
  const conversation = await opened.converse({ deploymentId });
  return { ...opened, deploymentId: `${deploymentId}`, conversation };
};

const replyIdsOf = async (opened: Opened): Promise<string[]> =>
  (await storedOf(opened, 'messages')).map(({ id }) => `${id}`).filter((id) => /^rpl_\w+$/.test(id));

const textsOf = async ({ transcript }: Opened, conversation: string) =>
  (await transcript(conversation)).map(({ role, text }) => `${role}: ${text}`);

describe('a second question', () => {
  test('is refused while a reply is queued or running, with its id, and taken afterwards', async () => {
    let second: Json = {};
    const opened: Awaited<ReturnType<typeof openConversation>> = await openConversation(() => ({
      steps: ['One', async () => (second = await opened.ask(opened.conversation, 'Two?')), '.'],
    }));
    const { conversation, ask, work, answered } = opened;
    const { data: first } = await ask(conversation, 'One?');
    const refused = { status: 409, error: { code: 'reply_running', details: [{ message: first.id }] } };
    expect(await ask(conversation, 'Two?')).toMatchObject(refused);
    await work();
    expect(second).toMatchObject(refused);
    expect(await answered(conversation, 'Three?')).toMatchObject({ status: 'done' });
    const texts = ['user: One?', 'avatar: One.', 'user: Three?', 'avatar: One.'];
    expect(await textsOf(opened, conversation)).toEqual(texts);
  });

  test('at the same time: one of many different ones is taken', async () => {
    const opened = await openConversation();
    const { conversation, ask } = opened;
    const asked = await Promise.all(Array.from({ length: 12 }, (_, n) => ask(conversation, `${n}?`)));
    const taken = asked.filter(({ status }) => status === 202);
    expect(taken).toHaveLength(1);
    expect(asked.filter(({ error }) => error.code === 'reply_running')).toHaveLength(11);
    expect(await replyIdsOf(opened)).toEqual([taken[0]?.data.id]);
    expect(await opened.transcript(conversation)).toHaveLength(1);
  });
});

describe('a repeated request', () => {
  test('fifty times at once, with one Idempotency-Key: one reply, one message, fifty equal responses', async () => {
    const opened = await openConversation();
    const { conversation, ask, work, models } = opened;
    const ask50 = () =>
      Promise.all(Array.from({ length: 50 }, () => ask(conversation, 'One?', { idempotencyKey: 'k' })));
    const responses = await ask50();
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([202]));
    expect(new Set(responses.map(({ text }) => JSON.stringify(JSON.parse(text).data))).size).toBe(1);
    expect(new Set(responses.map(({ headers }) => headers.Location)).size).toBe(1);
    await work();
    const again = await ask50();
    expect(new Set(again.map(({ data }) => data.id))).toEqual(new Set([responses[0]?.data.id]));
    expect(await replyIdsOf(opened)).toHaveLength(1);
    expect(await textsOf(opened, conversation)).toEqual(['user: One?', `avatar: ${defaultAnswer}`]);
    expect(models.streams).toHaveLength(1);
  });

  test('with the same clientMessageId: the same reply, before and after its end', async () => {
    const opened = await openConversation();
    const { conversation, ask, work, models, advance } = opened;
    const body = { input: { text: 'One?', clientMessageId: 'c' } };
    const responses = await Promise.all(Array.from({ length: 8 }, () => ask(conversation, body)));
    expect(new Set(responses.map(({ status, data }) => `${status} ${data.id}`)).size).toBe(1);
    expect(responses[0]?.status).toBe(202);
    await work();
    const later = await ask(conversation, body);
    expect(later).toMatchObject({ status: 202, data: { id: responses[0]?.data.id, status: 'done' } });
    const other = await ask(conversation, { input: { text: 'Two?', clientMessageId: 'c' } });
    expect(other).toMatchObject({ status: 400, error: { code: 'validation_error' } });
    advance(minuteMs);
    expect(await textsOf(opened, conversation)).toEqual(['user: One?', `avatar: ${defaultAnswer}`]);
    expect(models.streams).toHaveLength(1);
  });
});

describe('one notice for several workers', () => {
  test('at the same time: the model is asked once', async () => {
    const opened = await openConversation(() => ({ steps: [50, defaultAnswer] }));
    const { conversation, ask, notices, work, models } = opened;
    await ask(conversation, 'One?');
    const all = await notices();
    // Whoever is too late asks for the notice again, for the end of the lease.
    await Promise.allSettled(Array.from({ length: 5 }, () => work(all)));
    expect(models.streams).toHaveLength(1);
    expect(await textsOf(opened, conversation)).toEqual(['user: One?', `avatar: ${defaultAnswer}`]);
    await work(all);
    expect(models.streams).toHaveLength(1);
    expect(await opened.transcript(conversation)).toHaveLength(2);
  });
});

/** An API whose process dies, and what may be said of any reply afterwards. */
async function openKilled() {
  let life = { callsLeft: Number.POSITIVE_INFINITY, afterwards: false, calls: 0 };
  const opened = await openConversation(() => ({ steps: ['An ', 'answer.'] }), {
    adjust({ client }) {
      const dying = mortal(client);
      life = dying.life;
      return { client: dying.client, sleep: async () => {}, randomFraction: () => 0 };
    },
  });
  const revive = () => {
    life.callsLeft = Number.POSITIVE_INFINITY;
  };
  return { ...opened, life, revive };
}
type Killed = Awaited<ReturnType<typeof openKilled>>;

/** A minute after the kill of a worker: the reply is done once, or unknown, and the next question has its answer. */
async function expectOneOutcome(opened: Killed, conversation: string, replyId: unknown, asked: number) {
  const { call, advance, answered, work, notices, models } = opened;
  advance(minuteMs - 1);
  const read = async () => (await call('GET', `${conversation}/replies/${replyId}`)).data;
  // A reply that nobody had taken is answered when its notice comes again.
  if ((await read()).status === 'queued') await work(await notices());
  const reply = await read();
  expect(['done', 'unknown']).toContain(reply.status);
  expect(models.streams.length - asked).toBeLessThanOrEqual(1);
  const isDone = reply.status === 'done';
  expect(await textsOf(opened, conversation)).toEqual(
    isDone ? ['user: One?', 'avatar: An answer.'] : ['user: One?'],
  );
  if (!isDone) {
    const isAsked = models.streams.length > asked;
    expect(reply.failure).toMatchObject({ code: 'worker_lost' });
    if (isAsked) expect(reply.costUsd).toBeGreaterThan(0);
  }
  advance(1);
  expect(await answered(conversation, 'Two?')).toMatchObject({ status: 'done' });
  return reply;
}

async function killedAt(step: number) {
  const opened = await openKilled();
  const { life, revive, converse, deploymentId, ask, work, notices, models, call } = opened;
  await opened.answered(opened.conversation, 'One?');
  // The calls of a run that is not killed.
  const trial = await converse({ deploymentId });
  await ask(trial, 'One?');
  const trialNotices = await notices();
  life.calls = 0;
  await work(trialNotices);
  const { calls } = life;
  expect(calls).toBeGreaterThan(12);
  const outcomes = new Set<unknown>();
  for (let at = 1; at <= calls; at += step) {
    for (const afterwards of [false, true]) {
      const conversation = await converse({ deploymentId });
      const { data } = await ask(conversation, 'One?');
      const all = await notices();
      const asked = models.streams.length;
      life.callsLeft = at;
      life.afterwards = afterwards;
      await work(all).catch(() => {});
      revive();
      const reply = await expectOneOutcome(opened, conversation, data.id, asked);
      outcomes.add(reply.status);
      // Nothing that may have cost is missing in the sum of the day.
      const { data: list } = await call('GET', `${conversation}/replies`);
      const costs = (list.items as Json[]).map(({ costUsd }) => Number(costUsd));
      expect(Math.min(...costs)).toBeGreaterThanOrEqual(0);
    }
  }
  expect(outcomes).toEqual(new Set(['done', 'unknown']));
  const replies = (await storedOf(opened, 'messages')).filter(({ id }) => /^rpl_\w+$/.test(`${id}`));
  const sum = replies.reduce(
    (all, { microUsd, reservedMicroUsd }) => all + Number(microUsd ?? reservedMicroUsd),
    0,
  );
  expect(await spentOfDay(opened)).toBe(sum);
}

describe('a kill', () => {
  test('of the worker, at some of its calls', () => killedAt(5));
  test('of the worker, at each of its calls', { tags: ['long'] }, () => killedAt(1));

  async function requestKilledAt(step: number) {
    const opened = await openKilled();
    const { life, revive, converse, deploymentId, ask } = opened;
    const trial = await converse({ deploymentId });
    life.calls = 0;
    await ask(trial, 'One?', { idempotencyKey: trial });
    const { calls } = life;
    expect(calls).toBeGreaterThan(4);
    for (let at = 1; at <= calls; at += step) {
      for (const afterwards of [false, true]) {
        const conversation = await converse({ deploymentId });
        life.callsLeft = at;
        life.afterwards = afterwards;
        await ask(conversation, 'One?', { idempotencyKey: conversation }).catch(() => {});
        revive();
        const { status, data } = await ask(conversation, 'One?', { idempotencyKey: conversation });
        expect(status, `${at}`).toBe(202);
        const { data: list } = await opened.call('GET', `${conversation}/replies`);
        expect((list.items as Json[]).map(({ id }) => id)).toEqual([data.id]);
        expect(await textsOf(opened, conversation)).toEqual(['user: One?']);
      }
    }
  }
  test('of the request, at some of its calls: sent again, it has one reply', () => requestKilledAt(3));
  test('of the request, at each of its calls', { tags: ['long'] }, () => requestKilledAt(1));

  test('while the model answers: unknown for every reader, with what was stored, and the highest cost', async () => {
    const opened: Killed = await openKilled();
    const { conversation, ask, work, notices, models, call, advance, life, revive } = opened;
    const { data: asked } = await ask(conversation, 'One?');
    const all = await notices();
    const stream = models.stream.bind(models);
    models.stream = (request, onText, signal) =>
      stream(
        request,
        async (text) => {
          await onText(text);
          life.callsLeft = 0;
        },
        signal,
      );
    await work(all).catch(() => {});
    revive();
    const path = `${conversation}/replies/${asked.id}`;
    expect((await call('GET', path)).data).toMatchObject({ status: 'running', text: 'An' });
    advance(31 * secondMs);
    const { data } = await call('GET', path);
    expect(data).toMatchObject({ status: 'unknown', text: 'An', failure: { code: 'worker_lost' } });
    expect((await call('GET', `${conversation}/replies`)).data.items).toMatchObject([{ status: 'unknown' }]);
    expect((await call('POST', `${path}/cancel`)).error.code).toBe('reply_ended');
    const most = costOf({ inputTokens: 0, outputTokens: 200 }, testModel);
    expect(data.costUsd).toBeGreaterThan(usdOf(most));
    expect(await spentOfDay(opened)).toBe(Math.round(Number(data.costUsd) * 1e6));
    // The notice that comes again writes what everybody sees.
    await work(all);
    const [stored] = (await storedOf(opened, 'messages')).filter(({ id }) => id === asked.id);
    expect(stored).toMatchObject({ status: 'unknown' });
    const { data: retried } = await ask(conversation, { retryOf: asked.id });
    expect(retried).toMatchObject({
      status: 'queued',
      inputMessageId: asked.inputMessageId,
      retryOf: asked.id,
    });
  });
});
