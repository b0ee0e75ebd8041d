/** A deleted project that can no longer be restored is purged: nothing below it stays in any table. */

import { setTimeout } from 'node:timers/promises';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, describe, expect, test } from 'vitest';
import { dayMs } from '../../lib/base/time.ts';
import { tableNames } from '../../lib/dynamodb/tables.ts';
import type { Runtime } from '../../lib/http/runtime.ts';
import { openApi, storedOf, type TestApi, toLoopback } from '../../samples/api.ts';
import { deliverNotices, noticesOf, unlessTurnOver } from '../../samples/lambda-queue.ts';
import { changeRecord } from '../../samples/stream-records.ts';
import conversationCounter from '../../workers/conversation-counter.ts';
import { workers } from '../../workers/index.ts';
import knowledgeExtractor from '../../workers/knowledge-extractor.ts';
import knowledgeIndexer from '../../workers/knowledge-indexer.ts';
import messageIndexer from '../../workers/message-indexer.ts';
import projectPurger from '../../workers/project-purger.ts';
import rolloutMover from '../../workers/rollout-mover.ts';
import sourceRefresher from '../../workers/source-refresher.ts';
import { intercept } from '../support/faults.ts';
import { upload } from '../support/imports.ts';
import { expire, fill, goingOn, namingProject, purgeBegun, storedPurge } from '../support/purges.ts';
import { dueNotices } from '../support/schedule.ts';
import { withoutGone } from '../support/stored.ts';
import { handleAll, resumeNow, suspendNow } from '../support/suspensions.ts';
import { openReceiver } from '../support/webhooks.ts';
import { deliver, follow, openMortal } from '../support/workers.ts';

const opened: { stop(): Promise<void> }[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ stop }) => stop()));
});

const sizes = { documents: 3, conversations: 4 };

const purgeOf = async ({ call }: TestApi, project: string) =>
  (await call('GET', `/projects/${project}/purge`)).data;

/** Only the record of the purge stays, and for 7 days a tombstone that says who has removed the project. */
async function expectPurged(api: TestApi, project: string) {
  expect(await purgeOf(api, project)).toMatchObject({ status: 'succeeded', finishedAt: expect.any(String) });
  const left = await namingProject(api, project);
  expect(Object.keys(left)).toEqual(['projects']);
  expect(withoutGone(left.projects ?? [])).toMatchObject([
    { tenant: `${api.organisationId}#live#purges`, status: 'succeeded' },
  ]);
}

const everything = async (api: TestApi) =>
  (await Promise.all(tableNames.map((table) => storedOf(api, table)))).flat();

test('removes everything below the project through the streams, and nothing else', {
  tags: ['long'],
}, async () => {
  // The retention-rewriter waits for requests in progress. There are none.
  const api = await openApi((runtime) => ({ ...toLoopback(runtime), sleep: () => setTimeout(10) }));
  // The runs of jobs are not shorter than elsewhere, so the pauses until the next run are not much shorter either.
  const followers = await follow(api, workers, { secondMs: 500 });
  const receiver = await openReceiver();
  opened.push({ stop: () => followers.stop().then(receiver.close) });
  await api.call('POST', '/webhooks', { body: { url: receiver.url, eventTypes: ['conversation.*'] } });
  const [gone, kept] = [
    await fill(api, { ...sizes, byStreams: true }),
    await fill(api, { ...sizes, byStreams: true }),
  ];
  await followers.settled();
  const before = await namingProject(api, kept);
  const stored = await namingProject(api, gone);
  // Every table that has items below a project has some.
  const outside = ['organisations', 'apiKeys', 'webhooks', 'audit'];
  expect(Object.keys(stored)).toEqual(tableNames.filter((table) => !outside.includes(table)));

  await api.call('DELETE', `/projects/${gone}`);
  expect(await purgeOf(api, gone)).toMatchObject({ status: 'scheduled', startedAt: null, removedItems: 0 });
  await followers.settled();
  api.advance(7 * dayMs + 1000);
  const due = (await dueNotices(api)).filter(({ id }) => id === gone);
  await followers.sender.send(projectPurger.id, due);
  await followers.settled();
  await expectPurged(api, gone);
  expect((await purgeOf(api, gone)).removedItems).toBeGreaterThan(40);
  expect(await namingProject(api, kept)).toEqual(before);
  expect((await api.call('POST', `/projects/${gone}/restore`)).error.code).toBe('not_found');
  expect(api.faultLines()).toEqual([]);
});

