/** The streams of DynamoDB Local, read as Lambda reads them for the dispatcher. */

import { setTimeout as sleep } from 'node:timers/promises';
import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { localCredentials } from './dynamodb.ts';

const pauseMs = 100;
const retryMs = 200;
/** A call without a response is repeated. Long, because DynamoDB Local is slow on a busy machine. */
const callTimeoutMs = 30_000;

export type StreamReader = {
  /** The number of finished rounds. A round reads every shard once. */
  rounds(): number;
  /** The last round in which there was nothing to read. */
  lastEmpty(): number;
  stop(): Promise<void>;
};

export type Start = 'LATEST' | 'TRIM_HORIZON';

/** In stream images, DynamoDB Local writes an empty map as `{}`, DynamoDB as `{"M":{}}`. */
const restoreEmptyMap = (name: string, value: unknown): unknown =>
  name !== 'M' &&
  value !== null &&
  typeof value === 'object' &&
  !Array.isArray(value) &&
  Object.keys(value).length === 0
    ? { M: {} }
    : value;

/**
 * DynamoDB Local gives only the minute of a change, DynamoDB the second.
 * @returns the record, with the current second for a change of the last minute
 */
export function withSecond(record: DynamoDBRecord, nowMs: number): DynamoDBRecord {
  const { dynamodb } = record;
  const minute = dynamodb?.ApproximateCreationDateTime;
  const now = Math.floor(nowMs / 1000);
  if (minute === undefined || now - minute >= 60) return record;
  return { ...record, dynamodb: { ...dynamodb, ApproximateCreationDateTime: now } };
}

/**
 * One call of DynamoDB Streams, sent without the SDK, because the SDK would convert the records to another format than
 * Lambda's events.
 */
export async function ask<Answer>(
  endpoint: string,
  action: string,
  input: object,
  settings: NodeJS.ProcessEnv = process.env,
): Promise<Answer> {
  const { AWS_ACCESS_KEY_ID: keyId, AWS_REGION: region } = { ...localCredentials, ...settings };
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/x-amz-json-1.0',
      'X-Amz-Target': `DynamoDBStreams_20120810.${action}`,
      // DynamoDB Local checks the format of a signature, and reads the key's id and region from it.
      Authorization:
        `AWS4-HMAC-SHA256 Credential=${keyId}/20260101/${region}/dynamodb/aws4_request, ` +
        'SignedHeaders=host, Signature=0',
    },
    body: JSON.stringify(input),
    signal: AbortSignal.timeout(callTimeoutMs),
  });
  const answer = JSON.parse(await response.text(), restoreEmptyMap) as Answer & { __type?: string };
  if (!response.ok) throw Object.assign(new Error(action), { name: answer.__type?.split('#').at(-1) });
  return answer;
}

/**
 * Reads the stream of a table until it is stopped.
 * @param from whether to start now, or with everything that the stream still contains
 * @param dispatch gets the records with the ARN of their stream. A batch for which it throws is read again
 */
export async function readStream(
  endpoint: string,
  TableName: string,
  from: Start,
  dispatch: (records: DynamoDBRecord[]) => Promise<unknown>,
): Promise<StreamReader> {
  const { Table } = await new DynamoDBClient({ endpoint }).send(new DescribeTableCommand({ TableName }));
  const StreamArn = Table?.LatestStreamArn;
  if (!StreamArn) throw new Error(`${TableName} has no stream`);
  const iterators = new Map<string, string>();
  const seen = new Set<string>();
  let rounds = 0;
  let stopping = false;

  /** A shard that appears later is new, so all of it is read. */
  async function openShards(type: Start): Promise<void> {
    const { StreamDescription } = await ask<{ StreamDescription: { Shards: { ShardId: string }[] } }>(
      endpoint,
      'DescribeStream',
      { StreamArn },
    );
    for (const { ShardId } of StreamDescription.Shards) {
      if (seen.has(ShardId)) continue;
      const place = { StreamArn, ShardId, ShardIteratorType: type };
      const { ShardIterator } = await ask<{ ShardIterator: string }>(endpoint, 'GetShardIterator', place);
      seen.add(ShardId);
      iterators.set(ShardId, ShardIterator);
    }
  }

  type Read = { Records: DynamoDBRecord[]; NextShardIterator?: string };

  async function read(shard: string, ShardIterator: string): Promise<Read> {
    try {
      return await ask<Read>(endpoint, 'GetRecords', { ShardIterator, Limit: 1000 });
    } catch (error) {
      // DynamoDB Local treats the end of an empty shard, and an old position, as trimmed. Then the shard is read from
      // its start.
      if ((error as Error).name !== 'TrimmedDataAccessException') throw error;
      seen.delete(shard);
      return { Records: [] };
    }
  }

  async function round(): Promise<number> {
    await openShards('TRIM_HORIZON');
    let count = 0;
    for (const [shard, ShardIterator] of iterators) {
      const { Records, NextShardIterator } = await read(shard, ShardIterator);
      count += Records.length;
      const eventSourceARN = StreamArn as string;
      if (Records.length > 0) {
        await dispatch(Records.map((record) => ({ ...withSecond(record, Date.now()), eventSourceARN })));
      }
      if (stopping) break;
      if (NextShardIterator) iterators.set(shard, NextShardIterator);
      else iterators.delete(shard);
    }
    return count;
  }

  await openShards(from);
  let lastEmpty = 0;
  const running = (async () => {
    while (!stopping) {
      // DynamoDB Local is busy or has stopped. Retry until this is stopped too.
      const count = await round().catch(() => sleep(retryMs, -1));
      rounds += 1;
      if (count === 0) {
        lastEmpty = rounds;
        await sleep(pauseMs);
      }
    }
  })();

  return {
    rounds: () => rounds,
    lastEmpty: () => lastEmpty,
    async stop() {
      stopping = true;
      await running;
    },
  };
}
