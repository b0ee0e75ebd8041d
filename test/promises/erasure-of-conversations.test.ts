/** An erased conversation leaves no byte of its messages, user or topic. */

import { randomUUID } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, describe, expect, test } from 'vitest';
import { tableNames } from '../../lib/dynamodb/tables.ts';
import { type Json, openApi, storedOf, type TestApi } from '../../samples/api.ts';
import { deliverNotices, endsTurn, noticesOf } from '../../samples/lambda-queue.ts';
import { changeRecord } from '../../samples/stream-records.ts';
import conversationCounter from '../../workers/conversation-counter.ts';
import conversationEraser from '../../workers/conversation-eraser.ts';
import conversationSweeper from '../../workers/conversation-sweeper.ts';
import eventWriter from '../../workers/event-writer.ts';
import messageIndexer from '../../workers/message-indexer.ts';
import { remember } from '../support/rewind.ts';
import { storedText, withoutGone } from '../support/stored.ts';
import { deliverKilled } from '../support/turns.ts';
import { deliver, follow, openMortal } from '../support/workers.ts';

const opened: { stop(): Promise<void> }[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ stop }) => stop()));
});

/** Every test stores new words of this form. No stored item may contain them after the erasure. */
const word = () => `word:${randomUUID().slice(0, 23)}`;

const said = () => ({
  role: 'user',
  text: word(),
  clientMessageId: word(),
  citations: [{ documentId: 'kdoc_01JZ4Y7Q8R5T2V9W3X6B0C1D4E', title: word(), snippet: word() }],
  metadata: { [word()]: word() },
});

const details = () => ({
  externalId: word(),
  externalUserId: word(),
  deploymentId: 'dep_01JZ4Y7Q8R5T2V9W3X6B0C1D4E',
  channel: word(),
  tags: [word(), word()],
  metadata: { [word()]: word() },
});

