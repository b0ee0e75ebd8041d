/** A re-index job rebuilds the search index and the sums while conversations are read and written. */

import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, expect, test } from 'vitest';
import { termsIn, tokenizers } from '../../../lib/text/terms.ts';
import type { Worker } from '../../../lib/workers/worker.ts';
import { type Json, storedOf } from '../../../samples/api.ts';
import { endsTurn, unlessTurnOver } from '../../../samples/lambda-queue.ts';
import { changeRecord } from '../../../samples/stream-records.ts';
import conversationCounter from '../../../workers/conversation-counter.ts';
import conversationEraser from '../../../workers/conversation-eraser.ts';
import conversationReindexer from '../../../workers/conversation-reindexer.ts';
import messageIndexer from '../../../workers/message-indexer.ts';
import { openSearch } from '../../support/conversation-search.ts';
import { intercept } from '../../support/faults.ts';
import { remember } from '../../support/rewind.ts';
import { storedText } from '../../support/stored.ts';
import { deliver } from '../../support/workers.ts';

/** The second tokenizer of this file also splits words at every `x`. */
tokenizers.versions[2] = (text) => termsIn(text.replaceAll('x', ' '));

afterEach(() => {
  tokenizers.current = 1;
});

type Api = Awaited<ReturnType<typeof openSearch>>;

const conversationsOf = async (api: Api) =>
  (await storedOf(api, 'conversations')).filter(
    ({ startedAt, tenant }) => startedAt && !`${tenant}`.includes('#by#'),
  );
const messagesOf = async (api: Api) =>
  (await storedOf(api, 'messages')).filter(({ text }) => text !== undefined);

/** Gives the worker everything that is stored. */
const give = async (api: Api, worker: Worker, items: readonly Json[]) => {
  if (items.length > 0)
    await deliver(
      api,
      worker,
      items.map((item) => changeRecord(undefined, item)),
    );
};

async function ask(api: Api) {
  const { data } = await api.call('POST', `${api.list}/reindex`);
  const path = `/projects/${api.project}/jobs/${data.id}`;
  const [job] = (await storedOf(api, 'jobs')).filter(({ id, type }) => type && id === data.id);
  return { path, record: changeRecord(undefined, job), show: async () => (await api.call('GET', path)).data };
}

const range = 'from=2026-03-01T00:00:00Z&to=2026-03-31T00:00:00Z';

async function expectScanned(api: Api, words: readonly string[], split: (text: string) => string[]) {
  const all = await messagesOf(api);
  const existing = new Set((await conversationsOf(api)).map(({ id }) => id));
  const shown = all.filter(({ tenant }) => existing.has(`${tenant}`.split('#').at(-1)));
  for (const word of words) {
    const wanted = shown
      .filter(({ text }) => split(`${text}`).includes(word))
      .map(({ messageId }) => messageId);
    const found = (await api.pages({ q: word, limit: '100' })).flat().map(({ messageId }) => messageId);
    expect(found.toSorted(), word).toEqual(wanted.toSorted());
  }
  const { data } = await api.call('GET', `${api.list}/stats?${range}`);
  expect(data.totals).toMatchObject({ conversations: existing.size, messages: shown.length });
}

const spaces = (text: string) => text.split(' ');
const words = ['common', 'ab', 'a', 'b', 'rare', 'classified'];

/** Two conversations, one of them with several blocks, and a third one that nobody has indexed or counted. */
async function openBroken(adjust?: Parameters<typeof openSearch>[0]) {
  const api = await openSearch(adjust);
  const day = (n: number) => ({ startedAt: `2026-03-0${n}T10:00:00Z`, channel: `c${n}` });
  const long = await api.say(
    Array.from({ length: 150 }, (_, n) => `common axb ${n % 50 ? '' : 'rare'} n${n}`),
    day(1),
  );
  const short = await api.say(['common axb', 'ab'], day(2));
  await give(api, messageIndexer, await messagesOf(api));
  await give(api, conversationCounter, await conversationsOf(api));
  const missed = await api.say(['common classified', 'axb classified'], day(3));
  return { api, long, short, missed };
}

