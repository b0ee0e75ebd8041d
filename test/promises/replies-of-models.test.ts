/** Whatever a model does, a reply has one end, one price, and text that can be stored; and a cost has limits that nobody passes. */

import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { minuteMs, secondMs } from '../../lib/base/time.ts';
import type { StreamEnd } from '../../lib/models/models.ts';
import { type Json, storedOf } from '../../samples/api.ts';
import { defaultAnswer, type Script, type StreamScript } from '../../samples/models.ts';
import { spentOfDay } from '../support/evaluations.ts';
import { intercept } from '../support/faults.ts';
import { openReplies } from '../support/replies.ts';

type Options = Parameters<typeof openReplies>[1];

async function open(script?: Script | StreamScript, options?: Options) {
  const opened = await openReplies(typeof script === 'object' ? () => script : script, options);
  const { id: deploymentId } = await opened.deploy();
  const conversation = await opened.converse({ deploymentId });
  const texts = async () => (await opened.transcript(conversation)).map(({ text }) => text);
  /** In US dollars. */
  const spent = async () => (await spentOfDay(opened)) / 1e6;
  return { ...opened, deploymentId, conversation, texts, spent };
}

/** @returns the highest cost of the call, in US dollars */
async function highestOf({ answered, conversation }: Awaited<ReturnType<typeof open>>, text: string) {
  const { request } = await answered(conversation, { input: { text }, dryRun: true });
  return Number((request as Json).highestCostUsd);
}

describe('a limit of costs', () => {
  test('the quota of the day is too low: it fails, and no model is asked', async () => {
    const { answered, conversation, models, spent } = await open(undefined, { modelCostUsd: 0.000_001 });
    const failure = { code: 'model_cost_quota' };
    expect(await answered(conversation, 'One?')).toMatchObject({ status: 'failed', failure, costUsd: 0 });
    expect(models.streams).toEqual([]);
    expect(await spent()).toBe(0);
  });

  test('replies at the same time do not pass the quota of the day', async () => {
    const trial = await open();
    const highest = await highestOf(trial, 'One?');
    // An answer that ends sooner would give its rest back to the others.
    const othersFail = async () => {
      while ((await endsOf()).filter((end) => end?.status === 'failed').length < 4) await sleep(50);
    };
    const script = () => ({ steps: [othersFail, defaultAnswer] });
    const opened = await open(script, { modelCostUsd: highest * 2.5 });
    const { converse, deploymentId, ask, work, call, models, spent } = opened;
    const paths = await Promise.all(Array.from({ length: 6 }, () => converse({ deploymentId })));
    const endsOf = () =>
      Promise.all(
        paths.map(async (path) => ((await call('GET', `${path}/replies`)).data.items as Json[])[0]),
      );
    await Promise.all(paths.map((path) => ask(path, 'One?')));
    await work();
    const ends = await endsOf();
    expect(ends.filter((end) => end?.status === 'done')).toHaveLength(2);
    const refused = ends.filter((end) => (end?.failure as Json | null)?.code === 'model_cost_quota');
    expect(refused).toHaveLength(4);
    expect(models.streams).toHaveLength(2);
    expect(await spent()).toBeLessThanOrEqual(highest * 2.5);
  });

  test('maxCostUsd is exact: it fails below the highest cost, and is answered with it', async () => {
    const opened = await open();
    const { answered, conversation, models, spent } = opened;
    const highest = await highestOf(opened, 'One?');
    const input = { text: 'One?' };
    const failure = { code: 'max_cost_usd' };
    const below = { input, maxCostUsd: highest - 0.000_001 };
    expect(await answered(conversation, below)).toMatchObject({ status: 'failed', failure, costUsd: 0 });
    expect(models.streams).toEqual([]);
    expect(await spent()).toBe(0);
    const { data: list } = await opened.call('GET', `${conversation}/replies`);
    const retryOf = (list.items as Json[]).find(({ dryRun }) => !dryRun)?.id;
    const maxCostUsd = highest + 0.000_001;
    expect(await answered(conversation, { retryOf, maxCostUsd })).toMatchObject({ status: 'done' });
  });

  test('maxConversationCostUsd counts all replies of the conversation, also lost ones', async () => {
    let end: StreamEnd | undefined = { kind: 'retry', reason: 'network', mayCost: true, message: 'lost' };
    const opened = await open(() => ({ steps: [defaultAnswer], ...(end && { end }) }));
    const { answered, conversation, call, project, models, converse, deploymentId } = opened;
    const highest = await highestOf(opened, 'One?');
    const settings = { maxConversationCostUsd: highest * 1.5 };
    await call('PATCH', project, { body: { settings } });
    expect(await answered(conversation, 'One?')).toMatchObject({ status: 'unknown', costUsd: highest });
    end = undefined;
    const failure = { code: 'max_conversation_cost_usd' };
    expect(await answered(conversation, 'Two?')).toMatchObject({ status: 'failed', failure, costUsd: 0 });
    expect(models.streams).toHaveLength(1);
    const another = await converse({ deploymentId });
    expect(await answered(another, 'Two?')).toMatchObject({ status: 'done' });
  });
});

