/** One call erases all conversations of a user, and leaves nothing that names the user. */

import { hash, randomUUID } from 'node:crypto';
import { DeleteCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, expect, test } from 'vitest';
import { dayMs } from '../../lib/base/time.ts';
import type { Runtime } from '../../lib/http/runtime.ts';
import { betweenTurns } from '../../lib/jobs/run.ts';
import { type Json, openApi, storedOf, type TestApi } from '../../samples/api.ts';
import { endsTurn, noticesOf } from '../../samples/lambda-queue.ts';
import { changeRecord } from '../../samples/stream-records.ts';
import { workers } from '../../workers/index.ts';
import userEraser from '../../workers/user-eraser.ts';
import { intercept } from '../support/faults.ts';
import { remember } from '../support/rewind.ts';
import { storedText } from '../support/stored.ts';
import { deliverKilled } from '../support/turns.ts';
import { deliver, follow, openMortal } from '../support/workers.ts';

const opened: { stop(): Promise<void> }[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ stop }) => stop()));
});

async function converse(api: TestApi, project: string, externalUserId: string, count: number) {
  for (let n = 0; n < count; n += 1) {
    const path = await api.createConversation({ externalUserId, channel: externalUserId }, project);
    const metadata = { user: externalUserId };
    const messages = [{ role: 'user', text: `I am ${externalUserId}`, clientMessageId: 'm', metadata }];
    await api.call('POST', `${path}/messages`, { body: { messages }, idempotencyKey: path });
  }
}

/** @returns the path of the job, and its stream record */
async function ask(api: TestApi, project: string, externalUserId: string) {
  const path = `/projects/${project}/conversations/erase`;
  const { data } = await api.call('POST', path, { body: { externalUserId } });
  const [job] = (await storedOf(api, 'jobs')).filter(({ id, type }) => type && id === data.id);
  return { path: `/projects/${project}/jobs/${data.id}`, record: changeRecord(undefined, job) };
}

const idsOf = async (api: TestApi, project: string) =>
  (await api.call('GET', `/projects/${project}/conversations`)).data.items as unknown[];

async function expectErased(api: TestApi, path: string, externalUserId: string, count: number) {
  const { data } = await api.call('GET', path);
  const externalUserIdSha256 = hash('sha256', `${data.id}:${externalUserId}`, 'hex');
  expect(data).toMatchObject({
    status: 'succeeded',
    progress: { total: count, done: count, failed: 0 },
    result: { erased: count, purged: count, externalUserIdSha256 },
  });
  expect(await storedText(api)).not.toContain(externalUserId);
}

test('erases everything of this user through the streams, and nothing of others', {
  tags: ['long'],
}, async () => {
  const api = await openApi();
  const followers = await follow(api, workers);
  opened.push(followers);
  const project = await api.createProject();
  const [gone, kept] = [randomUUID(), randomUUID()];
  await converse(api, project, gone, 3);
  await converse(api, project, kept, 2);
  await followers.settled();
  const { path } = await ask(api, project, gone);
  await followers.settled();
  await expectErased(api, path, gone, 3);
  expect(await idsOf(api, project)).toHaveLength(2);
  const words = (await storedOf(api, 'conversationSearch')).map(({ tenant }) => `${tenant}`);
  for (const part of gone.split('-')) expect(words.filter((tenant) => tenant.includes(part))).toEqual([]);
  expect(api.faultLines()).toEqual([]);
});

test('killed before or after any call, the next run ends the job', {
  tags: ['nightly'],
}, async () => {
  const { api, life } = await openMortal();
  const project = await api.createProject();
  const user = randomUUID();
  await converse(api, project, user, 2);
  const { path, record } = await ask(api, project, user);
  const rewind = await remember(api);
  const run = async (point: number, afterwards: boolean) => {
    await rewind();
    life.calls = 0;
    Object.assign(life, { callsLeft: point, afterwards });
    await deliver(api, userEraser, [record]).catch(() => {});
    const { calls } = life;
    life.callsLeft = Number.POSITIVE_INFINITY;
    await deliver(api, userEraser, [record]);
    await expectErased(api, path, user, 2);
    return calls;
  };
  const calls = await run(Number.POSITIVE_INFINITY, false);
  for (let point = 1; point <= calls; point += 1) await run(point, point % 2 === 0);
});