test('after the job, search and sums equal a plain scan, also by another tokenizer', {
  tags: ['long'],
}, async () => {
  const { api, long, missed } = await openBroken();
  expect(await api.snippets('classified')).toEqual([]);
  tokenizers.current = 2;
  // The previous index is searched, and extended, by its own tokenizer.
  expect(await api.snippets('axb')).toHaveLength(151);
  const { record, show } = await ask(api);
  expect(await show()).toMatchObject({ type: 'conversations.reindex', status: 'queued' });
  await deliver(api, conversationReindexer, [record]);
  expect(await show()).toMatchObject({
    status: 'succeeded',
    progress: { total: 3, done: 3, failed: 0 },
    result: { conversations: 3 },
  });
  await expectScanned(api, words, (text) => text.split(/[ x]/));
  expect(await api.snippets('axb', { limit: '100' })).toHaveLength(152);
  const places = async () => [
    ...(await storedOf(api, 'conversationSearch')),
    ...(await storedOf(api, 'conversationStats')),
  ];
  // Nothing of the first generation is left.
  expect((await places()).filter(({ tenant }) => /#g1(#|$)/.test(`${tenant}`))).toEqual([]);
  for (const path of [long, missed]) {
    await api.call('DELETE', path);
    const erased = (await storedOf(api, 'conversations')).filter(
      ({ erasedAt, purgedAt }) => erasedAt && !purgedAt,
    );
    await give(api, conversationEraser, erased);
  }
  expect((await places()).filter(({ id }) => `${id}`.includes(`${long.split('/').at(-1)}`))).toEqual([]);
  expect(await storedText(api)).not.toContain('classified');
  await expectScanned(api, words, (text) => text.split(/[ x]/));
  // A new message is indexed in the new generation.
  await api.say(['axb later'], { startedAt: '2026-03-04T10:00:00Z' });
  await give(api, messageIndexer, await messagesOf(api));
  await give(api, conversationCounter, await conversationsOf(api));
  await expectScanned(api, [...words, 'later'], (text) => text.split(/[ x]/));
});

test('killed before or after any call, the next run completes it; nothing is lost or left', {
  tags: ['nightly'],
}, async () => {
  let calls = Number.NEGATIVE_INFINITY;
  const kill = { point: 0, isSent: false };
  const { api } = await openBroken(({ client }) => ({
    client: intercept(client, (_, proceed) => {
      calls += 1;
      if (calls < kill.point) return undefined;
      const dead = () => Promise.reject(new Error('killed'));
      return calls === kill.point && kill.isSent ? proceed().then(dead) : dead();
    }),
  }));
  const { record, show } = await ask(api);
  const rewind = await remember(api);
  const run = async (point: number, isSent: boolean) => {
    await rewind();
    Object.assign(kill, { point, isSent });
    calls = 0;
    await deliver(api, conversationReindexer, [record]).catch(() => {});
    const made = calls;
    calls = Number.NEGATIVE_INFINITY;
    await deliver(api, conversationReindexer, [record]);
    expect(await show()).toMatchObject({ status: 'succeeded', result: { conversations: 3 } });
    await expectScanned(api, ['common', 'rare', 'classified'], spaces);
    const stored = await storedOf(api, 'conversationSearch');
    const parts = new Set(stored.map(({ tenant }) => `${tenant}`.split('#')[4]).filter(Boolean));
    expect(parts.size).toBe(1);
    return made;
  };
  const whole = await run(Number.POSITIVE_INFINITY, false);
  const step = Math.ceil(whole / 24);
  for (let point = 1; point <= whole; point += step) await run(point, (point / step) % 2 < 1);
});

/** The n-th write of the job is followed by a change of each kind. */
const changedAt = (points: readonly number[]) => async () => {
  for (const nth of points) {
    let updates = Number.NEGATIVE_INFINITY;
    const during: { act?: () => Promise<void> } = {};
    const { api, long, short } = await openBroken(({ client }) => ({
      client: intercept(client, (command, proceed) => {
        if (command.constructor.name !== 'UpdateCommand') return undefined;
        updates += 1;
        if (updates !== nth) return undefined;
        updates = Number.NEGATIVE_INFINITY;
        return proceed().then(async (output) => {
          await during.act?.();
          return output;
        });
      }),
    }));
    during.act = async () => {
      const before = new Set((await messagesOf(api)).map(({ messageId }) => messageId));
      await api.append(long, ['common during', 'axb during']);
      const old = await api.say(['during old'], { startedAt: '2026-02-28T10:00:00Z' });
      await api.call('DELETE', old);
      await api.say(['during new'], { startedAt: '2026-03-01T09:00:00Z' });
      await api.call('DELETE', short);
      const added = (await messagesOf(api)).filter(({ messageId }) => !before.has(messageId));
      await give(api, messageIndexer, added);
      await give(api, conversationCounter, await conversationsOf(api));
      await give(
        api,
        conversationEraser,
        (await storedOf(api, 'conversations')).filter(({ erasedAt }) => erasedAt),
      );
    };
    const { record, show } = await ask(api);
    updates = 0;
    await deliver(api, conversationReindexer, [record]);
    expect(updates).toBeLessThan(0);
    expect(await show()).toMatchObject({ status: 'succeeded' });
    await expectScanned(api, ['common', 'axb', 'ab', 'during', 'classified', 'new', 'old'], spaces);
    const erased = new Set(
      (await storedOf(api, 'conversations')).filter(({ erasedAt }) => erasedAt).map(({ id }) => id),
    );
    const left = [
      ...(await storedOf(api, 'conversationSearch')),
      ...(await storedOf(api, 'conversationStats')),
    ];
    expect(left.filter(({ id }) => erased.has(`${id}`.split('#')[0]))).toEqual([]);
    expect(left.filter(({ tenant }) => /#g1(#|$)/.test(`${tenant}`))).toEqual([]);
  }
};

const isIncluded = 'what is added, erased or counted while the job runs is in the result, or gone';
test(isIncluded, changedAt([60]));
test(`${isIncluded}: at its begin and its end too`, { tags: ['long'] }, changedAt([1, 165]));
test(`${isIncluded}: near its begin and its end`, { tags: ['nightly'] }, changedAt([5, 160]));

test('in turns that end after each step, the index and the sums are exact, whatever changes in between', {
  tags: ['long'],
}, async () => {
  const { api, long, short } = await openBroken();
  // More messages than a step indexes.
  const longer = await api.say(
    Array.from({ length: 600 }, (_, n) => `common axb m${n}`),
    { startedAt: '2026-03-04T10:00:00Z' },
  );
  await give(api, messageIndexer, await messagesOf(api));
  await give(api, conversationCounter, await conversationsOf(api));
  const changes = [
    () => api.append(longer, ['common during', 'axb during']),
    () => api.say(['during old'], { startedAt: '2026-03-01T09:00:00Z' }),
    () => api.call('DELETE', short),
    () => api.say(['during new'], { startedAt: '2026-03-05T09:00:00Z' }),
    () => api.append(long, ['common during', 'rare during']),
    () => api.call('DELETE', longer),
  ];
  const change = async (act: (typeof changes)[number]) => {
    const before = new Set((await messagesOf(api)).map(({ messageId }) => messageId));
    await act();
    const added = (await messagesOf(api)).filter(({ messageId }) => !before.has(messageId));
    await give(api, messageIndexer, added);
    await give(api, conversationCounter, await conversationsOf(api));
    const erased = (await storedOf(api, 'conversations')).filter(
      ({ erasedAt, purgedAt }) => erasedAt && !purgedAt,
    );
    await give(api, conversationEraser, erased);
  };
  const runtime = { ...api.runtime, turnMs: 0 };
  for (const between of [[], changes]) {
    const acts = [...between];
    const { record, show } = await ask(api);
    const positions: string[] = [];
    while ((await show()).status !== 'succeeded') {
      await deliver({ runtime }, conversationReindexer, [record]).catch(unlessTurnOver);
      const [job] = (await storedOf(api, 'jobs')).filter(
        ({ id }) => id === (record.dynamodb?.Keys?.id?.S ?? ''),
      );
      positions.push(`${job?.position} ${JSON.stringify(job?.result)}`);
      expect(positions.length).toBeLessThan(60);
      const act = acts.shift();
      if (act) await change(act);
    }
    expect(acts).toEqual([]);
    // Each conversation, each further page of a long one, and the same when the previous index is removed.
    expect(positions.length).toBeGreaterThan(9);
    expect(positions.filter((position) => position.includes('within')).length).toBeGreaterThan(0);
    await expectScanned(api, [...words, 'axb', 'during', 'old', 'new'], spaces);
    const left = [
      ...(await storedOf(api, 'conversationSearch')),
      ...(await storedOf(api, 'conversationStats')),
    ];
    const parts = new Set(left.map(({ tenant }) => `${tenant}`.split('#')[4]).filter(Boolean));
    expect(parts.size).toBe(1);
  }
});

test('a job goes on at the text of an earlier version, whose runs find the place of a later one', {
  tags: ['long'],
}, async () => {
  const { api } = await openBroken();
  const { record, show } = await ask(api);
  const runtime = { ...api.runtime, turnMs: 0 };
  const job = async () =>
    (await storedOf(api, 'jobs')).find(({ id }) => id === record.dynamodb?.Keys?.id?.S) as Json;
  await deliver({ runtime }, conversationReindexer, [record]).catch(unlessTurnOver);
  const [first] = (await conversationsOf(api)).map(({ id }) => `${id}`).toSorted();
  const { position, ...item } = await job();
  expect(`${position}`.split(' ')[0]).toBe(first);
  const Item = { ...item, position: first };
  await api.runtime.client.send(new PutCommand({ TableName: api.runtime.tableNames.jobs, Item }));
  await deliver(api, conversationReindexer, [record]);
  expect(await show()).toMatchObject({
    status: 'succeeded',
    progress: { total: 3, done: 3, failed: 0 },
    result: { conversations: 3 },
  });
  await expectScanned(api, words, spaces);
});

test('a cancelled job leaves the previous index, and nothing of its own', { tags: ['long'] }, async () => {
  let calls = Number.NEGATIVE_INFINITY;
  const cancel: { act?: () => Promise<unknown> } = {};
  const { api } = await openBroken(({ client }) => ({
    client: intercept(client, (_, proceed) => {
      calls += 1;
      return calls === 30 ? cancel.act?.().then(proceed) : undefined;
    }),
  }));
  const first = await ask(api);
  cancel.act = () => api.call('POST', `${first.path}/cancel`);
  calls = 0;
  await deliver(api, conversationReindexer, [first.record]);
  expect(await first.show()).toMatchObject({ status: 'cancelled', result: null });
  expect(await api.snippets('common')).toHaveLength(151);
  const left = [
    ...(await storedOf(api, 'conversationSearch')),
    ...(await storedOf(api, 'conversationStats')),
  ];
  expect(left.filter(({ tenant }) => /#g2(#|$)/.test(`${tenant}`))).toEqual([]);
  const second = await ask(api);
  await deliver(api, conversationReindexer, [second.record]);
  await expectScanned(api, ['common', 'classified'], spaces);
});

test('what a cancelled job leaves is removed in turns, although the first is killed. Later turns do not wait again', {
  tags: ['long'],
}, async () => {
  let waits = 0;
  const { api } = await openBroken(({ sleep, fence }) => ({
    async sleep(ms) {
      if (ms !== fence.waitMs) return sleep(ms);
      waits += 1;
      if (waits === 1) throw new Error('killed');
    },
  }));
  const { record, path, show } = await ask(api);
  const runtime = { ...api.runtime, turnMs: 0 };
  const turn = () => endsTurn(deliver({ runtime }, conversationReindexer, [record]));
  const left = async () =>
    [...(await storedOf(api, 'conversationSearch')), ...(await storedOf(api, 'conversationStats'))].filter(
      ({ tenant }) => /#g2(#|$)/.test(`${tenant}`),
    ).length;
  for (let turns = 0; turns < 3; turns += 1) expect(await turn()).toBe(true);
  await api.call('POST', `${path}/cancel`);
  const before = await left();
  expect(before).toBeGreaterThan(0);
  await expect(turn()).rejects.toThrow('killed');
  let turns = 1;
  for (; await turn(); turns += 1) expect(turns).toBeLessThan(40);
  expect(turns).toBeGreaterThan(4);
  expect(waits).toBe(2);
  expect(await left()).toBe(0);
  expect(await show()).toMatchObject({ status: 'cancelled', result: null });
  expect(await api.snippets('common')).toHaveLength(151);
});
