/** The streams of the dev server rest until something writes. */

import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, inject, onTestFinished, test } from 'vitest';
import { afterWrites, openDatabasePort } from '../../scripts/local/writes.ts';
import { openApi } from '../support/api.ts';
import { testWorker } from '../support/test-worker.ts';
import { follow } from '../support/workers.ts';

const restMs = 600_000;

async function rest() {
  const api = await openApi();
  const seen: string[] = [];
  const worker = testWorker(async (notices) => void seen.push(...notices.map(({ id }) => id)));
  const port = await openDatabasePort(inject('dynamodbEndpoint'), () => {
    responses += 1;
  });
  let responses = 0;
  const feed = await follow(api, [worker], { endpoint: port.endpoint, restMs });
  onTestFinished(() => feed.stop().finally(port.close));
  await feed.settled();
  // The last round has ended when there are no further responses.
  for (let before = -1; before !== responses; await sleep(500)) before = responses;
  return { api, feed, seen, responses: () => responses };
}

test('a stream that rests is not read, and is read after a write to its table', async () => {
  const { api, feed, seen, responses } = await rest();
  const before = responses();
  const id = await api.createProject();
  await sleep(1000);
  expect({ responses: responses(), seen }).toEqual({ responses: before, seen: [] });
  feed.wake(['another table']);
  await sleep(1000);
  expect(responses()).toBe(before);
  feed.wake([api.runtime.tableNames.projects ?? '']);
  await expect.poll(() => seen).toEqual([id]);
});

test('a wake-up while the stream is read leads to another read', async () => {
  const { api, feed, seen } = await rest();
  const created: string[] = [];
  for (let number = 0; number < 10; number += 1) {
    created.push(await api.createProject());
    feed.wake();
    await sleep(number * 3);
  }
  await expect.poll(() => [...new Set(seen)].sort()).toEqual(created.sort());
});

test('a client tells the tables of each write, and nothing after a read', async () => {
  const { runtime, organisationId } = await openApi();
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));
  const told: (readonly string[])[] = [];
  afterWrites(client, (tableNames) => told.push(tableNames));
  const TableName = runtime.tableNames.projects ?? '';
  const Key = { tenant: organisationId, id: 'one' };
  await client.send(new PutCommand({ TableName, Item: Key }));
  await client.send(new GetCommand({ TableName, Key }));
  const ConditionExpression = 'attribute_not_exists(id)';
  const refused = client.send(new PutCommand({ TableName, Item: Key, ConditionExpression }));
  await expect(refused).rejects.toThrow();
  expect(told).toEqual([[TableName], [TableName]]);
});