test('in turns that end after each piece, and are killed, the job waits once, has no owner between them, and ends', async () => {
  let advance = (_ms: number) => {};
  let waits = 0;
  const { api, life } = await openMortal({
    fence: { writeMs: 60_000, waitMs: 6000 },
    async sleep(ms) {
      if (ms > 0) waits += 1;
      advance(ms);
    },
  });
  advance = api.advance;
  const project = await api.createProject();
  const user = randomUUID();
  await converse(api, project, user, 4);
  const { path, record } = await ask(api, project, user);
  const rewind = await remember(api);
  const between: Json[] = [];
  const turn = () => deliver({ runtime: { ...api.runtime, turnMs: 0 } }, userEraser, [record]);
  while (between.length < 100 && (await endsTurn(turn()))) {
    const job = (await storedOf(api, 'jobs')).find(({ id, type }) => type && path.endsWith(`${id}`));
    if (job) between.push(job);
  }
  expect(between.length).toBeGreaterThan(12);
  for (const job of between)
    expect(job).toMatchObject({
      attempt: betweenTurns,
      attempts: 0,
      status: 'running',
      progress: { total: 4 },
    });
  expect(waits).toBe(1);
  await expectErased(api, path, user, 4);
  await rewind();
  expect(await deliverKilled(api, life, userEraser, noticesOf(userEraser, [record]))).toBeGreaterThan(12);
  await expectErased(api, path, user, 4);
});

test('conversations that start while the job runs are erased too, and counted', async () => {
  const user = randomUUID();
  let started = 0;
  let isRunning = false;
  const api = await openApi(({ client }: Runtime) => ({
    client: intercept(client, (command, proceed) => {
      // After each of the first erasures, another conversation starts.
      if (!isRunning || !(command instanceof TransactWriteCommand) || started === 3) return undefined;
      started += 1;
      isRunning = false;
      return proceed().then(async (output) => {
        await converse(api, project, user, 1);
        isRunning = true;
        return output;
      });
    }),
  }));
  const project = await api.createProject();
  await converse(api, project, user, 2);
  const { path, record } = await ask(api, project, user);
  isRunning = true;
  await deliver(api, userEraser, [record]);
  isRunning = false;
  expect(started).toBe(3);
  await expectErased(api, path, user, 5);
});

test('removes what belongs to conversations that TTL has removed', async () => {
  const api = await openApi();
  const project = await api.createProject();
  const user = randomUUID();
  await converse(api, project, user, 2);
  await api.indexMessages(project);
  const [first] = (await storedOf(api, 'conversations')).filter(({ startedAt }) => startedAt);
  const Key = { tenant: first?.tenant, id: first?.id };
  const TableName = api.runtime.tableNames.conversations;
  await api.runtime.client.send(new DeleteCommand({ TableName, Key }));
  const { path, record } = await ask(api, project, user);
  await deliver(api, userEraser, [record]);
  await expectErased(api, path, user, 1);
  expect(await storedOf(api, 'messages')).toEqual([]);
});

test('works in an archived project', async () => {
  const api = await openApi();
  const project = await api.createProject();
  const user = randomUUID();
  await converse(api, project, user, 1);
  await api.call('PATCH', `/projects/${project}`, { body: { status: 'archived' } });
  const { path, record } = await ask(api, project, user);
  await deliver(api, userEraser, [record]);
  await expectErased(api, path, user, 1);
});

test('a job cannot be cancelled, and a late job fails; both forget the user', async () => {
  const api = await openApi();
  const project = await api.createProject();
  const user = randomUUID();
  await converse(api, project, user, 1);
  const promised = await ask(api, project, user);
  expect((await api.call('POST', `${promised.path}/cancel`)).error.code).toBe('job_not_cancellable');
  await deliver(api, userEraser, [promised.record]);
  expect(await idsOf(api, project)).toHaveLength(0);
  await converse(api, project, user, 1);
  const late = await ask(api, project, user);
  api.advance(dayMs);
  await deliver(api, userEraser, [late.record]);
  expect((await api.call('GET', late.path)).data).toMatchObject({ status: 'failed' });
  expect(await idsOf(api, project)).toHaveLength(1);
  const jobs = JSON.stringify(await storedOf(api, 'jobs'));
  expect(jobs).not.toContain(user);
});