// Runs that die at neighbouring calls differ little.
describe.each([
  [4, 'long'],
  [0.5, 'nightly'],
] as const)('killed before or after calls, each time %d calls later', (later, tag) => {
  test('the purge continues until nothing is left', { tags: [tag] }, async () => {
    const { api, life } = await openMortal();
    const project = await fill(api, sizes);
    await api.call('DELETE', `/projects/${project}`);
    const expired = await expire(api, project);
    let kills = 0;
    for (;;) {
      // Lambda repeats the failed record. The record of the new purge item starts the purge.
      const begun = await storedPurge(api);
      if (begun?.status === 'succeeded') break;
      const records = begun ? [changeRecord(undefined, begun)] : [expired];
      Object.assign(life, { callsLeft: 1 + (kills % 7), afterwards: kills % 2 === 0 });
      // Later runs may get further. With a fixed limit, no run would finish reading a page.
      life.callsLeft += Math.floor(kills * later);
      await deliver(api, projectPurger, records).catch(() => {});
      life.callsLeft = Number.POSITIVE_INFINITY;
      kills += 1;
    }
    expect(kills).toBeGreaterThan(20);
    await expectPurged(api, project);
  });
});

test('removes messages whose conversation TTL has removed', { tags: ['long'] }, async () => {
  const api = await openApi();
  const project = await fill(api, { documents: 1, conversations: 1 });
  const taken = (await storedOf(api, 'conversations')).filter(({ startedAt }) => startedAt);
  const inserted = taken.map((item) => changeRecord(undefined, item));
  await deliver(api, conversationCounter, inserted);
  const { client, tableNames: names } = api.runtime;
  for (const { tenant, id } of taken) {
    await client.send(new DeleteCommand({ TableName: names.conversations, Key: { tenant, id } }));
  }
  expect((await storedOf(api, 'messages')).length).toBeGreaterThan(0);
  await api.call('DELETE', `/projects/${project}`);
  await deliver(api, projectPurger, [await expire(api, project)]);
  await deliver(api, projectPurger, [await purgeBegun(api)]);
  // Its index entries can be found only through the conversation. Their own TTL removes them.
  const left = await namingProject(api, project);
  expect(Object.keys(left)).toEqual(['projects', 'conversations']);
  expect(left.conversations?.filter(({ tenant }) => !`${tenant}`.includes('#by#'))).toEqual([]);
});

test('removes the times of work that waits for the end of a suspension', { tags: ['long'] }, async () => {
  const api = await openApi();
  const project = await fill(api, { documents: 1, conversations: 0 });
  // A file that replaces a content in several parts.
  const uploadId = await upload(api, project, Buffer.from('text'), 'knowledge');
  const path = `/projects/${project}/knowledge/documents/by-external-id/read.txt`;
  await api.call('PUT', path, { body: { title: 'read.txt', uploadId } });
  await suspendNow(api);
  await handleAll(api, knowledgeExtractor, 'knowledge', ({ id }) => id.startsWith('kdoc_'));
  await handleAll(api, knowledgeIndexer, 'jobs', () => true);
  await handleAll(api, sourceRefresher, 'knowledge', () => true);
  await handleAll(api, rolloutMover, 'deployments', ({ id }) => id.startsWith('rol_'));
  const parted = (await storedOf(api, 'knowledge')).filter(({ more }) => more);
  const left = parted.map((item) => changeRecord(item, undefined));
  await deliverNotices(api.runtime, knowledgeExtractor, noticesOf(knowledgeExtractor, left, 'knowledge'));
  const waiting = (await storedOf(api, 'schedule')).map(({ tenant }) => `${tenant}`.split('#')[3]);
  expect(waiting).toEqual(expect.arrayContaining(['extractions', 'content', 'rollouts']));
  await resumeNow(api);
  await api.call('DELETE', `/projects/${project}`);
  await deliver(api, projectPurger, [await expire(api, project)]);
  await deliver(api, projectPurger, [await purgeBegun(api)]);
  await expectPurged(api, project);
});

test('a restored project is not purged, even if it is restored while the purge begins', {
  tags: ['long'],
}, async () => {
  const api = await openApi();
  const project = await fill(api, { documents: 1, conversations: 1 });
  await api.call('DELETE', `/projects/${project}`);
  const [deleted] = (await storedOf(api, 'projects')).filter(({ tenant }) =>
    `${tenant}`.endsWith('#deleted'),
  );
  const before = await everything(api);
  await api.call('POST', `/projects/${project}/restore`);
  // The stream record of the restore, and the same record as if it came after the deadline.
  await deliver(api, projectPurger, [changeRecord(deleted, undefined)]);
  api.advance(8 * dayMs);
  await deliver(api, projectPurger, [changeRecord(deleted, undefined)]);
  expect((await everything(api)).length).toBe(before.length);
  expect((await api.call('GET', `/projects/${project}`)).status).toBe(200);
  expect((await api.call('GET', `/projects/${project}/purge`)).error.code).toBe('not_found');
});

