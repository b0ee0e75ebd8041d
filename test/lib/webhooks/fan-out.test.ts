/** From an event to deliveries: which webhooks get it, with what, and what an erasure leaves. */

import { afterEach, expect, test, vi } from 'vitest';
import { type Json, openApi, storedOf, toLoopback } from '../../../samples/api.ts';
import type { Feed } from '../../../scripts/local/feed.ts';
import conversationEraser from '../../../workers/conversation-eraser.ts';
import eventWriter from '../../../workers/event-writer.ts';
import webhookKeeper from '../../../workers/webhook-keeper.ts';
import webhookSender from '../../../workers/webhook-sender.ts';
import { intercept } from '../../support/faults.ts';
import { answering, openReceiver, type Receiver } from '../../support/webhooks.ts';
import { follow } from '../../support/workers.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

async function open(adjust: Parameters<typeof openApi>[0] = () => ({})) {
  const api = await openApi((runtime) => ({
    ...toLoopback(runtime),
    sleep: async () => {},
    ...adjust(runtime),
  }));
  const feed: Feed = await follow(api, [eventWriter, webhookSender, webhookKeeper, conversationEraser]);
  const receiver = await openReceiver();
  opened.push(receiver, { close: () => feed.stop() });
  const create = async (body: Json, key?: string) => {
    const all = { url: receiver.url, eventTypes: ['*'], ...body };
    const { data } = await api.call('POST', '/webhooks', { body: all, ...(key && { key }) });
    return `/webhooks/${data.id}`;
  };
  return { api, feed, receiver, create };
}

const typesOf = ({ received }: Receiver) =>
  received.map(({ body }) => (JSON.parse(body) as Json).type).sort();

test('a webhook gets the events of its types and projects, once each', async () => {
  const { api, feed, receiver, create } = await open();
  const [one, other] = [await api.createProject(), await api.createProject()];
  await feed.settled();
  const path = await create({ eventTypes: ['project.updated', 'conversation.*'], projectIds: [one] });
  for (const project of [one, other]) {
    await api.call('PATCH', `/projects/${project}`, { body: { name: 'renamed' } });
    await api.createConversation({}, project);
  }
  await api.createKey();
  await feed.settled();
  expect(typesOf(receiver)).toEqual(['conversation.started', 'project.updated']);
  const { data } = await api.call('GET', `${path}/deliveries?status=succeeded`);
  const items = data.items as Json[];
  expect(items.map(({ eventType }) => eventType).sort()).toEqual(['conversation.started', 'project.updated']);
  const events = (await api.call('GET', '/events?limit=100')).data.items as Json[];
  for (const { body, headers } of receiver.received)
    expect(events).toContainEqual(JSON.parse(body) && expect.objectContaining({ id: headers['webhook-id'] }));
  expect(receiver.received.map(({ body }) => JSON.parse(body))).toEqual(
    expect.arrayContaining(events.filter(({ id }) => items.some(({ eventId }) => eventId === id))),
  );
});

test('a webhook with messages gets the transcript, and an erasure removes it and the responses', {
  tags: ['long'],
}, async () => {
  const { api, feed, receiver, create } = await open();
  receiver.respond((_, response) => response.end('I have read: pineapple'));
  const with_ = await create({ eventTypes: ['conversation.ended'], include: ['messages'] });
  const without = await create({ eventTypes: ['conversation.ended'] });
  const path = await api.createConversation();
  const messages = [{ role: 'user', text: 'pineapple', metadata: { fruit: 'pineapple' } }];
  await api.call('POST', `${path}/messages`, { body: { messages } });
  await api.call('POST', `${path}/end`, { body: { reason: 'done' } });
  await feed.settled();
  const bodies = receiver.received.map(({ body }) => JSON.parse(body) as { data: Json });
  expect(bodies.filter(({ data }) => data.messages !== undefined)).toHaveLength(1);
  expect(bodies.find(({ data }) => data.messages)?.data).toMatchObject({
    messages,
    messagesTruncated: false,
  });
  const stored = async () => JSON.stringify(await storedOf(api, 'deliveries'));
  expect(await stored()).toContain('pineapple');
  await api.call('DELETE', path);
  await feed.settled();
  expect(await stored()).not.toContain('pineapple');
  for (const webhook of [with_, without]) {
    const { data } = await api.call('GET', `${webhook}/deliveries`);
    expect(data.items).toMatchObject([{ status: 'succeeded', attempts: [{ status: 200, body: null }] }]);
  }
  // What is sent again has the id only.
  const { data } = await api.call('GET', `${with_}/deliveries`);
  const [{ id } = {}] = data.items as Json[];
  await api.call('POST', `${with_}/deliveries/${id}/redeliver`);
  await feed.settled();
  const last = JSON.parse(receiver.received.at(-1)?.body ?? '{}') as { data: Json };
  expect(last.data).toEqual({ id: path.split('/').at(-1) });
});

