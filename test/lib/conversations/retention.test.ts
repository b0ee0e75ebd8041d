/** How long a project keeps its conversations. */

import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { expect, test } from 'vitest';
import { dayMs, minuteMs } from '../../../lib/base/time.ts';
import { openApi, storedOf, type TestApi } from '../../../samples/api.ts';
import { deliverNotices, endsTurn, noticesOf } from '../../../samples/lambda-queue.ts';
import { changeRecord } from '../../../samples/stream-records.ts';
import retentionRewriter from '../../../workers/retention-rewriter.ts';
import { remember } from '../../support/rewind.ts';
import { deliverKilled } from '../../support/turns.ts';
import { deliver, follow, openMortal } from '../../support/workers.ts';

const messages = [
  { role: 'user', text: 'one', clientMessageId: 'm' },
  { role: 'avatar', text: 'two' },
];

/** @returns the distinct TTLs of all stored items of conversations */
const ttlsOf = async (api: TestApi) => {
  const items = [...(await storedOf(api, 'conversations')), ...(await storedOf(api, 'messages'))];
  return { count: items.length, ttls: [...new Set(items.map(({ ttl }) => ttl))] };
};

test('all items of a conversation expire together, the retention period after its start', async () => {
  const api = await openApi();
  const project = await api.createProject({ settings: { retentionDays: 10 } });
  const startedAt = new Date(Date.now() - dayMs).toISOString();
  const path = await api.createConversation({ startedAt, tags: ['a'], externalId: 'x' }, project);
  await api.call('PATCH', `/projects/${project}`, { body: { settings: { retentionDays: 20 } } });
  await api.call('POST', `${path}/messages`, { body: { messages } });
  await api.call('PATCH', path, { body: { tags: ['b'] } });
  const ttl = Math.ceil((Date.parse(startedAt) + 10 * dayMs) / 1000);
  // The conversation, its entries for avatar and tag, its pointer, two messages and a pointer.
  expect(await ttlsOf(api)).toEqual({ count: 7, ttls: [ttl] });
});

test('without a retention period, no item has a TTL', async () => {
  const api = await openApi();
  const path = await api.createConversation();
  await api.call('POST', `${path}/messages`, { body: { messages } });
  expect(await ttlsOf(api)).toEqual({ count: 5, ttls: [undefined] });
});

test('a conversation can be changed and erased after TTL has removed some of its items', async () => {
  const api = await openApi();
  const path = await api.createConversation({ tags: ['a', 'b'] });
  for (const { tenant, id } of await storedOf(api, 'conversations')) {
    if (!`${tenant}`.includes('#by#')) continue;
    const TableName = api.runtime.tableNames.conversations;
    await api.runtime.client.send(new DeleteCommand({ TableName, Key: { tenant, id } }));
  }
  expect((await api.call('PATCH', path, { body: { tags: ['b', 'c'] } })).status).toBe(200);
  expect((await api.call('DELETE', path)).status).toBe(200);
});

/** After a minute, there are no requests in progress. */
async function openRewritten() {
  const api = await openApi();
  const projectsOf = async () =>
    (await storedOf(api, 'projects')).filter(({ tenant }) => !`${tenant}`.endsWith('#deleted'));
  /** @returns the stream record of the change */
  const keep = async (project: string, retentionDays: number | null) => {
    const [before] = (await projectsOf()).filter(({ id }) => id === project);
    const body = { settings: { retentionDays } };
    expect((await api.call('PATCH', `/projects/${project}`, { body })).status).toBe(200);
    const [after] = (await projectsOf()).filter(({ id }) => id === project);
    return changeRecord(before, after);
  };
  const rewrite = (record: DynamoDBRecord) => {
    api.advance(minuteMs);
    return deliver(api, retentionRewriter, [record]);
  };
  return { ...api, keep, rewrite };
}

const startedAt = new Date(Date.now() - 5 * dayMs).toISOString();
const daysFromStart = (days: number) => Math.ceil((Date.parse(startedAt) + days * dayMs) / 1000);

async function withConversations(api: TestApi, count: number, project: string): Promise<string[]> {
  const paths: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const body = { startedAt, tags: ['a', `t${n}`], channel: 'web', externalId: `x${n}` };
    const path = await api.createConversation(body, project);
    await api.call('POST', `${path}/messages`, { body: { messages } });
    paths.push(path);
  }
  return paths;
}

