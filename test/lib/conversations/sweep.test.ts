/** A conversation that timed out is stored as ended, even if nobody reads it. */

import { afterEach, expect, test } from 'vitest';
import { minuteMs } from '../../../lib/base/time.ts';
import { type Json, openApi, storedOf, type TestApi } from '../../../samples/api.ts';
import { deliverNotices } from '../../../samples/lambda-queue.ts';
import { changeRecord } from '../../../samples/stream-records.ts';
import conversationSweeper from '../../../workers/conversation-sweeper.ts';
import { dueNotices, runDue } from '../../support/schedule.ts';
import { withoutGone } from '../../support/stored.ts';
import { deliver, follow, openMortal } from '../../support/workers.ts';

const opened: { stop(): Promise<void> }[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ stop }) => stop()));
});

async function openSwept() {
  const api = await openApi();
  const feed = await follow(api, [conversationSweeper]);
  opened.push(feed);
  return { ...api, settled: feed.settled, runDue: () => runDue(api, feed.sender) };
}

const body = { messages: [{ role: 'user', text: 'hello' }] };

/** @returns the times in the schedule. Each has an entry that knows it */
async function timersOf(api: TestApi): Promise<number[]> {
  const due = (await dueNotices(api)).map(({ atMs }) => atMs);
  const entries = (await storedOf(api, 'schedule')).flatMap(({ dueMs }) => dueMs ?? []);
  expect(entries).toEqual(due);
  return due;
}

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

test('an idle conversation is ended when its timer is due', async () => {
  const api = await openSwept();
  const path = await api.createConversation();
  await api.settled();
  const { timesOutAt } = await storedAt(api, path);
  expect(await timersOf(api)).toEqual([Date.parse(`${timesOutAt}`)]);
  api.advance(60 * minuteMs);
  const shown = await api.call('GET', path);
  await api.runDue();
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
  api.advance(11 * minuteMs);
  expect(await api.runDue()).toBe(1);
  await api.settled();
  const { timesOutAt, status } = await storedAt(api, path);
  expect(status).toBe('active');
  expect(await timersOf(api)).toEqual([Date.parse(`${timesOutAt}`)]);
  api.advance(31 * minuteMs);
  await api.runDue();
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
  const due = await dueNotices(api);
  expect(due).toHaveLength(1);
  // Before the timeout.
  await deliverNotices(api.runtime, conversationSweeper, due);
  expect((await storedAt(api, path)).status).toBe('active');
  api.advance(31 * minuteMs);
  await deliverNotices(api.runtime, conversationSweeper, due);
  const ended = await storedAt(api, path);
  expect(ended.status).toBe('ended');
  await deliverNotices(api.runtime, conversationSweeper, due);
  await deliver(api, conversationSweeper, [created]);
  expect(await storedAt(api, path)).toEqual(ended);
  expect(await timersOf(api)).toEqual([]);
  await api.call('DELETE', path);
  await deliver(api, conversationSweeper, [created]);
  await deliverNotices(api.runtime, conversationSweeper, due);
  expect(
    withoutGone(await storedOf(api, 'conversations')).map(({ tenant }) => `${tenant}`.split('#').at(-1)),
  ).toEqual(['erased']);
  expect(await timersOf(api)).toEqual([]);
});

test('a message during the sweep: the conversation either ends or continues with a timer', {
  tags: ['long'],
}, async () => {
  for (let round = 0; round < 10; round += 1) {
    const api = await openApi();
    const path = await api.createConversation();
    const created = changeRecord(undefined, await storedAt(api, path));
    await deliver(api, conversationSweeper, [created]);
    const due = await dueNotices(api);
    api.advance(30 * minuteMs - 10);
    const [response] = await Promise.all([
      api.call('POST', `${path}/messages`, { body }),
      deliverNotices(api.runtime, conversationSweeper, due),
      deliverNotices(api.runtime, conversationSweeper, due),
    ]);
    expect([201, 409]).toContain(response.status);
    const { status } = await storedAt(api, path);
    if (response.status === 201) expect([status, (await timersOf(api)).length]).toEqual(['active', 1]);
    expect((await api.call('GET', path)).data.status).toBe(response.status === 201 ? 'active' : 'ended');
  }
});

test('killed at any call, the next run ends the conversation, and leaves no timer', async () => {
  for (let point = 1; point <= 5; point += 1) {
    for (const afterwards of [false, true]) {
      const { api, life } = await openMortal();
      const path = await api.createConversation();
      await deliver(api, conversationSweeper, [changeRecord(undefined, await storedAt(api, path))]);
      const due = await dueNotices(api);
      api.advance(31 * minuteMs);
      Object.assign(life, { callsLeft: point, afterwards });
      await deliverNotices(api.runtime, conversationSweeper, due).catch(() => {});
      life.callsLeft = Number.POSITIVE_INFINITY;
      await deliverNotices(api.runtime, conversationSweeper, due);
      const { timesOutAt, ...ended } = await storedAt(api, path);
      expect(ended).toMatchObject({ status: 'ended', endReason: 'timeout', endedAt: timesOutAt });
      expect(await storedOf(api, 'schedule')).toEqual([]);
    }
  }
});

test('killed at any call while it sets a timer, the next run leaves one, or none if it was erased', async () => {
  for (let point = 1; point <= 4; point += 1) {
    for (const isErased of [false, true]) {
      const { api, life } = await openMortal();
      const path = await api.createConversation();
      const created = [changeRecord(undefined, await storedAt(api, path))];
      Object.assign(life, { callsLeft: point, afterwards: true });
      await deliver(api, conversationSweeper, created).catch(() => {});
      life.callsLeft = Number.POSITIVE_INFINITY;
      if (isErased) await api.call('DELETE', path);
      await deliver(api, conversationSweeper, created);
      expect(await timersOf(api)).toHaveLength(isErased ? 0 : 1);
    }
  }
});