test('a webhook gets whole messages, up to 200 KB, even if each has the largest size', async () => {
  const { api, feed, receiver, create } = await open();
  await create({ eventTypes: ['conversation.ended'], include: ['messages'] });
  const say = async (character: string, count: number) => {
    const path = await api.createConversation();
    const documentId = 'kdoc_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';
    const text = character.repeat(500);
    const citations = Array.from({ length: 20 }, () => ({
      documentId,
      title: text.slice(0, 200),
      snippet: text,
    }));
    const metadata = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [`${index}`.padEnd(40, 'n'), character.repeat(369)]),
    );
    const messages = [{ role: 'tool', text: character.repeat(16 * 1024), citations, metadata }];
    for (let sent = 0; sent < count; sent += 1)
      expect((await api.call('POST', `${path}/messages`, { body: { messages } })).status).toBe(201);
    await api.call('POST', `${path}/end`, { body: { reason: 'done' } });
    await feed.settled();
    const { data } = JSON.parse(receiver.received.at(-1)?.body ?? '{}') as { data: Json };
    const sentMessages = data.messages as Json[];
    for (const message of sentMessages) expect(message).toMatchObject({ citations, metadata });
    return [sentMessages.length, data.messagesTruncated];
  };
  expect(await say('x', 6)).toEqual([5, true]);
  // A control character takes six bytes as JSON, so that not even one message fits.
  expect(await say('\u0001', 1)).toEqual([0, true]);
});

test('an erasure that comes before an attempt begins: the transcript that the sender has read is not sent', async () => {
  const reached = Promise.withResolvers<void>();
  const erased = Promise.withResolvers<void>();
  let isFirst = true;
  const { api, feed, receiver, create } = await open(({ client, tableNames }) => ({
    client: intercept(client, (command, proceed) => {
      const input = command.input as { TableName?: string; UpdateExpression?: string };
      // The first update of a delivery is the beginning of its attempt.
      if (!isFirst || input.TableName !== tableNames.deliveries || !input.UpdateExpression) return undefined;
      isFirst = false;
      reached.resolve();
      return erased.promise.then(proceed);
    }),
  }));
  await create({ eventTypes: ['conversation.ended'], include: ['messages'] });
  const path = await api.createConversation();
  await api.call('POST', `${path}/messages`, { body: { messages: [{ role: 'user', text: 'pineapple' }] } });
  await api.call('POST', `${path}/end`, { body: { reason: 'done' } });
  await reached.promise;
  await api.call('DELETE', path);
  await vi.waitUntil(
    async () => (await storedOf(api, 'conversations')).some(({ purgedAt }) => purgedAt !== undefined),
    { timeout: 60_000 },
  );
  erased.resolve();
  await feed.settled();
  const data = receiver.received.map(({ body }) => (JSON.parse(body) as { data: Json }).data);
  expect(data).toEqual([{ id: path.split('/').at(-1) }]);
});

