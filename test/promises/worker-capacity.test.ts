/** The costs of workers equal the table in docs/storage.md, row by row. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, onTestFinished, test } from 'vitest';
import { concurrencyOf } from '../../infra/worker-function.ts';
import { minuteMs } from '../../lib/base/time.ts';
import { placesOf } from '../../lib/workers/places.ts';
import type { Worker } from '../../lib/workers/worker.ts';
import { deliveryUnits, eventUnits, platformEventUnits } from '../../measures/costs.ts';
import { meter } from '../../measures/meter.ts';
import { type Json, openApi, storedOf, type TestApi } from '../../samples/api.ts';
import { deliverNotices, noticesOf } from '../../samples/lambda-queue.ts';
import { ruleBody } from '../../samples/samples.ts';
import { changeRecord } from '../../samples/stream-records.ts';
import { root } from '../../scripts/shared/root.ts';
import auditWriter from '../../workers/audit-writer.ts';
import conversationCounter from '../../workers/conversation-counter.ts';
import conversationEraser from '../../workers/conversation-eraser.ts';
import conversationEvaluator from '../../workers/conversation-evaluator.ts';
import conversationSweeper from '../../workers/conversation-sweeper.ts';
import eventWriter from '../../workers/event-writer.ts';
import messageIndexer from '../../workers/message-indexer.ts';
import replyRunner from '../../workers/reply-runner.ts';
import usageCounter from '../../workers/usage-counter.ts';
import { dueNotices } from '../support/schedule.ts';
import { attempt, noticeOf, openReceiver, openWebhook } from '../support/webhooks.ts';
import { deliver } from '../support/workers.ts';

const text = readFileSync(resolve(root, 'docs/storage.md'), 'utf8');

/** @returns the read and write units that the table states, such as `| timed out | 2 | 2 |` */
function rowOf(label: string): [number, number] {
  const row = text.split('\n').find((line) => line.startsWith(`| ${label} |`));
  const [, read, write] = row?.match(/\| (\d+) \| (\d+) \|$/) ?? [];
  if (read === undefined) throw new Error(`docs/storage.md has no row: ${label}`);
  return [Number(read), Number(write)];
}

/** @returns the units that a worker reads and writes for these changes */
async function unitsOf(api: TestApi, worker: Worker, records: Parameters<typeof deliver>[2]) {
  const metered = meter(api.runtime.client);
  await deliver({ runtime: { ...api.runtime, client: metered.client } }, worker, records);
  const { readUnits, writeUnits } = metered.usage();
  return [readUnits, writeUnits];
}

/** @returns the conversation as it is stored, in the partition of that name where one is named */
async function storedAt(api: TestApi, path: string, partition = ''): Promise<Json> {
  const [, , project, , id] = path.split('/');
  const tenant = `${api.organisationId}#live#${project}${partition && `#${partition}`}`;
  const item = (await storedOf(api, 'conversations')).find((one) => one.tenant === tenant && one.id === id);
  if (!item) throw new Error(`${path} is not stored`);
  return item;
}