const throttled: StreamEnd = { kind: 'retry', reason: 'throttled', mayCost: false, message: '429' };

describe('a model that refuses clearly', () => {
  const sleeping = () => {
    const slept = { ms: 0 };
    const adjust = () => ({
      async sleep(ms: number) {
        slept.ms += ms;
      },
    });
    return { slept, adjust };
  };

  test('for a while is asked again, and answers once', async () => {
    const { adjust } = sleeping();
    const script: Script = (_, index) => (index < 3 ? { end: throttled } : { steps: [defaultAnswer] });
    const { answered, conversation, models, texts } = await open(script, { adjust });
    expect(await answered(conversation, 'One?')).toMatchObject({ status: 'done' });
    expect(models.streams).toHaveLength(4);
    expect(await texts()).toEqual(['One?', defaultAnswer]);
  });

  test('for longer than 30 seconds: it fails, and costs nothing', async () => {
    const { slept, adjust } = sleeping();
    const { answered, conversation, models, texts, spent } = await open({ end: throttled }, { adjust });
    const failure = { code: 'model_busy' };
    expect(await answered(conversation, 'One?')).toMatchObject({ status: 'failed', failure, costUsd: 0 });
    expect(slept.ms).toBeGreaterThan(10 * secondMs);
    expect(slept.ms).toBeLessThanOrEqual(31 * secondMs);
    expect(models.streams.length).toBeGreaterThan(3);
    expect(await spent()).toBe(0);
    expect(await texts()).toEqual(['One?']);
  });

  test('after a text is not asked again', async () => {
    const { adjust } = sleeping();
    const { answered, conversation, models } = await open({ steps: ['Some'], end: throttled }, { adjust });
    const reply = await answered(conversation, 'One?');
    expect(reply).toMatchObject({ status: 'unknown', text: 'Some' });
    expect(reply.costUsd).toBeGreaterThan(0);
    expect(models.streams).toHaveLength(1);
  });

  test.each([
    ['too_long', 'request_too_long'],
    ['invalid', 'model_refused'],
    ['unavailable', 'model_unavailable'],
  ] as const)('with %s: it fails at once with %s, and costs nothing', async (kind, code) => {
    const end = kind === 'too_long' ? { kind } : { kind, message: 'no' };
    const { answered, conversation, models, spent } = await open({ end: end as StreamEnd });
    expect(await answered(conversation, 'One?')).toMatchObject({ status: 'failed', failure: { code } });
    expect(models.streams).toHaveLength(1);
    expect(await spent()).toBe(0);
  });
});

describe('a lost answer', () => {
  const lost: StreamEnd = { kind: 'retry', reason: 'network', mayCost: true, message: 'reset' };
  test.each<[string, StreamScript, string, Options]>([
    ['the stream breaks', { steps: ['Some text.'], end: lost }, 'answer_lost', {}],
    ['the connection breaks before the first text', { end: lost }, 'answer_lost', {}],
    [
      'the client throws',
      { steps: ['Some text.'], end: { kind: 'throws', error: new Error('boom') } },
      'answer_lost',
      {},
    ],
    ['the call never ends', { steps: ['Some text.', minuteMs] }, 'timeout', { times: { callMs: 300 } }],
    ['the call never says anything', { steps: [minuteMs] }, 'timeout', { times: { callMs: 300 } }],
  ])('%s: unknown, with its highest cost, and not asked again', async (_, script, code, options) => {
    const opened = await open(script, options);
    const { ask, work, notices, call, conversation, models, texts, spent } = opened;
    const { data } = await ask(conversation, 'One?');
    const all = await notices();
    await work(all);
    const { data: reply } = await call('GET', `${conversation}/replies/${data.id}`);
    const text = script.steps?.[0] === 'Some text.' ? 'Some text.' : '';
    expect(reply).toMatchObject({ status: 'unknown', failure: { code }, text, messageId: null });
    expect(reply.costUsd).toBeGreaterThan(0);
    expect(await spent()).toBeCloseTo(Number(reply.costUsd), 9);
    await work(all);
    expect(models.streams).toHaveLength(1);
    expect(await texts()).toEqual(['One?']);
    // The text of this reply is not part of later requests.
    await ask(conversation, 'Two?');
    await work();
    expect(JSON.stringify(models.streams[1])).not.toContain('Some text');
  });
});