test('a recovery sends what has failed and what was missed since then, and nothing twice', {
  tags: ['long'],
}, async () => {
  const { api, feed, receiver, create } = await open();
  const path = await create({ eventTypes: ['project.*'] });
  receiver.respond(answering(410));
  await api.createProject({ name: 'failed' });
  await feed.settled();
  expect((await api.call('GET', path)).data.disabledReason).toBe('gone');
  await api.createProject({ name: 'missed' });
  await feed.settled();
  receiver.respond(answering(200));
  await api.call('PATCH', path, { body: { disabled: false } });
  await api.createProject({ name: 'sent' });
  await feed.settled();
  receiver.received.length = 0;
  const since = new Date(0).toISOString();
  const requested = await api.call('POST', `${path}/recover`, { body: { since } });
  expect(requested.data.recovery).toMatchObject({ since, finishedAt: null });
  await feed.settled();
  const names = () =>
    receiver.received.map(({ body }) => (JSON.parse(body) as { data: Json }).data.name).sort();
  expect(names()).toEqual(['failed', 'missed']);
  expect((await api.call('GET', path)).data.recovery).toMatchObject({
    finishedAt: expect.any(String),
    deliveries: 2,
  });
});

test('the deliveries of a deleted webhook are removed, and its health', async () => {
  const { api, feed, create } = await open();
  const project = { eventTypes: ['project.*'] };
  const [path, other] = [await create(project), await create(project)];
  await api.createProject();
  await feed.settled();
  const of = async (webhook: string) => {
    const id = webhook.split('/')[2] ?? '';
    const stored = await storedOf(api, 'deliveries');
    return stored.filter((item) => JSON.stringify(item).includes(id));
  };
  const before = await of(other);
  expect([before.length > 0, (await of(path)).length > 0]).toEqual([true, true]);
  await api.call('DELETE', path);
  await feed.settled();
  expect([await of(path), (await of(other)).length]).toEqual([[], before.length]);
});

test('what was stored for a webhook is no longer sent when it asks for less', {
  tags: ['long'],
}, async () => {
  const { api, feed, receiver, create } = await open();
  const [one, other] = [await api.createProject(), await api.createProject()];
  const path = await create({ eventTypes: ['conversation.ended'], include: ['messages'] });
  for (const project of [one, other]) {
    const conversation = await api.createConversation({}, project);
    const messages = [{ role: 'user', text: `pineapple ${project}` }];
    await api.call('POST', `${conversation}/messages`, { body: { messages } });
    await api.call('POST', `${conversation}/end`, { body: { reason: 'done' } });
  }
  await feed.settled();
  expect(receiver.received.filter(({ body }) => body.includes('pineapple'))).toHaveLength(2);
  const listed = async (key?: string) =>
    (await api.call('GET', `${path}/deliveries`, key === undefined ? {} : { key })).data.items as Json[];
  const all = await listed();
  expect(all).toHaveLength(2);

  await api.call('PATCH', path, { body: { include: [], projectIds: [one] } });
  receiver.received.length = 0;
  const { secret: key } = await api.createKey({ scopes: ['webhooks:write'], projectIds: [one] });
  const [left, ...others] = await listed(key);
  expect(others).toEqual([]);
  const statuses = [];
  for (const { id } of all) {
    const { status } = await api.call('POST', `${path}/deliveries/${id}/redeliver`, { key });
    statuses.push([id === left?.id, status]);
  }
  expect(statuses).toEqual(
    expect.arrayContaining([
      [true, 202],
      [false, 404],
    ]),
  );
  await feed.settled();
  expect(receiver.received).toHaveLength(1);
  const [{ body } = { body: '' }] = receiver.received;
  expect(JSON.parse(body)).toMatchObject({ projectId: one });
  expect(body).not.toContain('pineapple');
});

test('a transcript that has expired is not sent', async () => {
  const { api, feed, receiver, create } = await open();
  const project = await api.createProject({ settings: { retentionDays: 1 } });
  const path = await create({ eventTypes: ['conversation.ended'], include: ['messages'] });
  const conversation = await api.createConversation({}, project);
  await api.call('POST', `${conversation}/messages`, {
    body: { messages: [{ role: 'user', text: 'pineapple' }] },
  });
  await api.call('POST', `${conversation}/end`, { body: { reason: 'done' } });
  await feed.settled();
  expect(receiver.received.map(({ body }) => body.includes('pineapple'))).toEqual([true]);
  const [delivery] = (await api.call('GET', `${path}/deliveries`)).data.items as Json[];
  api.advance(25 * 3600 * 1000);
  expect((await api.call('POST', `${path}/deliveries/${delivery?.id}/redeliver`)).status).toBe(202);
  await feed.settled();
  expect(receiver.received).toHaveLength(1);
});
