/** A worker declares exactly the DynamoDB actions that it takes. */

import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import type { Client } from '../../lib/dynamodb/session.ts';
import { mergeAccess } from '../../lib/dynamodb/tables.ts';
import { hourMs } from '../../lib/time.ts';
import type { Worker } from '../../lib/workers/worker.ts';
import conversationCounter from '../../workers/conversation-counter.ts';
import conversationEraser from '../../workers/conversation-eraser.ts';
import conversationSweeper from '../../workers/conversation-sweeper.ts';
import retentionRewriter from '../../workers/retention-rewriter.ts';
import { noting } from '../support/access.ts';
import { type Json, openApi, storedOf } from '../support/api.ts';
import { changeRecord } from '../support/stream-records.ts';
import { deliver } from '../support/workers.ts';

const messages = [{ role: 'user', text: 'hello', clientMessageId: 'm' }];

test.each<[string, Worker]>(
  [conversationCounter, conversationEraser, conversationSweeper, retentionRewriter].map((worker) => [
    worker.id,
    worker,
  ]),
)('%s takes every action that it declares', async (_, worker) => {
  let noted = noting({} as Client);
  const api = await openApi(({ client }) => {
    noted = noting(client);
    return { client: noted.client, sleep: async () => {} };
  });
  const project = await api.createProject();
  const paths: string[] = [];
  // More than the rewriter has in hand at once.
  for (let n = 0; n < 22; n += 1) paths.push(await api.createConversation({}, project));
  const [path = '', late = ''] = paths;
  const used: (typeof noted.taken)[number][] = [];
  /** Tells the worker of everything that has changed since. */
  const told = new Map<string, Json>();
  const tell = async () => {
    const items = (await storedOf(api, worker.source)).map(
      (item) => [`${item.tenant}/${item.id}`, item] as const,
    );
    const now = new Set<string>(items.map(([key]) => key));
    const changed = items.filter(([key, item]) => told.get(key)?.changedIn !== item.changedIn);
    const records = [
      ...changed.map(([key, item]) => {
        const before = told.get(key);
        return before ? changeRecord(before, item) : changeRecord(undefined, item);
      }),
      ...[...told].filter(([key]) => !now.has(key)).map(([, item]) => changeRecord(item, undefined)),
    ];
    for (const [key, item] of items) told.set(key, item);
    for (const key of told.keys()) if (!now.has(key)) told.delete(key);
    noted.taken.splice(0);
    await deliver(api, worker, records);
    used.push(...noted.taken.splice(0));
  };
  await tell();
  const started = (await storedOf(api, 'conversations')).filter(({ startedAt }) => startedAt);
  // What other workers have made, for the eraser to remove.
  const inserted = started.map((item) => changeRecord(undefined, item));
  if (worker === conversationEraser) await deliver(api, conversationCounter, inserted);
  await api.call('POST', `${path}/messages`, { body: { messages }, idempotencyKey: 'key' });
  await api.call('PATCH', `/projects/${project}`, { body: { settings: { retentionDays: 10 } } });
  await tell();
  await api.call('DELETE', path);
  await tell();
  api.advance(hourMs);
  const timers = (await storedOf(api, 'conversations')).filter(({ tenant }) =>
    `${tenant}`.endsWith('#timers'),
  );
  const timer = timers.find(({ id }) => late.endsWith(`${id}`));
  noted.taken.splice(0);
  if (timer) await deliver(api, worker, [changeRecord(timer, undefined)]);
  used.push(...noted.taken.splice(0));
  if (worker === conversationCounter) {
    // A restore brings one back whose erasure is over.
    const [erased] = (await storedOf(api, 'conversations')).filter(({ erasedAt }) => erasedAt);
    const [again] = started.filter(({ id }) => id === erased?.id);
    const TableName = api.runtime.tableNames.conversations;
    for (const Item of [{ ...erased, purgedAt: erased?.erasedAt }, again]) {
      await api.runtime.client.send(new PutCommand({ TableName, Item }));
    }
    noted.taken.splice(0);
    await deliver(api, worker, [changeRecord(undefined, again)]);
    used.push(...noted.taken.splice(0));
  }
  expect(mergeAccess(...used)).toEqual(mergeAccess(worker.access));
});