describe('an answer', () => {
  const megabyte = 2 ** 20;
  test.each<[string, (string | number)[], string]>([
    ['in one piece', ['x'.repeat(10 * megabyte)], 'x'],
    ['in many pieces', Array.from({ length: 10_000 }, () => 'x'.repeat(1000)), 'x'],
    ['of long characters', ['€'.repeat(megabyte)], '€'],
  ])('of megabytes, %s: 16 KB of it, cut off', async (_, steps, character) => {
    const { answered, conversation, texts } = await open({ steps });
    const reply = await answered(conversation, 'One?');
    expect(reply).toMatchObject({ status: 'done', finishReason: 'length' });
    const text = `${reply.text}`;
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(16_384);
    expect(Buffer.byteLength(text)).toBeGreaterThan(16_380);
    expect(text.replaceAll(character, '')).toBe('');
    expect((await texts())[1]).toBe(text);
  });

  test.each<[string, StreamScript, string]>([
    ['that is empty', { steps: [] }, 'empty_answer'],
    ['of white space', { steps: [' \n\n', '\t'] }, 'empty_answer'],
    ['of markers alone', { steps: ['[1][2]', ' [3]'] }, 'empty_answer'],
    [
      'that the model refuses',
      { end: { kind: 'answer', stop: 'refused', inputTokens: 10, outputTokens: 0 } },
      'model_refused',
    ],
  ])('%s: it fails, and what it has cost is counted', async (_, script, code) => {
    const { answered, conversation, texts, spent } = await open(script);
    const reply = await answered(conversation, 'One?');
    expect(reply).toMatchObject({ status: 'failed', failure: { code }, text: '', messageId: null });
    expect(reply.costUsd).toBeGreaterThan(0);
    expect(await spent()).toBeCloseTo(Number(reply.costUsd), 9);
    expect(await texts()).toEqual(['One?']);
  });

  test('that cites nonsense: no number of no passage is in the text, and each is counted', async () => {
    const steps = ['It is so [1', '7] and', ' so [99]. Also [0], [1, 2] and [-5].'];
    const { answered, conversation, texts } = await open({ steps });
    const reply = await answered(conversation, 'One?');
    expect(reply).toMatchObject({ status: 'done', citations: [], passages: [] });
    expect(reply.removedMarkers).toBeGreaterThanOrEqual(4);
    for (const number of ['17', '99', '1, 2']) expect(reply.text).not.toContain(number);
    expect((await texts())[1]).toBe(reply.text);
  });

  test('of garbage is stored well-formed, and the parts are the text', async () => {
    const steps = [
      'a\ud83d',
      '\u0000b\udc00',
      '\ufeff\u202e[[[[[',
      ']】【',
      1100,
      '\ud83d',
      '\ude00 end\ud83d',
    ];
    const opened = await open({ steps });
    const reply = await opened.answered(opened.conversation, 'One?');
    expect(reply.status).toBe('done');
    const text = `${reply.text}`;
    expect(text.isWellFormed()).toBe(true);
    expect(text).toContain('\u{1f600} end');
    const parts = (await storedOf(opened, 'messages'))
      .filter(({ id }) => `${id}`.startsWith(`${reply.id}#`))
      .toSorted((a, b) => (`${a.id}` < `${b.id}` ? -1 : 1));
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.map((part) => part.text).join('')).toBe(text);
  });

  test('whose tokens cannot be true costs what was reserved', async () => {
    const end: StreamEnd = { kind: 'answer', stop: 'end', inputTokens: 10 ** 9, outputTokens: 10 ** 9 };
    const opened = await open({ steps: [defaultAnswer], end });
    const highest = await highestOf(opened, 'One?');
    const reply = await opened.answered(opened.conversation, 'One?');
    expect(reply).toMatchObject({ status: 'done', inputTokens: null, costUsd: highest });
  });

  test('that is there when the client is gone is stored all the same', async () => {
    const opened = await open({ steps: ['An ', 300, 'answer.'] });
    const { ask, work, conversation, call, texts } = opened;
    const { data } = await ask(conversation, 'One?');
    const { signal, abort } = abortable();
    const stream = call('GET', `${conversation}/replies/${data.id}/events`, { signal }).catch(() => {});
    const working = work();
    setTimeout(abort, 100);
    await Promise.all([stream, working]);
    expect(await texts()).toEqual(['One?', 'An answer.']);
  });
});

function abortable() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

