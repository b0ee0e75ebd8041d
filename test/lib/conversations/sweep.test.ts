/** A conversation that timed out is stored as ended, even if nobody reads it. */

import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, expect, test } from 'vitest';
import { minuteMs } from '../../../lib/time.ts';
import conversationSweeper from '../../../workers/conversation-sweeper.ts';
import { type Json, openApi, storedOf, type TestApi } from '../../support/api.ts';
import { withoutGone } from '../../support/stored.ts';
import { changeRecord } from '../../support/stream-records.ts';
import { deliver, follow, openMortal } from '../../support/workers.ts';

const opened: { stop(): Promise<void> }[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ stop }) => stop()));
});

async function openSwept() {
  const api = await openApi();
  const followers = await follow(api, [conversationSweeper]);
  opened.push(followers);
  return { ...api, settled: followers.settled };
}

const body = { messages: [{ role: 'user', text: 'hello' }] };

const timersOf = async (api: TestApi) =>
  (await storedOf(api, 'conversations')).filter(({ tenant }) => `${tenant}`.endsWith('#timers'));

/** @returns the stored conversation */
async function storedAt(api: TestApi, path: string): Promise<Json> {
  const [, , project, , id] = path.split('/');
  const tenant = `${api.organisationId}#live#${project}`;
  const found = (await storedOf(api, 'conversations')).find(
    (item) => item.tenant === tenant && item.id === id,
  );
  if (!found) throw new Error(`${path} is not stored`);
  return found;
}

/** Removes the timer as TTL does. DynamoDB Local writes no stream record for its own TTL. */
async function removeTimers(api: TestApi) {
  for (const { tenant, id } of await timersOf(api)) {
    const TableName = api.runtime.tableNames.conversations;
    await api.runtime.client.send(new DeleteCommand({ TableName, Key: { tenant, id } }));
  }
}

test('an idle conversation is ended when TTL removes its timer', async () => {
  const api = await openSwept();
  const path = await api.createConversation();
  await api.settled();
  const { timesOutAt } = await storedAt(api, path);
  expect(await timersOf(api)).toMatchObject([{ ttl: Math.ceil(Date.parse(`${timesOutAt}`) / 1000) }]);
  api.advance(60 * minuteMs);
  const shown = await api.call('GET', path);
  await removeTimers(api);
  await api.settled();
  expect(await timersOf(api)).toEqual([]);
  expect(await storedAt(api, path)).toMatchObject({
    status: 'ended',
    endReason: 'timeout',
    endedAt: timesOutAt,
    changedBy: 'worker:conversation-sweeper',
  });
  // The change is invisible to callers.
  expect((await api.call('GET', path)).text).toBe(shown.text);
});

test('a conversation with new messages gets a later timer', async () => {
  const api = await openSwept();
  const path = await api.createConversation();
  await api.settled();
  api.advance(20 * minuteMs);
  await api.call('POST', `${path}/messages`, { body });
  await removeTimers(api);
  await api.settled();
  const { timesOutAt, status } = await storedAt(api, path);
  expect(status).toBe('active');
  expect(await timersOf(api)).toMatchObject([{ ttl: Math.ceil(Date.parse(`${timesOutAt}`) / 1000) }]);
  api.advance(31 * minuteMs);
  await removeTimers(api);
  await api.settled();
  expect(await storedAt(api, path)).toMatchObject({ status: 'ended', endedAt: timesOutAt });
  expect(await timersOf(api)).toEqual([]);
});

test.each([
  ['ended', (api: TestApi, path: string) => api.call('POST', `${path}/end`, { body: { reason: 'done' } })],
  ['erased', (api: TestApi, path: string) => api.call('DELETE', path)],
])('a conversation that is %s has no timer', async (_, act) => {
  const api = await openSwept();
  const path = await api.createConversation({ tags: ['a'] });
  await api.settled();
  expect(await timersOf(api)).toHaveLength(1);
  await act(api, path);
  await api.settled();
  expect(await timersOf(api)).toEqual([]);
  expect(api.faultLines()).toEqual([]);
});

test('late, repeated and reordered stream records change nothing', async () => {
  const api = await openApi();
  const path = await api.createConversation();
  const created = changeRecord(undefined, await storedAt(api, path));
  await deliver(api, conversationSweeper, [created, created]);
  const [timer] = await timersOf(api);
  const gone = changeRecord(timer, undefined);
  // Before the timeout.
  await deliver(api, conversationSweeper, [gone]);
  expect((await storedAt(api, path)).status).toBe('active');
  api.advance(31 * minuteMs);
  await deliver(api, conversationSweeper, [gone]);
  const ended = await storedAt(api, path);
  expect(ended.status).toBe('ended');
  await deliver(api, conversationSweeper, [gone, created]);
  expect(await storedAt(api, path)).toEqual(ended);
  expect(await timersOf(api)).toEqual([]);
  await api.call('DELETE', path);
  await deliver(api, conversationSweeper, [created, gone]);
  expect(
    withoutGone(await storedOf(api, 'conversations')).map(({ tenant }) => `${tenant}`.split('#').at(-1)),
  ).toEqual(['erased']);
});

test('a message during the sweep: the conversation either ends or continues with a timer', async () => {
  for (let round = 0; round < 10; round += 1) {
    const api = await openApi();
    const path = await api.createConversation();
    const created = changeRecord(undefined, await storedAt(api, path));
    await deliver(api, conversationSweeper, [created]);
    const [timer] = await timersOf(api);
    const gone = [changeRecord(timer, undefined)];
    api.advance(30 * minuteMs - 10);
    const [response] = await Promise.all([
      api.call('POST', `${path}/messages`, { body }),
      deliver(api, conversationSweeper, gone),
      deliver(api, conversationSweeper, gone),
    ]);
    expect([201, 409]).toContain(response.status);
    const { status } = await storedAt(api, path);
    if (response.status === 201) expect([status, (await timersOf(api)).length]).toEqual(['active', 1]);
    expect((await api.call('GET', path)).data.status).toBe(response.status === 201 ? 'active' : 'ended');
  }
});

test('killed at any call, the next run ends the conversation', async () => {
  for (let point = 1; point <= 3; point += 1) {
    for (const afterwards of [false, true]) {
      const { api, life } = await openMortal();
      const path = await api.createConversation();
      const conversation = await storedAt(api, path);
      api.advance(31 * minuteMs);
      const gone = changeRecord({ ...conversation, tenant: `${conversation.tenant}#timers` }, undefined);
      Object.assign(life, { callsLeft: point, afterwards });
      await deliver(api, conversationSweeper, [gone]).catch(() => {});
      life.callsLeft = Number.POSITIVE_INFINITY;
      await deliver(api, conversationSweeper, [gone]);
      const { timesOutAt, ...ended } = await storedAt(api, path);
      expect(ended).toMatchObject({ status: 'ended', endReason: 'timeout', endedAt: timesOutAt });
    }
  }
});
