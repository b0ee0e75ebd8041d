/** A recovery in turns, and killed on the way. */

import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, expect, test } from 'vitest';
import { type Json, openApi, storedOf } from '../../../samples/api.ts';
import { unlessTurnOver } from '../../../samples/lambda-queue.ts';
import { changeRecord } from '../../../samples/stream-records.ts';
import type { Feed } from '../../../scripts/local/feed.ts';
import eventWriter from '../../../workers/event-writer.ts';
import webhookKeeper from '../../../workers/webhook-keeper.ts';
import { deliver, follow, mortal } from '../../support/workers.ts';

const feeds: Feed[] = [];
afterEach(async () => {
  for (const feed of feeds.splice(0)) await feed.stop();
});

/** More than a page each. */
const failedCount = 104;
const missedCount = 103;

/** A webhook with many failed deliveries, many missed events and some pending deliveries, whose recovery is requested. */
async function openRecovery() {
  const api = await openApi(() => ({ sleep: async () => {} }));
  const feed: Feed = await follow(api, [eventWriter]);
  feeds.push(feed);
  const create = async (name: string, count: number) => {
    for (let n = 0; n < count; n += 1) await api.createProject({ name });
    await feed.settled();
  };
  const body = { url: 'https://example.com/hook', eventTypes: ['project.created'] };
  const { data } = await api.call('POST', '/webhooks', { body });
  const path = `/webhooks/${data.id}`;
  const stored = async () =>
    (await storedOf(api, 'deliveries')).filter(({ tenant }) => `${tenant}`.endsWith(`#${data.id}`));
  await create('failed', failedCount);
  const { client, tableNames } = api.runtime;
  for (const { tenant, id } of await stored()) {
    const update = {
      TableName: tableNames.deliveries,
      Key: { tenant, id },
      UpdateExpression: 'SET #status = :failed',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: { ':failed': 'failed' },
    };
    await client.send(new UpdateCommand(update));
  }
  await api.call('PATCH', path, { body: { disabled: true } });
  await create('missed', missedCount);
  await api.call('PATCH', path, { body: { disabled: false } });
  await create('sent', 3);
  api.advance(1000);
  const since = new Date(0).toISOString();
  await api.call('POST', `${path}/recover`, { body: { since } });
  const webhook = async () =>
    (await storedOf(api, 'webhooks')).find(({ id, url }) => id === data.id && url !== undefined) as Json;
  const record = changeRecord(undefined, await webhook());
  /** Each delivery was requested once, or not at all. */
  const expectRecovered = async () => {
    expect((await api.call('GET', path)).data.recovery).toMatchObject({
      finishedAt: expect.any(String),
      deliveries: failedCount + missedCount,
    });
    const items = await stored();
    expect(items).toHaveLength(failedCount + missedCount + 3);
    expect(items.filter(({ round, status }) => round === 1 && status === 'pending')).toHaveLength(
      failedCount,
    );
    expect(items.filter(({ round, status }) => round === 0 && status === 'pending')).toHaveLength(
      missedCount + 3,
    );
  };
  return { api, path, record, stored, webhook, expectRecovered };
}

test('in turns that end after each page, a recovery requests each delivery once, and nobody sees the turns', {
  tags: ['long'],
}, async () => {
  const { api, path, record, stored, webhook, expectRecovered } = await openRecovery();
  const runtime = { ...api.runtime, turnMs: 0 };
  const before = await webhook();
  let turns = 0;
  for (let isOver = true; isOver && turns < 20; turns += 1) {
    expect(await webhook()).toEqual(before);
    isOver = false;
    await deliver({ runtime }, webhookKeeper, [record]).catch((error: Error) => {
      unlessTurnOver(error);
      isOver = true;
    });
  }
  // Two pages of deliveries, and two or three of events.
  expect(turns).toBeGreaterThanOrEqual(4);
  await expectRecovered();

  await api.call('DELETE', path);
  const removed = changeRecord(before, undefined);
  turns = 0;
  for (let left = (await stored()).length; left > 0 && turns < 20; turns += 1) {
    await deliver({ runtime }, webhookKeeper, [removed]).catch(unlessTurnOver);
    const { length } = await stored();
    expect(length).toBeLessThan(left);
    left = length;
  }
  expect(turns).toBeGreaterThanOrEqual(3);
  await deliver({ runtime }, webhookKeeper, [removed]);
  expect(JSON.stringify(await storedOf(api, 'deliveries'))).not.toContain(path.split('/').at(-1));
});

test('killed at any call, a recovery requests each delivery once, and says the right number', {
  tags: ['long'],
}, async () => {
  const { api, record, expectRecovered } = await openRecovery();
  const { client, life } = mortal(api.runtime.client);
  const runtime = { ...api.runtime, client };
  for (let runs = 0, isDone = false; !isDone; runs += 1) {
    expect(runs).toBeLessThan(100);
    Object.assign(life, { callsLeft: 75 + 10 * runs, afterwards: runs % 2 === 0 });
    isDone = await deliver({ runtime }, webhookKeeper, [record]).then(
      () => true,
      () => false,
    );
  }
  await expectRecovered();
});