test('in a conversation of 5,000 messages, a bounded part is read, and what is left out is said', async () => {
  let reads = 0;
  let isCounting = false;
  const opened = await open(undefined, {
    adjust: ({ client }) => ({
      client: intercept(client, ({ constructor: { name } }) => {
        if (isCounting && /Query|Get/.test(name)) reads += 1;
        return undefined;
      }),
    }),
  });
  const { call, conversation, ask, work, models } = opened;
  for (let sent = 0; sent < 5000; sent += 25) {
    const messages = Array.from({ length: 25 }, (_, n) => ({
      role: n % 2 === 0 ? 'user' : 'avatar',
      text: `message ${sent + n} ${'x'.repeat(200)}`,
    }));
    expect((await call('POST', `${conversation}/messages`, { body: { messages } })).status).toBe(201);
  }
  const { data } = await ask(conversation, 'One?');
  const all = await opened.notices();
  isCounting = true;
  await work(all);
  isCounting = false;
  expect(reads).toBeLessThan(40);
  const { data: reply } = await call('GET', `${conversation}/replies/${data.id}`);
  expect(reply).toMatchObject({ status: 'done' });
  const [request] = models.streams;
  const text = JSON.stringify(request);
  const said = [...text.matchAll(/message \d+/g)].length;
  expect(said).toBeGreaterThan(10);
  expect(said).toBeLessThanOrEqual(200);
  expect(reply.leftOutMessages).toBe(5000 - said);
  expect(text).toContain('message 4999');
  expect(text).not.toContain('message 1 ');
  expect(Buffer.byteLength(text)).toBeLessThan(200_000);
});

test('without an index, a reply has no passages, and says so', async () => {
  const { answered, conversation } = await open();
  expect(await answered(conversation, 'One?')).toMatchObject({
    mode: null,
    indexVersion: null,
    passages: [],
  });
});

test('an avatar that is archived while its draft waits does not answer', async () => {
  const { converse, ask, work, call, project, avatarId, models } = await open();
  const conversation = await converse({ test: true });
  const { data } = await ask(conversation, { input: { text: 'One?' }, target: { draft: true } });
  expect(data).toMatchObject({ status: 'queued', draft: true });
  await call('PATCH', `${project}/avatars/${avatarId}`, { body: { status: 'archived' } });
  await work();
  const { data: reply } = await call('GET', `${conversation}/replies/${data.id}`);
  expect(reply).toMatchObject({ status: 'failed', failure: { code: 'avatar_archived' } });
  expect(models.streams).toEqual([]);
});

test('a model that the stage does not list any more is not asked', async () => {
  const { ask, work, call, conversation, models } = await open();
  const { data } = await ask(conversation, 'One?');
  (models as { listed: readonly unknown[] }).listed = [];
  await work();
  const { data: reply } = await call('GET', `${conversation}/replies/${data.id}`);
  expect(reply).toMatchObject({ status: 'failed', failure: { code: 'model_not_listed' } });
  expect(models.streams).toEqual([]);
});

test('a dry run of a retry has the question once, and stores no message', async () => {
  const end: StreamEnd = { kind: 'unavailable', message: 'gone' };
  const { answered, conversation, models, texts } = await open({ end });
  const { id: retryOf } = await answered(conversation, 'A rare question?');
  const { request, status } = await answered(conversation, { retryOf, dryRun: true });
  expect(status).toBe('done');
  expect(JSON.stringify(request).split('A rare question?')).toHaveLength(2);
  expect(models.streams).toHaveLength(1);
  expect(await texts()).toEqual(['A rare question?']);
});

describe('another credential', () => {
  const body = { input: { text: 'One?' } };
  async function expectNothing(
    opened: Awaited<ReturnType<typeof open>>,
    path: string,
    key: string,
    id: unknown,
  ) {
    const { call } = opened;
    const requests = [
      ['GET', `${path}/replies`],
      ['GET', `${path}/replies/${id}`],
      ['GET', `${path}/replies/${id}/events`],
      ['POST', `${path}/replies/${id}/cancel`],
      ['POST', `${path}/replies`, body],
    ] as const;
    for (const [method, at, sent] of requests) {
      const { status, error } = await call(method, at, { key, ...(sent && { body: sent }) });
      expect([method, at, status, error.code]).toEqual([method, at, 404, 'not_found']);
    }
  }

  test('of another organisation, another project or another environment finds no reply', async () => {
    const opened = await open();
    const { conversation, ask, projectId, createProject, createKey } = opened;
    const { data } = await ask(conversation, 'One?');
    const stranger = await opened.another();
    await expectNothing(opened, conversation, stranger.rootKey, data.id);
    const other = await createProject();
    await expectNothing(opened, conversation.replace(projectId, other), opened.rootKey, data.id);
    const scopes = ['conversations:write', 'conversations:read', 'deploy:read'];
    const inOther = await createKey({ scopes, projectIds: [other] });
    await expectNothing(opened, conversation, inOther.secret, data.id);
    const bound = await createKey({ scopes, environments: ['staging'] });
    await expectNothing(opened, conversation, bound.secret, data.id);
    const runtime = await createKey({ scopes: ['runtime:write'] });
    await expectNothing(opened, conversation, runtime.secret, data.id);
    const another = await opened.converse({ deploymentId: opened.deploymentId });
    const { status } = await opened.call('GET', `${another}/replies/${data.id}`);
    expect(status).toBe(404);
  });
});
