/** The streams of the dev server rest until something writes. */

import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openApi } from '../../samples/api.ts';
import { startFeed } from '../../scripts/local/feed.ts';
import { readStream } from '../../scripts/local/streams.ts';
import { afterWrites, openDatabasePort } from '../../scripts/local/writes.ts';
import { testWorker } from '../support/test-worker.ts';

/** Longer than a test takes. */
const restMs = 600_000;
/** Longer than the longest pause of a stream that does not rest. */
const longPauseMs = 700;

/** In place of DynamoDB Local: each table has an empty stream. */
async function openStreams() {
  const reads: Record<string, number> = {};
  const held: (() => void)[] = [];
  const state = { reads, held, isHolding: false };
  const respond = (response: ServerResponse, body: object) => response.end(JSON.stringify(body));
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const input = JSON.parse(text) as Record<string, string>;
    const action = String(request.headers['x-amz-target']).split('.')[1];
    // The name of a table is the ARN of its stream and the iterator of its only shard.
    if (action === 'DescribeTable') return respond(response, { Table: { LatestStreamArn: input.TableName } });
    if (action === 'DescribeStream')
      return respond(response, { StreamDescription: { Shards: [{ ShardId: 'shard' }] } });
    if (action === 'GetShardIterator') return respond(response, { ShardIterator: input.StreamArn });
    const table = input.ShardIterator ?? '';
    reads[table] = (reads[table] ?? 0) + 1;
    const answer = () => respond(response, { Records: [], NextShardIterator: table });
    return state.isHolding ? held.push(answer) : answer();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { ...addressOf(server.address()), state };
}

const addressOf = (address: unknown) => {
  const { port } = address as AddressInfo;
  return { port, endpoint: `http://127.0.0.1:${port}` };
};

describe('a stream that rests', () => {
  const open = async ({ isHolding = false, rest = restMs } = {}) => {
    const { endpoint, state } = await openStreams();
    state.isHolding = isHolding;
    const options = { from: 'LATEST', restMs: rest } as const;
    const reader = await readStream(endpoint, 'table', async () => {}, options);
    onTestFinished(() => reader.stop());
    await expect.poll(() => state.reads.table).toBe(1);
    return { reader, state };
  };

  test('is read after a write', async () => {
    const { reader, state } = await open();
    await sleep(longPauseMs);
    expect(state.reads.table).toBe(1);
    reader.wake();
    await expect.poll(() => state.reads.table).toBe(2);
  });

  test('is read again after a write during a read', async () => {
    const { reader, state } = await open({ isHolding: true });
    reader.wake();
    state.isHolding = false;
    for (const answer of state.held) answer();
    await expect.poll(() => state.reads.table).toBe(2);
  });

  test('is read at the end of its rest, if nothing tells of a write', async () => {
    const { state } = await open({ rest: 50 });
    await expect.poll(() => state.reads.table).toBeGreaterThan(2);
  });
});

test('the feed reads the streams of the tables that were written to', async () => {
  const { runtime } = await openApi();
  const { endpoint, state } = await openStreams();
  const { projects = '', avatars = '' } = runtime.tableNames;
  const worker = testWorker(async () => {}, { sources: ['projects', 'avatars'] });
  const feed = await startFeed([worker], runtime, { endpoint, from: 'LATEST', restMs });
  onTestFinished(() => feed.stop());
  await expect.poll(() => state.reads).toEqual({ [projects]: 1, [avatars]: 1 });
  feed.wake([projects]);
  await expect.poll(() => state.reads[projects]).toBe(2);
  await sleep(longPauseMs);
  expect(state.reads).toEqual({ [projects]: 2, [avatars]: 1 });
  feed.wake();
  await expect.poll(() => state.reads).toEqual({ [projects]: 3, [avatars]: 2 });
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

describe('the port for other processes', () => {
  const open = async (isSilent: boolean) => {
    const database = createTcpServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', (data) => isSilent || socket.write(`response to ${data}`));
    });
    database.listen(0, '127.0.0.1');
    await once(database, 'listening');
    const onResponse = vi.fn();
    const port = await openDatabasePort(addressOf(database.address()).endpoint, onResponse);
    const caller = connect(Number(new URL(port.endpoint).port), '127.0.0.1');
    onTestFinished(() => {
      caller.destroy();
      port.close();
      database.close();
    });
    await once(caller, 'connect');
    caller.write('request');
    return { caller, onResponse };
  };

  test('passes responses on, and tells of each', async () => {
    const { caller, onResponse } = await open(false);
    expect(String((await once(caller, 'data'))[0])).toBe('response to request');
    expect(onResponse).toHaveBeenCalledOnce();
  });

  test('tells of a caller that dies before it has its response', async () => {
    const { caller, onResponse } = await open(true);
    await sleep(100);
    expect(onResponse).not.toHaveBeenCalled();
    caller.resetAndDestroy();
    await expect.poll(() => onResponse.mock.calls.length).toBe(1);
  });
});
