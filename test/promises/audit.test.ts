/**
 * The audit log has exactly one event for each resource that a call changes. Random requests run while the writer of the log is
 * killed, and its notices are repeated, delayed and reordered. Then the log is compared with a model of the requests, and with
 * the streams.
 */
// @module-tag long

import { afterEach, expect, test, vi } from 'vitest';
import { type Json, openApi } from '../../samples/api.ts';
import type { Feed } from '../../scripts/local/feed.ts';
import auditWriter from '../../workers/audit-writer.ts';
import { allEvents } from '../support/events.ts';
import { type Expected, followBadly, historyOf } from '../support/history.ts';
import { chanceOf } from '../support/killable.ts';

const feeds: Feed[] = [];

afterEach(async () => {
  await Promise.all(feeds.splice(0).map((feed) => feed.stop()));
});

const shown = (event: Json): Expected => {
  const { actor, resource } = event as { actor: Json; resource: Json };
  return {
    requestId: `${event.requestId}`,
    actor: `${actor.id}`,
    action: `${event.action}`,
    outcome: `${event.outcome}`,
    type: `${resource.type}`,
    id: `${resource.id}`,
  };
};

const inOrder = (events: readonly Expected[]) => events.map((event) => JSON.stringify(event)).sort();

const agree = async (seed: number) => {
  // Each has its own sequence, so that the history does not depend on the speed of the writer.
  const chance = chanceOf(seed);
  const api = await openApi();
  const feed = await followBadly(api, [auditWriter], chanceOf(seed + 1000));
  feeds.push(feed);
  const { id: rootId } = (await api.call('GET', '/api-keys/me')).data;
  const scopes = ['api-keys:write', 'projects:write', 'avatars:write', 'knowledge:write'];
  const other = await api.createKey({ name: 'other', scopes: [...scopes, 'conversations:write'] });
  const callers = [
    { id: `${rootId}`, key: api.rootKey },
    { id: other.id, key: other.secret },
  ];
  await feed.settled();
  const before = new Set((await allEvents(api)).map(({ id }) => id));
  const { expected, step } = historyOf(api, callers, chance);
  for (let n = 0; n < 45; n += 1) await step();
  const newEvents = async () => {
    await feed.settled();
    return (await allEvents(api)).filter(({ id }) => !before.has(id));
  };
  // On a busy machine, the last changes may come late into the streams of DynamoDB Local.
  await vi
    .waitUntil(async () => (await newEvents()).length >= expected.length, { timeout: 60_000 })
    .catch(() => {});
  const found = await newEvents();
  expect(feed.deadLetters()).toEqual([]);
  expect(feed.letters).toEqual([]);
  expect(expected.length).toBeGreaterThan(20);
  expect(inOrder(found.map(shown))).toEqual(inOrder(expected));
  expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
  // A filter by a value finds exactly the events with this value, also after failures.
  for (const [name, value] of [
    ['actor', other.id],
    ['action', 'projects.create'],
  ] as const) {
    const filtered = await allEvents(api, `&${name}=${value}`);
    const own = (await allEvents(api)).filter((event) =>
      name === 'actor' ? (event.actor as Json).id === value : event.action === value,
    );
    expect(filtered).toEqual(own);
  }
};

const agreement = 'no change is without an event, and no event without a change: random history %i';
test.each([1, 2])(agreement, agree);
