/** The change feed on this machine, which runs the deployed dispatcher and handlers with queues in memory. */
// @module-tag long

import { setTimeout as sleep } from 'node:timers/promises';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { expect, onTestFinished, test } from 'vitest';
import { split } from '../../lib/base/batches.ts';
import { dayMs, hourMs } from '../../lib/base/time.ts';
import type { Notice } from '../../lib/workers/notice.ts';
import { defineWorker, type Worker } from '../../lib/workers/worker.ts';
import { type Json, openApi, storedOf, type TestApi } from '../../samples/api.ts';
import type { FeedOptions } from '../../scripts/local/feed.ts';
import { workers } from '../../workers/index.ts';
import { projectNotice, testWorker } from '../support/test-worker.ts';
import { follow as startFollowing } from '../support/workers.ts';

async function follow(api: TestApi, those: readonly Worker[], options: Partial<FeedOptions> = {}) {
  const feed = await startFollowing(api, those, options);
  onTestFinished(() => feed.stop());
  return feed;
}

test('a worker gets a notice of every change that it wants', async () => {
  const api = await openApi();
  const notices: Notice[] = [];
  const feed = await follow(api, [
    testWorker(async (batch) => void notices.push(...batch), { wants: ({ kind }) => kind !== 'REMOVE' }),
  ]);
  const id = await api.createProject({ name: 'one' });
  await feed.settled();
  await api.call('PATCH', `/projects/${id}`, { body: { name: 'two' } });
  await feed.settled();
  await api.call('DELETE', `/projects/${id}`);
  await feed.settled();
  const tenant = `${api.organisationId}#live`;
  expect(notices).toMatchObject([
    { kind: 'INSERT', tenant, partition: [], id },
    { kind: 'MODIFY', tenant, partition: [], id },
    { kind: 'INSERT', tenant, partition: ['deleted'], id },
  ]);
});

test('a notice that keeps failing blocks no other, becomes a dead letter, and can be sent again', async () => {
  const api = await openApi();
  const handled: string[] = [];
  let isBroken = true;
  let attempts = 0;
  const poison = await api.createProject();
  const worker = testWorker(
    async (notices) => {
      for (const { id } of notices) {
        if (id === poison) attempts += 1;
        if (id === poison && isBroken) throw new Error('bad');
        handled.push(id);
      }
    },
    { batchSize: 1 },
  );
  const feed = await follow(api, [worker], { secondMs: 0.01 });
  await api.call('PATCH', `/projects/${poison}`, { body: { name: 'poison' } });
  const others = [await api.createProject(), await api.createProject()];
  await feed.settled();
  expect(handled.toSorted()).toEqual(others.toSorted());
  expect(attempts).toBe(20);
  const letters = feed.deadLetters();
  expect(letters).toMatchObject([{ worker: 'test-worker', notice: { id: poison } }]);
  isBroken = false;
  for (const { worker: id, notice } of letters) await feed.sender.send(id, [notice]);
  await feed.settled();
  expect(handled).toContain(poison);
});

test('a notice is delivered after the delay of its worker', async () => {
  const api = await openApi();
  const sentMs: number[] = [];
  const handledMs: number[] = [];
  const feed = await follow(
    api,
    [
      testWorker(async () => void handledMs.push(performance.now()), {
        wants: () => sentMs.push(performance.now()) > 0,
        delaySeconds: 5,
      }),
    ],
    { secondMs: 100 },
  );
  await api.createProject();
  await feed.settled();
  expect((handledMs[0] ?? 0) - (sentMs[0] ?? 0)).toBeGreaterThanOrEqual(499);
});

test('where seconds are shorter, a delay moves the clock of the API to its end, unless a worker runs', async () => {
  const api = await openApi();
  const release = Promise.withResolvers<void>();
  onTestFinished(() => release.resolve());
  const delays = new Map<string, number>();
  let sentMs = 0;
  const delayed = (id: string, delaySeconds: number) =>
    testWorker(async () => void delays.set(id, api.runtime.nowMs() - sentMs), { id, delaySeconds });
  const feed = await follow(api, [delayed('day', 86_400), delayed('hour', 3600)], { secondMs: 0.01 });
  sentMs = api.runtime.nowMs();
  await api.createProject();
  await feed.settled();
  expect(delays.get('hour')).toBeGreaterThanOrEqual(hourMs);
  expect(delays.get('hour')).toBeLessThan(2 * hourMs);
  expect(delays.get('day')).toBeGreaterThanOrEqual(dayMs);
  expect(delays.get('day')).toBeLessThan(dayMs + hourMs);
  await feed.stop();

  const running = testWorker(() => release.promise, { id: 'running' });
  const busy = await follow(api, [running, delayed('busy', 3600)], { secondMs: 0.01 });
  sentMs = api.runtime.nowMs();
  await api.createProject();
  await expect.poll(() => delays.get('busy')).toBeLessThan(hourMs);
  release.resolve();
  await busy.settled();
});

test('a worker that is slow delays no other, and no worker runs more often at a time than it may', async () => {
  const api = await openApi();
  let running = 0;
  let most = 0;
  const fast: string[] = [];
  const release = Promise.withResolvers<void>();
  const feed = await follow(api, [
    testWorker(
      async () => {
        running += 1;
        most = Math.max(most, running);
        await release.promise;
        running -= 1;
      },
      { id: 'slow', batchSize: 1, maxConcurrency: 2 },
    ),
    testWorker(async (notices) => void fast.push(...notices.map(({ id }) => id)), { id: 'fast' }),
  ]);
  const ids = [];
  for (let n = 0; n < 5; n += 1) ids.push(await api.createProject());
  while (fast.length < ids.length) await sleep(10);
  expect(running).toBe(2);
  release.resolve();
  await feed.settled();
  expect(most).toBe(2);
});

