/** Data that is deleted for good is gone from the events too. */

import { randomUUID } from 'node:crypto';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, expect, test } from 'vitest';
import { secondMs } from '../../lib/base/time.ts';
import { type Json, openApi, storedOf } from '../../samples/api.ts';
import { avatarBody } from '../../samples/samples.ts';
import type { Feed } from '../../scripts/local/feed.ts';
import eventWriter from '../../workers/event-writer.ts';
import { eventsOf } from '../support/events.ts';
import { runDue } from '../support/schedule.ts';
import { follow } from '../support/workers.ts';

const feeds: Feed[] = [];

afterEach(async () => {
  await Promise.all(feeds.splice(0).map((feed) => feed.stop()));
});

const word = () => `word:${randomUUID().slice(0, 23)}`;
/** During this time, workers may still write data that they have read. */
const waitMs = 6 * secondMs;

async function openFollowed() {
  const api = await openApi(({ fence }) => ({ fence: { ...fence, waitMs } }));
  const feed = await follow(api, [eventWriter]);
  feeds.push(feed);
  return { api, feed, project: await api.createProject() };
}

const made: Record<string, (path: string) => { list: string; body: Json; change: Json }> = {
  avatar: (path) => ({
    list: `${path}/avatars`,
    body: { ...avatarBody, name: word(), persona: { prompt: word() } },
    change: { metadata: { note: word() } },
  }),
  document: (path) => ({
    list: `${path}/knowledge/documents`,
    body: { title: word(), content: 'text', externalId: word(), tags: [] },
    change: { metadata: { note: word() } },
  }),
};

test.each(Object.entries(made))('the events of a deleted %s show its id only', async (kind, partsOf) => {
  const { api, feed, project } = await openFollowed();
  const { list, body, change } = partsOf(`/projects/${project}`);
  const { data } = await api.call('POST', list, { body });
  await api.call('PATCH', `${list}/${data.id}`, { body: change });
  await feed.settled();
  const stored = async () => JSON.stringify(await storedOf(api, 'events'));
  expect(await stored()).toContain('word:');
  await api.call('DELETE', `${list}/${data.id}`);
  await feed.settled();
  api.advance(waitMs + secondMs);
  await runDue(api);
  expect(await stored()).not.toContain('word:');
  const events = await eventsOf(api, `&resourceId=${data.id}`);
  expect(events.map(({ type, data: shown }) => [type, shown])).toEqual(
    ['deleted', 'updated', 'created'].map((verb) => [`${kind}.${verb}`, { id: data.id }]),
  );
  expect(await storedOf(api, 'schedule')).toEqual([]);
});

test('the events of a conversation do not outlive it, and lose its data when TTL removes it', async () => {
  const { api, feed, project } = await openFollowed();
  await api.call('PATCH', `/projects/${project}`, { body: { settings: { retentionDays: 1 } } });
  await api.createConversation({ externalUserId: word() }, project);
  await feed.settled();
  const [conversation] = (await storedOf(api, 'conversations')).filter(({ status }) => status !== undefined);
  const [event] = (await storedOf(api, 'events')).filter(({ type }) => type === 'conversation.started');
  expect(event?.ttl).toBe(conversation?.ttl);
  const { client, tableNames } = api.runtime;
  const Key = { tenant: conversation?.tenant, id: conversation?.id };
  await client.send(new DeleteCommand({ TableName: tableNames.conversations, Key }));
  await feed.settled();
  api.advance(waitMs + secondMs);
  await runDue(api);
  expect(JSON.stringify(await storedOf(api, 'events'))).not.toContain('word:');
});
