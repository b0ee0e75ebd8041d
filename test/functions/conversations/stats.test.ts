import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, describe, expect, test } from 'vitest';
import { inBatches, split } from '../../../lib/base/batches.ts';
import { maxResponseBytes } from '../../../lib/base/json.ts';
import { dayMs } from '../../../lib/base/time.ts';
import { maxCounters } from '../../../lib/conversations/store/counters.ts';
import { type Json, openApi, type TestApi } from '../../../samples/api.ts';
import conversationCounter from '../../../workers/conversation-counter.ts';
import { intercept } from '../../support/faults.ts';
import { refuses, responds } from '../../support/responses.ts';
import { nameScores, type SentScore, storeScores } from '../../support/scores.ts';
import { follow } from '../../support/workers.ts';

const opened: { stop(): Promise<void> }[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ stop }) => stop()));
});

const deployments = ['dep_01JZ4Y7Q8R5T2V9W3X6B0C1D4E', 'dep_01JZ4Y7Q8R5T2V9W3X6B0C1D4F'] as const;
const avatars = ['avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E', 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4F'] as const;

async function openCounted() {
  const api = await openApi();
  const followers = await follow(api, [conversationCounter]);
  opened.push(followers);
  const project = await api.createProject();
  const list = `/projects/${project}/conversations`;
  return {
    ...api,
    list,
    project,
    settled: followers.settled,
    stats: (query = '') => api.call('GET', `${list}/stats${query}`),
    /** Stores a conversation whose messages are ten seconds apart. */
    converse: async (startedAt: string, count: number, body: Json = {}) => {
      const path = await api.createConversation({ startedAt, ...body }, project);
      const at = (n: number) => new Date(Date.parse(startedAt) + n * 10_000).toISOString();
      const messages = Array.from({ length: count }, (_, n) => ({ role: 'user', text: 'a', at: at(n + 1) }));
      if (count > 0) await api.call('POST', `${path}/messages`, { body: { messages } });
      return path;
    },
  };
}

async function openScored() {
  const api = await openCounted();
  const outputs = {
    csat: { type: 'number', min: 1, max: 5 },
    'csat-2': { type: 'number', min: 0, max: 1 },
    topic: { type: 'category', values: Array.from({ length: 20 }, (_, n) => `topic ${n}`) },
  } as const;
  await nameScores(api, api.project, outputs);
  const score = (path: string, sent: SentScore) =>
    storeScores(api, api.project, outputs, path.split('/').at(-1) ?? '', [sent]);
  return { ...api, score };
}

/** Stores sums of one day directly in the table, each with its own channel. */
async function storeSums(
  { runtime, organisationId }: Pick<TestApi, 'runtime' | 'organisationId'>,
  project: string,
  from: number,
  to: number,
) {
  const day = '2026-03-01';
  const requests = Array.from({ length: to - from }, (_, n) => {
    const channel = channelOf(from + n);
    const sum = { day, avatarId: avatars[0], channel, conversations: 1, messages: 2, durationSeconds: 3 };
    const tenant = `${organisationId}#live#${project}#days#g1`;
    const Item = {
      ...sum,
      tenant,
      id: `${day}#${avatars[0]}#${channel}`,
      countedThrough: '2026-03-01T00:00:00.000Z',
    };
    return { PutRequest: { Item } };
  });
  const TableName = runtime.tableNames.conversationStats as string;
  await inBatches(split(requests, 25), 8, (batch) =>
    runtime.client.send(new BatchWriteCommand({ RequestItems: { [TableName]: batch } })),
  );
}

/** The longest possible channel in a response that is escaped twice. */
const channelOf = (n: number) => String(n).padStart(6, '0') + '\\'.repeat(34);

describe('conversations.stats', () => {
  refuses(
    'stats_too_large',
    'more sums than the limit; exactly the limit gets 200',
    async () => {
      let queries = 0;
      const api = await openApi(({ client }) => ({
        client: intercept(client, ({ constructor: kind }) => {
          if (kind.name === 'QueryCommand') queries += 1;
          return undefined;
        }),
      }));
      const project = await api.createProject();
      await storeSums(api, project, 0, maxCounters);
      const path = `/projects/${project}/conversations/stats?groupBy=channel&from=2026-03-01T00:00:00Z&to=2026-03-02T00:00:00Z`;
      const whole = await api.call('GET', path);
      expect(whole.data.items).toHaveLength(maxCounters);
      expect(whole.data.totals).toMatchObject({ conversations: maxCounters });
      // Lambda counts the body as a JSON string inside JSON.
      expect(Buffer.byteLength(JSON.stringify(whole.text))).toBeLessThan(maxResponseBytes);
      await storeSums(api, project, maxCounters, maxCounters * 1.2);
      queries = 0;
      const response = await api.call('GET', path);
      // It stops reading at the limit.
      expect(queries).toBe(Math.ceil((maxCounters + 1) / 999));
      return response;
    },
    { tags: ['long'] },
  );

  responds(200, 'with sums by day, by avatar and by channel', async () => {
    const { converse, stats, settled, faultLines } = await openCounted();
    await converse('2026-03-01T23:59:59.999Z', 2, { avatarId: avatars[0], channel: 'web' });
    await converse('2026-03-02T00:00:00Z', 4, { avatarId: avatars[1], channel: 'a#b ~ü' });
    await converse('2026-03-02T12:00:00Z', 0, { avatarId: avatars[0] });
    await converse('2026-03-03T12:00:00Z', 1, { avatarId: avatars[0] });
    await settled();
    const range = '&from=2026-03-01T12:00:00Z&to=2026-03-03T00:00:00Z';
    const totals = { conversations: 3, messages: 6, meanDurationSeconds: 20 };
    const byDay = await stats(`?groupBy=day${range}`);
    expect(byDay.data).toEqual({
      items: [
        { key: '2026-03-01', conversations: 1, messages: 2, meanDurationSeconds: 20 },
        { key: '2026-03-02', conversations: 2, messages: 4, meanDurationSeconds: 20 },
      ],
      totals,
      countedThrough: expect.stringMatching(/^2\d{3}-.*:\d\d\.000Z$/),
    });
    const { data: byAvatar } = await stats(`?groupBy=avatar${range}`);
    expect(byAvatar.items).toEqual([
      { key: avatars[0], conversations: 2, messages: 2, meanDurationSeconds: 10 },
      { key: avatars[1], conversations: 1, messages: 4, meanDurationSeconds: 40 },
    ]);
    const { data: byChannel } = await stats(`?groupBy=channel${range}`);
    expect(byChannel.items).toEqual([
      { key: null, conversations: 1, messages: 0, meanDurationSeconds: 0 },
      { key: 'a#b ~ü', conversations: 1, messages: 4, meanDurationSeconds: 40 },
      { key: 'web', conversations: 1, messages: 2, meanDurationSeconds: 20 },
    ]);
    expect([byAvatar.totals, byChannel.totals]).toEqual([totals, totals]);

    const third = '?from=2026-03-03T00:00:00Z&to=2026-03-03T00:00:00.001Z';
    expect((await stats(third)).data.items).toHaveLength(1);
    expect(faultLines()).toEqual([]);
    return byDay;
  });

  responds(200, 'with sums by deployment, of those without one too', async () => {
    const { converse, stats, settled } = await openCounted();
    await converse('2026-03-01T10:00:00Z', 2, { deploymentId: deployments[1] });
    await converse('2026-03-02T10:00:00Z', 4, { deploymentId: deployments[1], channel: 'web' });
    await converse('2026-03-02T11:00:00Z', 1, { deploymentId: deployments[0] });
    await converse('2026-03-02T12:00:00Z', 3);
    await settled();
    const response = await stats('?groupBy=deployment&from=2026-03-01T12:00:00Z&to=2026-03-03T00:00:00Z');
    expect(response.data).toMatchObject({
      items: [
        { key: null, conversations: 1, messages: 3, meanDurationSeconds: 30 },
        { key: deployments[0], conversations: 1, messages: 1, meanDurationSeconds: 10 },
        { key: deployments[1], conversations: 2, messages: 6, meanDurationSeconds: 30 },
      ],
      totals: { conversations: 4, messages: 10, meanDurationSeconds: 25 },
    });
    return response;
  });

  responds(200, 'with counts, means and shares of a score, and by its values', async () => {
    const { converse, stats, score, settled, faultLines } = await openScored();
    const first = await converse('2026-03-01T10:00:00Z', 2, { channel: 'web' });
    const second = await converse('2026-03-01T11:00:00Z', 4);
    const third = await converse('2026-03-02T10:00:00Z', 1);
    await converse('2026-03-02T11:00:00Z', 3);
    await score(first, { name: 'csat', value: 1, source: 'model' });
    await score(first, { name: 'csat', value: 4.5, source: 'human' });
    await score(second, { name: 'csat', value: 2, source: 'api' });
    await score(second, { name: 'csat-2', value: 1, source: 'api' });
    await score(third, { name: 'csat', value: null, source: 'rule' });
    await settled();
    const range = '&from=2026-03-01T12:00:00Z&to=2026-03-03T00:00:00Z';
    const shares = (counts: Record<string, number>, all: number) =>
      ['1', '2', '3', '4', '5'].map((value) => {
        const count = counts[value] ?? 0;
        return { value, count, share: count / Math.max(all, 1) };
      });
    const both = { count: 2, mean: 3.25, shares: shares({ 2: 1, 5: 1 }, 2) };
    const byDay = await stats(`?score=csat${range}`);
    expect(byDay.data).toEqual({
      items: [
        {
          key: '2026-03-01',
          conversations: 2,
          messages: 6,
          meanDurationSeconds: 30,
          score: { ...both, unknown: 0 },
        },
        {
          key: '2026-03-02',
          conversations: 2,
          messages: 4,
          meanDurationSeconds: 20,
          score: { count: 0, unknown: 1, mean: null, shares: shares({}, 0) },
        },
      ],
      totals: {
        conversations: 4,
        messages: 10,
        meanDurationSeconds: 25,
        score: { ...both, unknown: 1 },
      },
      countedThrough: expect.stringMatching(/^2\d{3}-.*:\d\d\.000Z$/),
    });
    const { data: byValue } = await stats(`?groupBy=score:csat&score=csat${range}`);
    expect(byValue).toMatchObject({
      items: [
        {
          key: null,
          conversations: 2,
          messages: 4,
          meanDurationSeconds: 20,
          score: { count: 0, unknown: 1 },
        },
        { key: '2', conversations: 1, messages: 4, score: { count: 1, unknown: 0, mean: 2 } },
        { key: '5', conversations: 1, messages: 2, score: { mean: 4.5, shares: shares({ 5: 1 }, 1) } },
      ],
      totals: { conversations: 4, score: { ...both, unknown: 1 } },
    });
    const { data: plain } = await stats(`?groupBy=score:csat${range}`);
    expect(plain.totals).toEqual({ conversations: 4, messages: 10, meanDurationSeconds: 25 });
    const { data: byChannel } = await stats(`?groupBy=channel&score=csat${range}`);
    expect(byChannel.items).toMatchObject([
      { key: null, conversations: 3, score: { count: 1, mean: 2 } },
      { key: 'web', conversations: 1, score: { count: 1, mean: 4.5 } },
    ]);
    expect(faultLines()).toEqual([]);
    return byDay;
  });

  for (const [path, query, message] of [
    ['score', '?score=cast', 'no evaluator has the name `cast`'],
    ['groupBy', '?groupBy=score:cast', 'no evaluator has the name `cast`'],
    ['score', '?groupBy=score:csat&score=csat-2', 'must be `csat`, as in `groupBy`'],
  ] as const) {
    refuses('validation_error', `of a score that cannot be counted: ${query}`, async () => {
      const { stats } = await openScored();
      const response = await stats(query);
      expect(response.error.details).toEqual([{ path, message }]);
      return response;
    });
  }

  refuses('stats_too_large', 'more shares than the limit', async () => {
    const api = await openScored();
    await storeSums(api, api.project, 0, maxCounters / 20 + 1);
    const range = '&from=2026-03-01T00:00:00Z&to=2026-03-02T00:00:00Z';
    for (const query of ['?groupBy=channel', '?groupBy=day&score=topic', '?groupBy=channel&score=csat']) {
      expect((await api.stats(`${query}${range}`)).status, query).toBe(200);
    }
    return api.stats(`?groupBy=channel&score=topic${range}`);
  });

  test('subtracts erased conversations', async () => {
    const { converse, stats, settled, call } = await openCounted();
    const path = await converse(new Date().toISOString(), 3);
    await settled();
    expect((await stats()).data.totals).toMatchObject({ conversations: 1, messages: 3 });
    await call('DELETE', path);
    await settled();
    const { items, totals } = (await stats()).data;
    expect([items, totals]).toEqual([[], { conversations: 0, messages: 0, meanDurationSeconds: 0 }]);
  });

  test('covers the last 30 days by default, without expired days', async () => {
    const { converse, stats, settled, call, project } = await openCounted();
    const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString();
    for (const days of [0, 10, 29, 31]) await converse(daysAgo(days), 1);
    await settled();
    expect((await stats()).data.totals).toMatchObject({ conversations: 3 });
    expect((await stats(`?from=${daysAgo(40)}`)).data.totals).toMatchObject({ conversations: 4 });
    await call('PATCH', `/projects/${project}`, { body: { settings: { retentionDays: 20 } } });
    expect((await stats(`?from=${daysAgo(40)}`)).data.totals).toMatchObject({ conversations: 2 });
    // The whole range has expired.
    const { data } = await stats(`?from=${daysAgo(40)}&to=${daysAgo(30)}`);
    expect(data).toEqual({
      items: [],
      totals: { conversations: 0, messages: 0, meanDurationSeconds: 0 },
      countedThrough: null,
    });
  });

  test('accepts a range of 366 days', async () => {
    const { stats } = await openCounted();
    expect((await stats('?from=2026-01-01T12:00:00Z&to=2027-01-02T12:00:00Z')).status).toBe(200);
  });

  for (const [what, query] of [
    ['a longer range', '?from=2026-01-01T12:00:00Z&to=2027-01-02T12:00:00.001Z'],
    ['an empty range', '?from=2026-01-01T12:00:00Z&to=2026-01-01T12:00:00Z'],
    ['a range that starts in the future', '?from=2126-01-01T12:00:00Z'],
    ['another grouping', '?groupBy=user'],
    ['a grouping by a score without a name', '?groupBy=score:'],
    ['a name that no score can have', '?score=CSAT'],
    ['a date without a time', '?from=2026-01-01'],
  ] as const) {
    refuses('validation_error', what, async () => (await openCounted()).stats(query));
  }
});