test('a worker is behind by the age of what it has not handled, unless it waits for receivers of webhooks', async () => {
  const api = await openApi();
  const release = Promise.withResolvers<void>();
  onTestFinished(() => release.resolve());
  const started: string[] = [];
  const slow = (id: string, atOnce: boolean) =>
    testWorker(
      async () => {
        started.push(id);
        await release.promise;
      },
      { id, atOnce },
    );
  const receivers = await follow(api, [slow('receivers', true)]);
  const short = await follow(api, [slow('short', false)]);
  await api.createProject();
  while (started.length < 2) await sleep(10);
  await sleep(1000);
  expect(short.behindMs()).toBeGreaterThanOrEqual(1000);
  expect(receivers.behindMs()).toBeLessThan(short.behindMs() - 500);
  release.resolve();
  await short.settled();
  expect(short.behindMs()).toBeLessThan(1000);
});

test('many notices are late before the first of them is', async () => {
  const api = await openApi();
  const release = Promise.withResolvers<void>();
  onTestFinished(() => release.resolve());
  const feed = await follow(api, [testWorker(() => release.promise)]);
  const notices = Array.from({ length: 500 }, (_, number) => projectNotice(`proj_${number}`));
  await feed.sender.send('test-worker', notices);
  expect(feed.behindMs()).toBeGreaterThanOrEqual(5000);
});

/** What readers see of everything that the workers derive. */
async function derived(api: TestApi, list: string): Promise<Json> {
  const get = async (query: string) => (await api.call('GET', `${list}/${query}`)).data;
  const sums = async (groupBy: string) => {
    const { countedThrough: _, ...counted } = await get(
      `stats?groupBy=${groupBy}&from=2026-11-01T00:00:00Z&to=2026-12-01T00:00:00Z`,
    );
    return counted;
  };
  const found = async (q: string) =>
    ((await get(`search?q=${q}`)).items as Json[]).map(({ snippet }) => snippet);
  const conversations = await storedOf(api, 'conversations');
  return {
    sums: [await sums('day'), await sums('channel')],
    found: [await found('first'), await found('others')],
    postings: (await storedOf(api, 'conversationSearch')).length,
    ended: conversations.filter(({ status }) => status === 'ended').length,
    purged: conversations.filter(({ purgedAt }) => purgedAt !== undefined).length,
  };
}

/** @returns the path of the conversations */
async function story(api: TestApi): Promise<string> {
  const project = await api.createProject();
  const list = `/projects/${project}/conversations`;
  const paths: string[] = [];
  for (let n = 0; n < 6; n += 1) {
    const startedAt = `2026-11-1${n % 3}T10:00:00Z`;
    paths.push(await api.createConversation({ startedAt, channel: n % 2 ? 'web' : 'phone' }, project));
  }
  const say = (path: string, text: string) =>
    api.call('POST', `${path}/messages`, {
      body: { messages: [{ role: 'user', text, at: '2026-11-20T10:00:00Z' }] },
    });
  for (const path of paths) await say(path, 'the first words');
  for (const path of paths.slice(0, 3)) await say(path, 'and then others');
  for (const path of paths.slice(0, 2)) await api.call('DELETE', path);
  await api.call('POST', `${paths[3]}/end`, { body: { reason: 'done' } });
  return list;
}

const disturbedOften = (rounds: number) => async () => {
  const run = async (options: Partial<FeedOptions>) => {
    const api = await openApi(() => ({ sleep: () => sleep(5) }));
    const feed = await follow(api, workers, options);
    const list = await story(api);
    await feed.settled();
    expect(feed.deadLetters()).toEqual([]);
    return derived(api, list);
  };
  const plain = await run({});
  expect(plain).toMatchObject({ found: [{ length: 4 }, { length: 1 }], ended: 1, purged: 2 });
  const random = (below: number) => Math.floor(Math.random() * below);
  const disturbed = () => Array.from({ length: 1 + random(3) }, () => random(2) * (1 + random(800)));
  for (let round = 0; round < rounds; round += 1)
    expect(await run({ deliveriesMs: disturbed })).toEqual(plain);
};

test('notices that are repeated, delayed and reordered have the same effect', disturbedOften(2));

test('a flood of 10 000 changes of one tenant delays another tenant by less than a fifth of it', {
  tags: ['nightly'],
}, async () => {
  const [api, quiet] = [await openApi(), await openApi()];
  let flooded = 0;
  let floodedMeanwhile: number | undefined;
  // The flood waits until all of it is there, however slow the writes are.
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const worker = defineWorker({
    ...testWorker(async ([{ tenant }, ...rest]) => {
      if (tenant.startsWith(quiet.organisationId)) {
        floodedMeanwhile = flooded;
        return;
      }
      await opened;
      await sleep(10);
      flooded += 1 + rest.length;
    }),
    batchSize: 1,
  });
  const feed = await follow(api, [worker], { only: () => true });
  const items = Array.from({ length: 10_000 }, (_, n) => ({
    tenant: `${api.organisationId}#live`,
    id: `proj_${String(n).padStart(26, '0')}`,
  }));
  for (const some of split(split(items, 25), 8)) {
    await Promise.all(
      some.map((batch) => {
        const requests = batch.map((Item) => ({ PutRequest: { Item } }));
        const RequestItems = { [api.runtime.tableNames.projects as string]: requests };
        return api.runtime.client.send(new BatchWriteCommand({ RequestItems }));
      }),
    );
  }
  await quiet.createProject();
  open();
  await feed.settled();
  expect(flooded).toBe(10_000);
  expect(floodedMeanwhile).toBeLessThan(2000);
});