const words = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`).join(' ');

test('an event of appended messages costs what audit.md and costs.md say', async () => {
  const api = await openApi();
  const path = await api.createConversation();
  const before = await storedAt(api, path);
  await api.call('POST', `${path}/messages`, { body: { messages: [{ role: 'user', text: 'hello' }] } });
  const metered = meter(api.runtime.client);
  const records = [changeRecord(before, await storedAt(api, path))];
  const notices = noticesOf(auditWriter, records, 'conversations');
  await deliverNotices({ ...api.runtime, client: metered.client }, auditWriter, notices);
  expect(metered.usage().writeUnits).toBe(eventUnits);
  const guide = readFileSync(resolve(root, 'docs/audit.md'), 'utf8').replaceAll(/\s+/g, ' ');
  expect(guide).toContain('The event costs six write units.');
});

test('an event and its delivery cost what costs.md says', async () => {
  const receiver = await openReceiver();
  onTestFinished(() => receiver.close());
  const { api, id, path, request, attempt: attemptOf } = await openWebhook(receiver.url, { disabled: true });
  const metered = meter(api.runtime.client);
  const runtime = { ...api.runtime, client: metered.client };
  const units = async (act: () => Promise<unknown>) => {
    const before = metered.usage().writeUnits;
    await act();
    return metered.usage().writeUnits - before;
  };
  const unitsOfEvent = async () => {
    const projectId = await api.createProject();
    const project = (await storedOf(api, 'projects')).find((one) => one.id === projectId);
    const records = [changeRecord(undefined, project)];
    return units(() => deliverNotices(runtime, eventWriter, noticesOf(eventWriter, records, 'projects')));
  };
  expect(await unitsOfEvent()).toBe(platformEventUnits);

  await api.call('PATCH', path, { body: { disabled: false } });
  // From now on, the receiver is healthy: its attempts need no lease and no place.
  await attemptOf((await request()).id);
  const fannedOut = await unitsOfEvent();
  const { data } = await api.call('GET', `${path}/deliveries`);
  const delivery = (data.items as Json[]).find(({ eventType }) => eventType === 'project.created');
  const sent = await units(() => attempt({ runtime }, noticeOf(api, id, `${delivery?.id}`)));
  expect(receiver.received).toHaveLength(2);
  expect(fannedOut - platformEventUnits + sent).toBe(deliveryUnits);
});

test('a timer costs what storage.md says', async () => {
  const api = await openApi();
  const path = await api.createConversation();
  const created = changeRecord(undefined, await storedAt(api, path));
  expect(await unitsOf(api, conversationSweeper, [created])).toEqual(rowOf('created: its timer'));
  const due = await dueNotices(api);
  const unitsDue = async () => {
    const metered = meter(api.runtime.client);
    await deliverNotices({ ...api.runtime, client: metered.client }, conversationSweeper, due);
    const { readUnits, writeUnits } = metered.usage();
    return [readUnits, writeUnits];
  };
  api.advance(20 * minuteMs);
  await api.call('POST', `${path}/messages`, { body: { messages: [{ role: 'user', text: 'hello' }] } });
  expect(await unitsDue()).toEqual(rowOf('active when its timer is due'));
  api.advance(60 * minuteMs);
  expect(await unitsDue()).toEqual(rowOf('timed out'));
  const other = await api.createConversation();
  const active = await storedAt(api, other);
  await deliver(api, conversationSweeper, [changeRecord(undefined, active)]);
  await api.call('POST', `${other}/end`, { body: { reason: 'completed' } });
  const ended = changeRecord(active, await storedAt(api, other));
  expect(await unitsOf(api, conversationSweeper, [ended])).toEqual(rowOf('ended, or erased: its timer'));
});

test('a score by a rule costs what storage.md says', async () => {
  const api = await openApi();
  const path = await api.createConversation();
  const project = path.split('/')[2] ?? '';
  await api.call('POST', `/projects/${project}/evaluators`, { body: ruleBody });
  const active = await storedAt(api, path);
  await api.call('POST', `${path}/messages`, { body: { messages: [{ role: 'user', text: 'hello' }] } });
  await api.call('POST', `${path}/end`, { body: { reason: 'completed' } });
  const ended = changeRecord(active, await storedAt(api, path));
  expect(await unitsOf(api, conversationEvaluator, [ended])).toEqual(rowOf('ended: its score by a rule'));
});

test('sums cost what storage.md says', async () => {
  const api = await openApi();
  const path = await api.createConversation();
  // One that stays, so that the sum does.
  await api.call('POST', `${path.slice(0, path.lastIndexOf('/'))}`, {
    body: { avatarId: 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E' },
  });
  const stored = (await storedOf(api, 'conversations')).filter(({ status }) => status === 'active');
  const [one, other] = stored.map((item) => changeRecord(undefined, item));
  if (!one || !other) throw new Error('two conversations were created');
  await openGenerations(api, path);
  expect(await unitsOf(api, conversationCounter, [one])).toEqual(rowOf('created, or added to: its sums'));
  const third = await storedAt(api, await api.createConversation({}, path.split('/')[2]));
  const two = await unitsOf(api, conversationCounter, [other, changeRecord(undefined, third)]);
  const [first, further] = [
    rowOf('created, or added to: its sums'),
    rowOf('the same, for each further conversation with these sums'),
  ];
  expect(two).toEqual(first.map((units, index) => units + (further[index] ?? 0)));
  const [{ id } = {}] = stored;
  await api.call('DELETE', `${path.slice(0, path.lastIndexOf('/'))}/${id}`);
  expect(await unitsOf(api, conversationCounter, [one])).toEqual(rowOf('erased, or gone: its sums'));
});

test('the sums of the day cost what storage.md and limits.md say', async () => {
  const api = await openApi();
  const project = await api.createProject();
  const created = async (place: string) =>
    changeRecord(undefined, await storedAt(api, await api.createConversation({}, place)));
  const one = await created(project);
  const first = rowOf('created, or added to: the sums of the day');
  const entry = rowOf('the same, about once a month for each project');
  const ofProject = rowOf('the same, for each further conversation of the project');
  const ofOther = rowOf('the same, for each further project, with a conversation');
  const sum = (...rows: (readonly number[])[]) =>
    rows.reduce((all, row) => all.map((units, index) => units + (row[index] ?? 0)));
  expect(await unitsOf(api, usageCounter, [one])).toEqual(sum(first, entry));
  const further = [await created(project), await created(project)];
  expect(await unitsOf(api, usageCounter, further)).toEqual(sum(first, ofProject));
  const others = [await created(project), await created(await api.createProject())];
  expect(await unitsOf(api, usageCounter, others)).toEqual(sum(first, ofOther, entry));
  // Counted already: it reads.
  expect(await unitsOf(api, usageCounter, [one])).toEqual([first[0], 0]);
  expect([first[1], ofProject[1], ofOther[1], entry[1]]).toEqual([6, 2, 4, 2]);
  const guide = readFileSync(resolve(root, 'docs/limits.md'), 'utf8').replaceAll(/\s+/g, ' ');
  expect(guide).toContain('The worker writes six units for a change');
  expect(guide).toContain(
    'It writes two units for each further change of the project in the same batch, and four for the first change of each further project.',
  );
});

/** The first change of a project also stores which generation its workers write. */
async function openGenerations(api: TestApi, path: string) {
  const other = await api.createConversation({ channel: 'other' }, path.split('/')[2]);
  await deliver(api, conversationCounter, [changeRecord(undefined, await storedAt(api, other))]);
}

test('indexing or erasing a message of 30 different words costs 31 write units', async () => {
  const api = await openApi();
  const path = await api.createConversation();
  const bare = await api.createConversation();
  const body = { messages: [{ role: 'user', text: words(30, 'word') }] };
  expect((await api.call('POST', `${path}/messages`, { body })).status).toBe(201);
  const [message] = await storedOf(api, 'messages');
  await openGenerations(api, path);
  const added = changeRecord(undefined, message);
  // It reads the organisation, the generations, the message, and before and after the writes whether the conversation is erased.
  expect(await unitsOf(api, messageIndexer, [added])).toEqual([5, 30 + 1]);
  // No message is later than the noted time.
  expect(await unitsOf(api, messageIndexer, [added])).toEqual([5, 30]);

  const erase = async (conversation: string) => {
    await deliver(api, conversationCounter, [changeRecord(undefined, await storedAt(api, conversation))]);
    await api.call('DELETE', conversation);
    const tombstone = changeRecord(undefined, await storedAt(api, conversation, 'erased'));
    const [, writeUnits = 0] = await unitsOf(api, conversationEraser, [tombstone]);
    return writeUnits;
  };
  // The message, its words, and the cost of a conversation without messages.
  expect((await erase(path)) - (await erase(bare))).toBe(1 + 30);
});

test('indexing 64 messages at once costs a write unit for each different word of the conversation', async () => {
  const api = await openApi();
  const path = await api.createConversation();
  await openGenerations(api, path);
  for (let n = 0; n < 4; n += 1) {
    // Each message has 20 words that all have, and one of its own.
    const messages = Array.from({ length: 16 }, (_, m) => ({
      role: 'user',
      text: `${words(20, 'word')} own${16 * n + m}`,
    }));
    expect((await api.call('POST', `${path}/messages`, { body: { messages } })).status).toBe(201);
  }
  const added = (await storedOf(api, 'messages')).map((item) => changeRecord(undefined, item));
  expect(added).toHaveLength(64);
  expect(await unitsOf(api, messageIndexer, added)).toEqual([64 + 4, 20 + 64 + 1]);
});

test('a complete posting costs one write unit, whatever its word and numbers', async () => {
  const api = await openApi();
  const path = await api.createConversation();
  await openGenerations(api, path);
  const [, , project, , id] = path.split('/');
  const tenant = `${api.organisationId}#live#${project}#${id}`;
  // The longest word in the widest letters, in the last block of the first billion.
  const items = Array.from({ length: 64 }, (_, index) => {
    const seq = 999_999_936 + index;
    const createdAt = '2026-03-01T09:30:00.000Z';
    return { tenant, id: String(seq + 1).padStart(10, '0'), seq: seq + 1, text: '𐐨'.repeat(64), createdAt };
  });
  const TableName = api.runtime.tableNames.messages;
  for (const Item of items) await api.runtime.client.send(new PutCommand({ TableName, Item }));
  const added = items.map((item) => changeRecord(undefined, item));
  expect(await unitsOf(api, messageIndexer, added)).toEqual([64 + 4, 1 + 1]);
  const stored = (await storedOf(api, 'conversationSearch')).filter(({ seqs }) => seqs);
  expect(stored.map(({ seqs }) => (seqs as Set<number>).size)).toEqual([64]);
});

// That the event source mapping has this number is a test of all workers: test/infra/workers.test.ts.
test('replies have at least ten times as many invocations as one organisation may use', () => {
  expect(placesOf(replyRunner)).toBe(20);
  expect(placesOf(replyRunner, { replies: 3 })).toBe(3);
  expect(replyRunner.maxConcurrency).toBeGreaterThanOrEqual(10 * placesOf(replyRunner));
  const limits = {
    live: { rateLimit: null, quotas: { replies: 50 } },
    test: { rateLimit: null, quotas: {} },
  };
  expect(concurrencyOf(replyRunner, { limits })).toBe(500);
});
