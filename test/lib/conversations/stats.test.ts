/** Statistics equal a plain count, even if the stream repeats, delays or reorders changes. */

import type { DynamoDBRecord } from 'aws-lambda';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { meter } from '../../../measures/meter.ts';
import { type Json, openApi, storedOf, type TestApi } from '../../../samples/api.ts';
import { changeRecord } from '../../../samples/stream-records.ts';
import conversationCounter from '../../../workers/conversation-counter.ts';
import { deliver, openMortal } from '../../support/workers.ts';

const avatars = ['avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E', 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4F'];
const range = 'from=2026-03-01T00:00:00Z&to=2026-04-01T00:00:00Z';

/** @returns the stored conversations */
const stored = async (api: TestApi) =>
  (await storedOf(api, 'conversations')).filter(({ tenant }) => `${tenant}`.split('#').length === 3);

/** @returns the expected statistics */
function plainCount(conversations: readonly Json[], groupBy: string): Json {
  const keyOf = (conversation: Json): string => {
    if (groupBy === 'day') return `${conversation.startedAt}`.slice(0, 10);
    return `${conversation[groupBy === 'avatar' ? 'avatarId' : 'channel'] ?? ''}`;
  };
  const durationOf = ({ startedAt, lastMessageAt }: Json) =>
    lastMessageAt ? (Date.parse(`${lastMessageAt}`) - Date.parse(`${startedAt}`)) / 1000 : 0;
  const sum = (all: readonly Json[]) => ({
    conversations: all.length,
    messages: all.reduce((count, { messageCount }) => count + (messageCount as number), 0),
    meanDurationSeconds: Math.round(
      all.reduce((seconds, conversation) => seconds + durationOf(conversation), 0) / Math.max(all.length, 1),
    ),
  });
  const keys = [...new Set(conversations.map(keyOf))].sort();
  const items = keys.map((key) => ({
    key: key || null,
    ...sum(conversations.filter((conversation) => keyOf(conversation) === key)),
  }));
  return { items, totals: sum(conversations) };
}

async function expectCounted(api: TestApi, list: string) {
  const conversations = await stored(api);
  for (const groupBy of ['day', 'avatar', 'channel']) {
    const { data } = await api.call('GET', `${list}/stats?groupBy=${groupBy}&${range}`);
    const { countedThrough: _, ...counted } = data;
    expect(counted).toEqual(plainCount(conversations, groupBy));
  }
}

const number = fc.nat({ max: 1000 });
const operation = fc.record({
  kind: fc.constantFrom('create', 'append', 'append', 'end', 'erase', 'tag', 'deliver'),
  number,
});

const equalPlainCount = (numRuns: number) => async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(operation, { minLength: 5, maxLength: 25 }),
      fc.infiniteStream(number),
      async (operations, chance) => {
        const api = await openApi();
        const list = `/projects/${await api.createProject()}/conversations`;
        const records: DynamoDBRecord[] = [];
        let before = new Map<unknown, Json>();
        /** Records the change, as the stream does. */
        const observe = async () => {
          const after = new Map((await stored(api)).map((item) => [item.id, item]));
          for (const [id, item] of after) {
            const old = before.get(id);
            if (!old) records.push(changeRecord(undefined, item));
            else if (old.changedIn !== item.changedIn) records.push(changeRecord(old, item));
          }
          for (const [id, item] of before) {
            if (!after.has(id)) records.push(changeRecord(item, undefined));
          }
          before = after;
        };
        const some = (): DynamoDBRecord[] => records.filter(() => (chance.next().value ?? 0) % 3 === 0);
        for (const { kind, number: n } of operations) {
          const paths = [...before.keys()].map((id) => `${list}/${id}`);
          const path = paths[n % Math.max(paths.length, 1)];
          if (kind === 'create' || path === undefined) {
            const startedAt = new Date(Date.UTC(2026, 2, 1 + (n % 3), n % 24)).toISOString();
            const channel = n % 2 ? 'web' : null;
            await api.call('POST', list, { body: { avatarId: avatars[n % 2], channel, startedAt } });
          } else if (kind === 'append') {
            const at = new Date(Date.UTC(2026, 2, 5, 0, 0, n)).toISOString();
            const messages = Array.from({ length: 1 + (n % 3) }, () => ({ role: 'user', text: 'a', at }));
            await api.call('POST', `${path}/messages`, { body: { messages } });
          } else if (kind === 'end') {
            await api.call('POST', `${path}/end`, { body: { reason: 'done' } });
          } else if (kind === 'tag') {
            await api.call('PATCH', path, { body: { tags: [`${n}`] } });
          } else if (kind === 'erase') {
            await api.call('DELETE', path);
          } else {
            // Two functions run at the same time, with late and reordered records.
            await Promise.all([
              deliver(api, conversationCounter, some()),
              deliver(api, conversationCounter, some().reverse()),
            ]);
          }
          await observe();
        }
        // Each record at least once, in any order, some twice.
        const rest = [...records, ...some()]
          .map((record) => ({ record, place: chance.next().value ?? 0 }))
          .sort((a, b) => a.place - b.place)
          .map(({ record }) => record);
        await deliver(api, conversationCounter, rest);
        await expectCounted(api, list);
      },
    ),
    { numRuns },
  );
};

const areEqual = 'statistics equal a plain count, in whatever order the stream delivers the changes';
test(areEqual, equalPlainCount(2));
test(`${areEqual}: more orders`, { tags: ['nightly'] }, equalPlainCount(15));

const countsOnce = (points: readonly number[]) => async () => {
  for (const point of points) {
    for (const afterwards of [false, true]) {
      const { api, life } = await openMortal();
      const list = `/projects/${await api.createProject()}/conversations`;
      const startedAt = '2026-03-01T10:00:00Z';
      await api.call('POST', list, { body: { avatarId: avatars[0], startedAt } });
      const [conversation] = await stored(api);
      const records = [changeRecord(undefined, conversation)];
      Object.assign(life, { callsLeft: point, afterwards });
      await deliver(api, conversationCounter, records).catch(() => {});
      life.callsLeft = Number.POSITIVE_INFINITY;
      await deliver(api, conversationCounter, records);
      await expectCounted(api, list);
    }
  }
};
const isOnce = 'a worker killed before or after a call counts a change once';
test(isOnce, countsOnce([3]));
test(`${isOnce}: any call`, { tags: ['long'] }, countsOnce([1, 2, 3, 4, 5, 6, 7, 8]));

test('statistics cost by days, avatars and channels, not by conversations', { tags: ['long'] }, async () => {
  let metered = meter({} as never);
  const api = await openApi(({ client }) => {
    metered = meter(client);
    return { client: metered.client };
  });
  const list = `/projects/${await api.createProject()}/conversations`;
  const more = async (count: number) => {
    for (let n = 0; n < count; n += 1) {
      const body = { avatarId: avatars[n % 2], startedAt: `2026-03-0${1 + (n % 2)}T10:00:00Z` };
      await api.call('POST', list, { body });
    }
    const records = (await stored(api)).map((item) => changeRecord(undefined, item));
    await deliver(api, conversationCounter, records);
    metered.reset();
    const { data } = await api.call('GET', `${list}/stats?${range}`);
    return { usage: metered.usage(), totals: data.totals };
  };
  const few = await more(2);
  const many = await more(60);
  expect(many.totals).toMatchObject({ conversations: 62 });
  expect(many.usage).toEqual(few.usage);
});