test('repeated stream records start and end one purge', { tags: ['long'] }, async () => {
  const api = await openApi();
  const project = await fill(api, sizes);
  await api.call('DELETE', `/projects/${project}`);
  const expired = await expire(api, project);
  await Promise.all([1, 2, 3].map(() => deliver(api, projectPurger, [expired])));
  const inserted = [await purgeBegun(api)];
  await Promise.all([1, 2, 3].map(() => deliver(api, projectPurger, inserted)));
  await expectPurged(api, project);
  const ended = await purgeOf(api, project);
  api.advance(1000);
  await deliver(api, projectPurger, [expired, ...inserted]);
  expect(await purgeOf(api, project)).toEqual(ended);
});

test('in turns that end after each page, a purge removes everything', { tags: ['long'] }, async () => {
  const api = await openApi();
  const project = await fill(api, { documents: 3, conversations: 2 });
  await api.call('DELETE', `/projects/${project}`);
  await deliver(api, projectPurger, [await expire(api, project)]);
  const record = changeRecord(undefined, await storedPurge(api));
  const runtime = { ...api.runtime, turnMs: 0 };
  const removed: unknown[] = [];
  for (let after = await storedPurge(api); after?.status !== 'succeeded' && removed.length < 100; ) {
    await deliver({ runtime }, projectPurger, [record]).catch(unlessTurnOver);
    after = await storedPurge(api);
    expect(after).toMatchObject({ run: 1, failures: 0 });
    removed.push(after?.removedItems);
  }
  expect(removed.length).toBeGreaterThan(3);
  expect(removed).toEqual(removed.toSorted((a, b) => Number(a) - Number(b)));
  await expectPurged(api, project);
});

test('a purge fails after ten runs, and continues when requested', { tags: ['long'] }, async () => {
  let broken = false;
  const api = await openApi(({ client }: Runtime) => ({
    client: intercept(client, (command) =>
      broken && command.constructor.name === 'BatchWriteCommand'
        ? Promise.reject(new Error('no access'))
        : undefined,
    ),
    sleep: async () => {},
  }));
  const project = await fill(api, { documents: 1, conversations: 1 });
  await api.call('DELETE', `/projects/${project}`);
  await deliver(api, projectPurger, [await expire(api, project)]);
  broken = true;
  for (let run = 1; run <= 10; run += 1) {
    expect(await purgeOf(api, project)).toMatchObject({ status: 'running' });
    const record = await goingOn(api, project);
    await expect(deliver(api, projectPurger, [record])).rejects.toThrow('no access');
  }
  expect(await purgeOf(api, project)).toMatchObject({ status: 'failed', finishedAt: null });
  broken = false;
  await deliver(api, projectPurger, [await goingOn(api, project)]);
  await expectPurged(api, project);
});

test('its record outlives every backup, then expires', async () => {
  const api = await openApi();
  const project = await api.createProject();
  await api.call('DELETE', `/projects/${project}`);
  await deliver(api, projectPurger, [await expire(api, project)]);
  await deliver(api, projectPurger, [await goingOn(api, project)]);
  const record = await storedPurge(api);
  const days = ((record?.ttl as number) * 1000 - api.runtime.nowMs()) / dayMs;
  expect(days).toBeGreaterThan(35);
});

test('a run that was killed while it waited for writers leaves the rest of its wait to the next one', async () => {
  let advance = (_ms: number) => {};
  let isKilled = true;
  const waits: number[] = [];
  const api = await openApi(() => ({
    fence: { writeMs: 60_000, waitMs: 600_000 },
    async sleep(ms) {
      waits.push(ms);
      advance(isKilled ? Math.round(ms / 2) : ms);
      if (isKilled) throw new Error('killed');
    },
  }));
  advance = api.advance;
  const project = await api.createProject();
  await api.call('DELETE', `/projects/${project}`);
  await deliver(api, projectPurger, [await expire(api, project)]);
  const record = await purgeBegun(api);
  await expect(deliver(api, projectPurger, [record])).rejects.toThrow('killed');
  isKilled = false;
  await deliver(api, projectPurger, [record]);
  const [whole = 0, rest = 0, ...others] = waits.filter((ms) => ms > 1000);
  expect(others).toEqual([]);
  expect(whole).toBeGreaterThan(500_000);
  expect(rest).toBeGreaterThan(200_000);
  expect(rest).toBeLessThanOrEqual(300_001);
  await expectPurged(api, project);
});

test('a change that a worker gets after the purge leaves nothing', { tags: ['long'] }, async () => {
  const api = await openApi();
  const project = await fill(api, sizes);
  const late = async (table: 'messages' | 'conversations') =>
    (await storedOf(api, table)).map((item) => changeRecord(undefined, item));
  const [messages, conversations] = [await late('messages'), await late('conversations')];
  await api.call('DELETE', `/projects/${project}`);
  await deliver(api, projectPurger, [await expire(api, project)]);
  await deliver(api, projectPurger, [await purgeBegun(api)]);
  await deliver(api, messageIndexer, messages);
  await deliver(api, conversationCounter, conversations);
  await expectPurged(api, project);
});
