/** Events of what nobody does: a key expires, a job is not done in time. */

import { afterEach, expect, test } from 'vitest';
import { dayMs, hourMs, minuteMs } from '../../../../lib/base/time.ts';
import type { Notice } from '../../../../lib/workers/notice.ts';
import { openApi, type TestApi } from '../../../../samples/api.ts';
import { deliverNotices } from '../../../../samples/lambda-queue.ts';
import type { Feed } from '../../../../scripts/local/feed.ts';
import { replay } from '../../../../scripts/replay.ts';
import eventWriter from '../../../../workers/event-writer.ts';
import { eventsOf } from '../../../support/events.ts';
import { dueOf, runDue } from '../../../support/schedule.ts';
import { follow } from '../../../support/workers.ts';

const feeds: Feed[] = [];

afterEach(async () => {
  await Promise.all(feeds.splice(0).map((feed) => feed.stop()));
});

async function openFollowed() {
  const api = await openApi();
  const feed = await follow(api, [eventWriter]);
  feeds.push(feed);
  return { api, feed };
}

/** @returns the types of the events of a resource, oldest first, without those of requests */
async function timedOf(api: TestApi, id: string) {
  const found = await eventsOf(api, `&resourceId=${id}`);
  return found.filter(({ type }) => /expir|failed/.test(type)).toReversed();
}

async function pass(api: TestApi, ms: number): Promise<void> {
  api.advance(ms);
  await runDue(api);
}

test('a key says once that it expires soon, and once that it has expired', async () => {
  const { api, feed } = await openFollowed();
  const { id } = await api.createKey({ expiresIn: '20h' });
  await feed.settled();
  await pass(api, 17 * hourMs);
  expect(await timedOf(api, id)).toEqual([]);
  await pass(api, hourMs + minuteMs);
  const { data } = await api.call('GET', `/api-keys/${id}`);
  const expiring = { type: 'api_key.expiring', projectId: null, data: { ...data, status: 'active' } };
  expect(await timedOf(api, id)).toMatchObject([expiring]);
  await pass(api, 2 * hourMs);
  await runDue(api);
  const events = await timedOf(api, id);
  expect(events).toMatchObject([expiring, { type: 'api_key.expired', data: { id, status: 'expired' } }]);
  expect(events[1]?.timestamp).toBe(data.expiresAt);
  expect(await dueOf(api)).toEqual([]);
});

test('a revoked key says nothing, and a prolonged one says it later', async () => {
  const { api, feed } = await openFollowed();
  const revoked = await api.createKey({ expiresIn: '20h' });
  const prolonged = await api.createKey({ expiresIn: '20h' });
  await feed.settled();
  await api.call('DELETE', `/api-keys/${revoked.id}`);
  await api.call('PATCH', `/api-keys/${prolonged.id}`, { body: { expiresIn: '10d' } });
  await feed.settled();
  await pass(api, 21 * hourMs);
  await pass(api, 7 * dayMs);
  expect(await timedOf(api, revoked.id)).toEqual([]);
  expect(await timedOf(api, prolonged.id)).toEqual([]);
  await pass(api, 2 * dayMs);
  expect(await timedOf(api, prolonged.id)).toMatchObject([{ type: 'api_key.expiring' }]);
});

test('a job that no worker has done by its deadline has failed', async () => {
  const { api, feed } = await openFollowed();
  const project = await api.createProject();
  const { data: job } = await api.call('POST', `/projects/${project}/knowledge/reindex`);
  await feed.settled();
  await pass(api, 6 * hourMs + minuteMs);
  const [failed, ...others] = await timedOf(api, `${job.id}`);
  expect(others).toEqual([]);
  const error = { code: 'deadline_exceeded' };
  expect(failed).toMatchObject({
    type: 'job.failed',
    timestamp: job.deadlineAt,
    data: { status: 'failed', error },
  });
  // A worker that comes too late stores the same.
  await api.workOff(project, `${job.id}`);
  await feed.settled();
  expect(await timedOf(api, `${job.id}`)).toHaveLength(1);
  expect(await dueOf(api)).toEqual([]);
});

test('keys that are older than events get their timers by a replay', async () => {
  const api = await openApi();
  const soon = await api.createKey({ expiresIn: '20h' });
  const later = await api.createKey({ expiresIn: '90d' });
  api.advance(19 * hourMs);
  const name = api.runtime.tableNames.apiKeys ?? '';
  const wanted = { table: 'apiKeys', name, sinceMs: 0, workers: [eventWriter] } as const;
  const notices: Notice[] = [];
  const again = () =>
    replay(api.runtime.client, wanted, async (_, sent) => {
      notices.push(...sent.filter(({ tenant }) => tenant.startsWith(api.organisationId)));
    });
  await again();
  await again();
  for (const notice of notices) await deliverNotices(api.runtime, eventWriter, [notice]);
  expect((await dueOf(api)).length).toBe(2);
  // Its time has passed already.
  await runDue(api);
  expect(await timedOf(api, soon.id)).toMatchObject([{ type: 'api_key.expiring' }]);
  await pass(api, 2 * hourMs);
  expect(await timedOf(api, soon.id)).toMatchObject([
    { type: 'api_key.expiring' },
    { type: 'api_key.expired' },
  ]);
  await pass(api, 90 * dayMs);
  expect((await timedOf(api, later.id)).map(({ type }) => type)).toContain('api_key.expired');
  expect(await dueOf(api)).toEqual([]);
});
