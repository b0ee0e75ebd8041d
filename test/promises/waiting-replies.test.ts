/** 10,000 waiting replies of one tenant delay the first of another by at most two seconds. */

import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { hourMs, ttlSeconds } from '../../lib/base/time.ts';
import { numbered } from '../../lib/dynamodb/places.ts';
import { placesOf } from '../../lib/workers/places.ts';
import { meter } from '../../measures/meter.ts';
import { simulatePlaces } from '../../measures/places.ts';
import { msPerRoundTrip } from '../../measures/prices.ts';
import { storedOf } from '../../samples/api.ts';
import { deliverNotices } from '../../samples/lambda-queue.ts';
import replyRunner from '../../workers/reply-runner.ts';
import { openReplies } from '../support/replies.ts';

const waiting = 10_000;
const mostSeconds = 2;

test('the worker has ten times as many places as a tenant gets', () => {
  expect(replyRunner.maxConcurrency).toBeGreaterThanOrEqual(10 * placesOf(replyRunner));
});

test('beside 10,000 replies that never end, another tenant has a place at once', () => {
  const load = { isFair: true, busyTenants: 1, quietTenants: 50, noticesEach: waiting };
  expect(simulatePlaces(replyRunner, load).p99Seconds).toBeLessThanOrEqual(mostSeconds);
});

test('a batch whose replies wait gives its invocation back within two seconds, and asks no model', async () => {
  const api = await openReplies();
  const { client, tableNames } = api.runtime;
  await api.deploy();
  const count = replyRunner.batchSize;
  for (let number = 0; number < count; number += 1)
    await api.ask(await api.converse(), { target: { environment: 'production' }, input: { text: 'Hello' } });
  const tenant = `${api.organisationId}#live#places#${replyRunner.id}`;
  const ttl = ttlSeconds(Date.now() + hourMs);
  for (const id of numbered(placesOf(replyRunner)))
    await client.send(
      new PutCommand({ TableName: tableNames.schedule, Item: { tenant, id, holder: 'another', ttl } }),
    );

  const metered = meter(client);
  const notices = await api.notices();
  expect(notices).toHaveLength(count);
  await deliverNotices({ ...api.runtime, client: metered.client }, replyRunner, notices);
  const { roundTrips, writeUnits } = metered.usage();
  // What another tenant waits for in a fair queue, if all invocations have just taken such a batch.
  expect((roundTrips * msPerRoundTrip) / 1000).toBeLessThanOrEqual(mostSeconds);
  // The item that waits, and the timer of all of them.
  expect(writeUnits / count).toBeLessThanOrEqual(8);
  expect(api.models.streams).toEqual([]);
  const kept = (await storedOf(api, 'schedule')).filter((item) => `${item.tenant}`.endsWith('#queue'));
  expect(kept).toHaveLength(count);
  expect(await api.notices()).toHaveLength(count);
});