/** Every call stores an idempotency record, the repeated ones too. */
async function converse(api: TestApi, pages = 1): Promise<string> {
  const project = await api.createProject();
  const body = { avatarId: 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E', ...details() };
  const list = `/projects/${project}/conversations`;
  const { data } = await api.call('POST', list, { body, idempotencyKey: 'create' });
  const path = `${list}/${data.id}`;
  const first = { messages: [said(), { role: 'avatar', text: word() }] };
  await api.call('POST', `${path}/messages`, { body: first, idempotencyKey: 'append' });
  await api.call('POST', `${path}/messages`, {
    body: { messages: first.messages.slice(0, 1) },
    idempotencyKey: 'append again',
  });
  for (let page = 1; page < pages; page += 1) {
    const messages = Array.from({ length: 25 }, said);
    await api.call('POST', `${path}/messages`, { body: { messages } });
  }
  const evaluators = `/projects/${project}/evaluators`;
  await api.call('POST', evaluators, { body: { name: 'mood', kind: 'external', output: { type: 'text' } } });
  await api.call('POST', evaluators, {
    body: { name: 'good', kind: 'external', output: { type: 'boolean' } },
  });
  const score = { rationale: word(), evidence: [1] };
  await api.call('PUT', `${path}/scores/mood`, { body: { ...score, value: word() } });
  await api.call('PUT', `${path}/scores/good`, { body: { ...score, value: true, source: 'human' } });
  const end = { reason: word() };
  await api.call('POST', `${path}/end`, { body: end, idempotencyKey: 'end' });
  await api.call('POST', `${path}/end`, { body: end, idempotencyKey: 'end again' });
  return path;
}

/** @returns the stream record of the erasure */
async function erase(api: TestApi, path: string) {
  expect((await api.call('DELETE', path)).status).toBe(200);
  return tombstoneRecord(api);
}

async function tombstoneRecords(api: TestApi) {
  const tombstones = (await storedOf(api, 'conversations')).filter(({ tenant }) =>
    /#erased$/.test(`${tenant}`),
  );
  return tombstones.map((tombstone) => changeRecord(undefined, tombstone));
}

async function tombstoneRecord(api: TestApi) {
  const [record, ...others] = await tombstoneRecords(api);
  expect(others).toEqual([]);
  if (!record) throw new Error('nothing was erased');
  return record;
}

async function expectNothingLeft(api: TestApi, path: string) {
  expect(await storedText(api)).not.toContain('word:');
  for (const table of ['messages', 'conversationStats'] as const) {
    expect(await storedOf(api, table), table).toEqual([]);
  }
  const indexed = (await storedOf(api, 'conversationSearch')).filter(({ id }) => id !== 'indexed');
  expect(indexed).toEqual([]);
  // Evaluators are of the project.
  const left = withoutGone(await storedOf(api, 'conversations')).filter(
    ({ tenant }) => !/#(evaluator|setters)/.test(`${tenant}`),
  );
  const [tombstone, ...others] = left.filter(({ erasedAt }) => erasedAt);
  expect(others).toEqual([]);
  const stamped = ['changedBy', 'changedIn', 'id', 'tenant'];
  expect(Object.keys(tombstone as Json).sort()).toEqual(
    [...stamped, 'createdBy', 'erasedAt', 'purgedAt'].sort(),
  );
  // The pointer of its externalId has only a hash of that.
  const pointers = left.filter((item) => item !== tombstone);
  expect(pointers.map((item) => Object.keys(item).sort())).toEqual([[...stamped, 'resourceId'].sort()]);
  expect((await api.call('GET', path)).status).toBe(404);
  const { status, data } = await api.call('DELETE', path);
  expect([status, data.purgedAt]).toEqual([200, tombstone?.purgedAt]);
}

test('erases through the stream: from every table, and from the stored responses', {
  tags: ['long'],
}, async () => {
  const api = await openApi();
  const followers = await follow(api, [
    conversationEraser,
    conversationCounter,
    conversationSweeper,
    eventWriter,
    messageIndexer,
  ]);
  opened.push(followers);
  const path = await converse(api, 6);
  await followers.settled();
  expect(await storedOf(api, 'conversationStats')).toHaveLength(5);
  expect(JSON.stringify(await storedOf(api, 'events'))).toContain('word:');
  await api.call('DELETE', path);
  await followers.settled();
  await expectNothingLeft(api, path);
  expect(api.faultLines()).toEqual([]);
});

test('the eraser alone erases what the other workers wrote, even late', { tags: ['long'] }, async () => {
  const api = await openApi();
  const path = await converse(api, 2);
  const [, , project = ''] = path.split('/');
  await api.indexMessages(project);
  const conversations = await storedOf(api, 'conversations');
  const started = conversations.find(({ id, startedAt }) => startedAt && path.endsWith(`${id}`));
  const inserted = changeRecord(undefined, started);
  await deliver(api, conversationCounter, [inserted]);
  await deliverNotices(api.runtime, eventWriter, noticesOf(eventWriter, [inserted], 'conversations'));
  expect(await storedOf(api, 'conversationStats')).toHaveLength(5);
  expect(JSON.stringify(await storedOf(api, 'events'))).toContain('word:');
  const messages = (await storedOf(api, 'messages')).filter(({ text }) => text !== undefined);
  await deliver(api, conversationEraser, [await erase(api, path)]);
  await expectNothingLeft(api, path);
  // Records from before the erasure that are handled after it.
  await deliver(
    api,
    messageIndexer,
    messages.map((message) => changeRecord(undefined, message)),
  );
  await deliver(api, conversationCounter, [inserted]);
  await deliverNotices(api.runtime, eventWriter, noticesOf(eventWriter, [inserted], 'conversations'));
  await expectNothingLeft(api, path);
});

test('a sum goes with its last conversation, even when many are erased at once', async () => {
  const api = await openApi();
  const project = await api.createProject();
  const channel = word();
  const paths: string[] = [];
  for (let n = 0; n < 6; n += 1) paths.push(await api.createConversation({ channel }, project));
  const inserted = (await storedOf(api, 'conversations'))
    .filter(({ status }) => status === 'active')
    .map((item) => changeRecord(undefined, item));
  await deliver(api, conversationCounter, inserted);
  const stats = async () => (await api.call('GET', `/projects/${project}/conversations/stats`)).data.totals;
  expect(await stats()).toMatchObject({ conversations: 6 });
  await api.call('DELETE', paths[0] ?? '');
  await deliver(api, conversationCounter, inserted);
  expect(await stats()).toMatchObject({ conversations: 5 });
  await Promise.all(paths.slice(1).map((path) => api.call('DELETE', path)));
  await Promise.all(inserted.map((record) => deliver(api, conversationCounter, [record])));
  expect(await storedOf(api, 'conversationStats')).toEqual([]);
});

test('works in an archived project', async () => {
  const api = await openApi();
  const path = await converse(api);
  const project = path.split('/').slice(0, 3).join('/');
  await api.call('PATCH', project, { body: { status: 'archived' } });
  await deliver(api, conversationEraser, [await erase(api, path)]);
  await expectNothingLeft(api, path);
});

/** No read shows the conversation, even if items of it are still stored. */
async function expectUnreadable(api: TestApi, path: string, stored: Json) {
  const list = path.replace(/\/conv_\w+$/, '');
  const end = Date.parse(`${stored.startedAt}`) + 1;
  const times = `startedFrom=${stored.startedAt}&startedBefore=${new Date(end).toISOString()}`;
  const filters: Record<string, string> = {
    externalUserId: `${stored.externalUserId}`,
    avatarId: `${stored.avatarId}`,
    deploymentId: `${stored.deploymentId}`,
    channel: `${stored.channel}`,
    tag: `${(stored.tags as string[])[0]}`,
    status: 'ended',
  };
  const queries = Object.entries(filters).map(([name, value]) => `${new URLSearchParams({ [name]: value })}`);
  const lists = ['limit=100', times, ...queries, `${queries[0]}&${times}&status=ended`];
  const searches = ['q=word', ...queries.map((query) => `q=word&${query}`)];
  const own = ['', '/transcript', '/transcript?afterSeq=1&limit=1', '/transcript?afterSeq=0&waitSeconds=20'];
  for (const read of own.map((query) => path + query)) {
    const { status, text } = await api.call('GET', read);
    expect(status, read).toBe(404);
    expect(text).not.toContain('word:');
  }
  for (const read of [...lists.map((query) => `?${query}`), ...searches.map((query) => `/search?${query}`)]) {
    const { status, data, text } = await api.call('GET', list + read);
    expect(status, text).toBe(200);
    const ids = (data.items as Json[]).map(({ id, conversationId }) => conversationId ?? id);
    expect(ids, read).not.toContain(stored.id);
  }
}

test('what a restore brings back is erased again', { tags: ['long'] }, async () => {
  const api = await openApi();
  const path = await converse(api, 2);
  const [, , project = ''] = path.split('/');
  const kept = await api.createConversation(details(), project);
  await api.indexMessages(project);
  const before = await Promise.all(
    tableNames.map(async (table) => [table, await storedOf(api, table)] as const),
  );
  await deliver(api, conversationEraser, [await erase(api, path)]);
  const restored = before.flatMap(([table, items]) => items.map((Item) => ({ table, Item })));
  for (const { table, Item } of restored) {
    await api.runtime.client.send(new PutCommand({ TableName: api.runtime.tableNames[table], Item }));
  }
  const started = restored.find(({ Item }) => path.endsWith(`${Item.id}`) && Item.startedAt)?.Item as Json;

  const list = path.replace(/\/conv_\w+$/, '');
  await expectUnreadable(api, path, started);
  expect(((await api.call('GET', list)).data.items as Json[]).map(({ id }) => `${list}/${id}`)).toEqual([
    kept,
  ]);
  const message = { messages: [{ role: 'user', text: 'more' }] };
  expect((await api.call('POST', `${path}/messages`, { body: message })).status).toBe(404);
  expect((await api.call('POST', `${path}/end`, { body: { reason: 'done' } })).status).toBe(404);
  expect((await api.call('PATCH', path, { body: { tags: [] } })).status).toBe(404);

  // The restored conversation is not counted after its stream record was handled.
  await deliver(api, conversationCounter, [changeRecord(undefined, started)]);
  const counts = (await api.call('GET', `${list}/stats?groupBy=channel`)).text;
  expect(counts).not.toContain(started.channel);
  await deliver(api, conversationEraser, [await tombstoneRecord(api)]);
  await api.call('DELETE', kept);
  await deliver(api, conversationEraser, await tombstoneRecords(api));
  expect(await storedText(api)).not.toContain('word:');
});

test('a replay returns its stored response until the erasure, then 404', async () => {
  const api = await openApi();
  const project = await api.createProject();
  const list = `/projects/${project}/conversations`;
  const create = { body: { avatarId: 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E' }, idempotencyKey: 'create' };
  const created = await api.call('POST', list, create);
  const path = `${list}/${created.data.id}`;
  const append = { body: { messages: [said()] }, idempotencyKey: 'append' };
  const appended = await api.call('POST', `${path}/messages`, append);
  const record = await erase(api, path);
  expect((await api.call('POST', list, create)).text).toBe(created.text);
  expect((await api.call('POST', `${path}/messages`, append)).text).toBe(appended.text);
  await deliver(api, conversationEraser, [record]);
  for (const response of [
    await api.call('POST', list, create),
    await api.call('POST', `${path}/messages`, append),
  ]) {
    expect(response.error).toMatchObject({ code: 'not_found' });
    expect(response.error.message).toContain('erased');
  }
  // The request did not take effect again, and its key still belongs to that request.
  expect((await api.call('GET', list)).data.items).toEqual([]);
  const other = { ...create, body: { ...create.body, channel: 'web' } };
  expect((await api.call('POST', list, other)).error.code).toBe('idempotency_key_reused');
});

test('a later response under the same Idempotency-Key stays', async () => {
  const api = await openApi();
  const project = await api.createProject();
  const list = `/projects/${project}/conversations`;
  const body = { avatarId: 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E' };
  const first = await api.call('POST', list, { body, idempotencyKey: 'daily' });
  api.advance(25 * 3_600_000);
  const second = await api.call('POST', list, { body, idempotencyKey: 'daily' });
  expect(second.data.id).not.toBe(first.data.id);
  await deliver(api, conversationEraser, [await erase(api, `${list}/${first.data.id}`)]);
  expect((await api.call('POST', list, { body, idempotencyKey: 'daily' })).text).toBe(second.text);
});

test('repeated calls with new Idempotency-Keys grow no item, and their responses are erased too', {
  tags: ['long'],
}, async () => {
  const api = await openApi();
  const path = await api.createConversation(details());
  const message = said();
  const repeat = async (from: number, to: number) => {
    for (let n = from; n < to; n += 1) {
      const messages = { body: { messages: [message] }, idempotencyKey: `message ${n}` };
      expect((await api.call('POST', `${path}/messages`, messages)).status).toBe(201);
      const end = { body: { reason: 'done' }, idempotencyKey: `end ${n}` };
      expect((await api.call('POST', `${path}/end`, end)).status).toBe(200);
    }
  };
  const sizes = async () =>
    new Map(
      (await Promise.all(tableNames.map((table) => storedOf(api, table))))
        .flat()
        .map((item) => [`${item.tenant} ${item.id}`, JSON.stringify(item).length]),
    );
  await repeat(0, 2);
  const before = await sizes();
  await repeat(2, 20);
  const after = await sizes();
  for (const [item, size] of before) expect(after.get(item), item).toBe(size);
  await deliver(api, conversationEraser, [await erase(api, path)]);
  await expectNothingLeft(api, path);
});

test('messages and ends during the erasure leave nothing', { tags: ['long'] }, async () => {
  for (let round = 0; round < 5; round += 1) {
    const api = await openApi();
    const path = await api.createConversation(details());
    const known = said();
    await api.call('POST', `${path}/messages`, { body: { messages: [known] } });
    const keyed = (n: number, action: string, body: Json) =>
      api.call('POST', `${path}/${action}`, { body, idempotencyKey: `${action} ${n}` });
    const [erased] = await Promise.all([
      api.call('DELETE', path),
      ...[1, 2, 3].map((n) => keyed(n, 'messages', { messages: [said()] })),
      ...[4, 5, 6].map((n) => keyed(n, 'messages', { messages: [known] })),
      ...[1, 2].map((n) => keyed(n, 'end', { reason: word() })),
      api.call('PATCH', path, { body: { tags: [word()] } }),
    ]);
    expect(erased.status, erased.text).toBe(200);
    await deliver(api, conversationEraser, [await tombstoneRecord(api)]);
    await expectNothingLeft(api, path);
  }
});

// A sample of the calls: neighbours differ little, and all of them would take minutes.
describe.each([
  [51, 'long'],
  [17, 'nightly'],
] as const)('killed before or after one of %d calls', (distance, tag) => {
  test('the next run leaves nothing', { tags: [tag] }, async () => {
    const { api, life } = await openMortal();
    const path = await converse(api, 5);
    const record = await erase(api, path);
    const rewind = await remember(api);
    life.calls = 0;
    await deliver(api, conversationEraser, [record]);
    const calls = life.calls;
    await expectNothingLeft(api, path);

    const points = Array.from({ length: calls }, (_, index) => index + 1).filter(
      (point) => point % distance === 1,
    );
    for (const point of points) {
      await rewind();
      Object.assign(life, { callsLeft: point, afterwards: point % 2 === 0 });
      await deliver(api, conversationEraser, [record]).catch(() => {});
      life.callsLeft = Number.POSITIVE_INFINITY;
      await deliver(api, conversationEraser, [record]);
      await expectNothingLeft(api, path);
    }
  });
});

test('in turns that end after each piece, and are killed, nothing is left, and only the first one waits', async () => {
  let advance = (_ms: number) => {};
  const waits: number[] = [];
  const { api, life } = await openMortal({
    fence: { writeMs: 60_000, waitMs: 6000 },
    async sleep(ms) {
      if (ms > 0) waits.push(ms);
      advance(ms);
    },
  });
  advance = api.advance;
  const path = await converse(api, 6);
  const started = (await storedOf(api, 'conversations')).find(
    ({ id, endedAt }) => endedAt && path.endsWith(`${id}`),
  );
  const changes = noticesOf(eventWriter, [changeRecord(undefined, started)], 'conversations');
  await deliverNotices(api.runtime, eventWriter, changes);
  expect(JSON.stringify(await storedOf(api, 'events'))).toContain('word:');
  const record = await erase(api, path);
  const notices = noticesOf(conversationEraser, [record]);
  const rewind = await remember(api);
  waits.length = 0;
  const left: number[] = [];
  const positions: string[] = [];
  for (let isOver = true; isOver; left.push((await storedOf(api, 'messages')).length)) {
    isOver = await endsTurn(deliverNotices({ ...api.runtime, turnMs: 0 }, conversationEraser, notices));
    const position = (await storedOf(api, 'conversations')).find(({ tenant }) =>
      /#purging$/.test(`${tenant}`),
    );
    if (position) positions.push(`${position.after}`.split(' ', 1).join());
  }
  expect(left).toEqual(left.toSorted((one, other) => other - one));
  expect(new Set(left).size).toBeGreaterThan(4);
  expect(positions).toEqual(['events']);
  expect(waits).toEqual([expect.any(Number)]);
  await expectNothingLeft(api, path);
  await rewind();
  expect(await deliverKilled(api, life, conversationEraser, notices)).toBeGreaterThan(5);
  await expectNothingLeft(api, path);
  const noted = await tombstoneRecord(api);
  life.calls = 0;
  await deliver(api, conversationEraser, [record, noted]);
  // It reads the organisation and the tombstone.
  expect(life.calls).toBe(2);
});