test('a changed retention period applies to stored items: longer, unlimited, shorter', {
  tags: ['long'],
}, async () => {
  const api = await openRewritten();
  const project = await api.createProject({ settings: { retentionDays: 10 } });
  const other = await api.createProject({ settings: { retentionDays: 10 } });
  await withConversations(api, 3, project);
  expect(await ttlsOf(api)).toEqual({ count: 27, ttls: [daysFromStart(10)] });
  for (const [days, ttl] of [
    [20, daysFromStart(20)],
    [null, undefined],
    [7, daysFromStart(7)],
  ] as const) {
    await api.rewrite(await api.keep(project, days));
    expect(await ttlsOf(api)).toEqual({ count: 27, ttls: [ttl] });
  }
  // Other changes and other projects have no effect.
  await api.rewrite(await api.keep(project, 7));
  await withConversations(api, 1, other);
  await api.rewrite(await api.keep(project, 8));
  expect((await ttlsOf(api)).ttls.sort()).toEqual([daysFromStart(8), daysFromStart(10)]);
});

test('the latest retention period wins; repeated and late stream records change nothing', async () => {
  const api = await openRewritten();
  const project = await api.createProject();
  await withConversations(api, 2, project);
  const first = await api.keep(project, 10);
  const second = await api.keep(project, 20);
  await Promise.all([api.rewrite(first), api.rewrite(second)]);
  expect((await ttlsOf(api)).ttls).toEqual([daysFromStart(20)]);
  const stored = await storedOf(api, 'messages');
  for (const record of [first, second, first]) await api.rewrite(record);
  expect(await storedOf(api, 'messages')).toEqual(stored);
});

test('items written during the rewrite get the new TTL', { tags: ['long'] }, async () => {
  const api = await openRewritten();
  const project = await api.createProject();
  const paths = await withConversations(api, 3, project);
  const record = await api.keep(project, 10);
  const write = async (path: string) => {
    for (let n = 0; n < 5; n += 1) {
      await api.call('POST', `${path}/messages`, { body: { messages: [{ role: 'user', text: `${n}` }] } });
      await api.call('PATCH', path, { body: { tags: [`now ${n}`] } });
    }
  };
  await Promise.all([api.rewrite(record), ...paths.map(write)]);
  expect((await ttlsOf(api)).ttls).toEqual([daysFromStart(10)]);
});

test('killed at any call, the next run continues from its checkpoint and applies the setting everywhere', {
  tags: ['nightly'],
}, async () => {
  const { api, life } = await openMortal({ sleep: async () => {} });
  const project = await api.createProject();
  await withConversations(api, 24, project);
  const before = (await storedOf(api, 'projects'))[0];
  await api.call('PATCH', `/projects/${project}`, { body: { settings: { retentionDays: 10 } } });
  const record = changeRecord(before, (await storedOf(api, 'projects'))[0]);
  api.advance(minuteMs);
  const run = () => deliver(api, retentionRewriter, [record]);
  const rewind = await remember(api);
  life.calls = 0;
  await run();
  const { calls } = life;
  for (let point = 2; point < calls; point += 97) {
    await rewind();
    Object.assign(life, { callsLeft: point, afterwards: point % 2 === 0 });
    await run().catch(() => {});
    life.callsLeft = Number.POSITIVE_INFINITY;
    await run();
    expect((await ttlsOf(api)).ttls).toEqual([daysFromStart(10)]);
    const left = await storedOf(api, 'conversations');
    expect(left.filter(({ tenant }) => `${tenant}`.endsWith('#retention'))).toEqual([]);
  }
});

test('a turn goes on after the message of the last one, and a killed turn loses nothing', async () => {
  const { api, life } = await openMortal();
  const project = await api.createProject();
  const [path = ''] = await withConversations(api, 22, project);
  const more = Array.from({ length: 25 }, (_, n) => ({
    role: 'user',
    text: 'more',
    clientMessageId: `${n}`,
  }));
  for (let page = 0; page < 6; page += 1)
    await api.call('POST', `${path}/messages`, {
      body: { messages: more.map((one) => ({ ...one, clientMessageId: `${page} ${one.clientMessageId}` })) },
    });
  const before = (await storedOf(api, 'projects'))[0];
  await api.call('PATCH', `/projects/${project}`, { body: { settings: { retentionDays: 10 } } });
  const notices = noticesOf(retentionRewriter, [changeRecord(before, (await storedOf(api, 'projects'))[0])]);
  const places = async () =>
    (await storedOf(api, 'conversations')).filter(({ tenant }) => `${tenant}`.endsWith('#retention'));

  // Requests may still have read the project before the change.
  const turn = () => endsTurn(deliverNotices({ ...api.runtime, turnMs: 0 }, retentionRewriter, notices));
  expect([await turn(), (await ttlsOf(api)).ttls]).toEqual([true, [undefined]]);
  api.advance(minuteMs);
  life.calls = 0;
  expect(await turn()).toBe(true);
  expect(await places()).toMatchObject([{ upTo: '', within: expect.anything() }]);
  expect(Object.keys((await places())[0]?.within as object)).toHaveLength(20);
  const counts = [life.calls];
  life.calls = 0;
  expect(await turn()).toBe(true);
  counts.push(life.calls);
  expect(await deliverKilled(api, life, retentionRewriter, notices)).toBeGreaterThan(4);
  expect((await ttlsOf(api)).ttls).toEqual([daysFromStart(10)]);
  expect(await places()).toEqual([]);
  expect(counts[1]).toBeLessThan(counts[0] ?? 0);
});

test('of two changes to the same value, in turns, the later one goes on', async () => {
  const api = await openRewritten();
  const project = await api.createProject();
  await withConversations(api, 22, project);
  const records = [
    await api.keep(project, 10),
    await api.keep(project, 20),
    await api.keep(project, 10),
  ] as const;
  api.advance(minuteMs);
  const notices = noticesOf(retentionRewriter, [records[0], records[2]]);
  const runtime = { ...api.runtime, turnMs: 0 };
  const left = new Set(notices);
  for (let turns = 0; left.size > 0; turns += 1) {
    expect(turns).toBeLessThan(100);
    for (const notice of left)
      if (!(await endsTurn(deliverNotices(runtime, retentionRewriter, [notice])))) left.delete(notice);
  }
  expect((await ttlsOf(api)).ttls).toEqual([daysFromStart(10)]);
});

test('a project deleted during the rewrite is rewritten too, because it can be restored', async () => {
  const api = await openRewritten();
  const project = await api.createProject();
  await withConversations(api, 1, project);
  const record = await api.keep(project, 10);
  await api.call('DELETE', `/projects/${project}`);
  await api.rewrite(record);
  expect((await ttlsOf(api)).ttls).toEqual([daysFromStart(10)]);
});

test('PATCH of the setting starts the worker through the stream', async () => {
  const api = await openRewritten();
  const followers = await follow(api, [retentionRewriter]);
  const project = await api.createProject();
  await withConversations(api, 1, project);
  await api.keep(project, 10);
  await followers.settled();
  await followers.stop();
  expect((await ttlsOf(api)).ttls).toEqual([daysFromStart(10)]);
  expect(api.faultLines()).toEqual([]);
});

test('the scores of a conversation expire with it, also after a change of the retention', async () => {
  const api = await openRewritten();
  const project = await api.createProject();
  const evaluators = `/projects/${project}/evaluators`;
  for (const name of ['solved', 'helpful'])
    await api.call('POST', evaluators, { body: { name, kind: 'external', output: { type: 'boolean' } } });
  const path = await api.createConversation({ startedAt }, project);
  const put = (name: string, value: boolean) =>
    api.call('PUT', `${path}/scores/${name}`, { body: { value } });
  await put('solved', true);
  const ttls = async () => {
    const all = await storedOf(api, 'conversations');
    const own = all.filter(
      ({ id, tenant }) => `${tenant}`.includes(path.split('/')[4] ?? '') || path.endsWith(`${id}`),
    );
    return { count: own.length, ttls: [...new Set(own.map(({ ttl }) => ttl))] };
  };
  // The conversation with the entry of its avatar; the score with its summary and two entries.
  expect(await ttls()).toEqual({ count: 6, ttls: [undefined] });
  await api.rewrite(await api.keep(project, 10));
  expect(await ttls()).toEqual({ count: 6, ttls: [daysFromStart(10)] });
  await put('helpful', false);
  await put('solved', false);
  expect(await ttls()).toEqual({ count: 9, ttls: [daysFromStart(10)] });
  await api.rewrite(await api.keep(project, null));
  expect(await ttls()).toEqual({ count: 9, ttls: [undefined] });
});
