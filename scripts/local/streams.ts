/** The local streams: workers in this process receive changes from DynamoDB Local as from Lambda. */

import { setTimeout as sleep } from 'node:timers/promises';
import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import type { BaseRuntime } from '../../lib/runtime/base-runtime.ts';
import { createWorkerHandler, type Worker, type WorkerHandler } from '../../lib/workers/worker.ts';
import { localCredentials } from './dynamodb.ts';

const pauseMs = 100;
const retryMs = 200;
/** A call without a response is repeated. Long, because DynamoDB Local is slow on a busy machine. */
const callTimeoutMs = 30_000;

export type Followers = {
  /** Resolves when everything that was written before is processed. */
  settled(): Promise<void>;
  /** Resolves when running work has ended. */
  stop(): Promise<void>;
};

export type FollowOptions = {
  endpoint: string;
  /** Whether to start now, or with everything that the streams still contain. */
  from: 'LATEST' | 'TRIM_HORIZON';
  /** Processes only the changes of this tenant. */
  only?: (tenant: string) => boolean;
};

/** Reads each worker's stream until it is stopped. A failed batch is retried, as with Lambda. */
export async function followStreams(
  workers: readonly Worker[],
  runtime: BaseRuntime,
  options: FollowOptions,
): Promise<Followers> {
  const followers = await Promise.all(
    workers.map((worker) => follow(worker, createWorkerHandler(worker, runtime), runtime, options)),
  );
  return {
    settled: async () => void (await Promise.all(followers.map(({ settled }) => settled()))),
    stop: async () => void (await Promise.all(followers.map(({ stop }) => stop()))),
  };
}

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
async function ask<Answer>(endpoint: string, action: string, input: object): Promise<Answer> {
  const { AWS_ACCESS_KEY_ID: keyId, AWS_REGION: region } = { ...localCredentials, ...process.env };
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

async function follow(
  worker: Worker,
  handler: WorkerHandler,
  runtime: BaseRuntime,
  { endpoint, from, only }: FollowOptions,
): Promise<Followers> {
  const TableName = runtime.tableNames[worker.source];
  const { Table } = await new DynamoDBClient({ endpoint }).send(new DescribeTableCommand({ TableName }));
  const StreamArn = Table?.LatestStreamArn;
  if (!StreamArn) throw new Error(`${worker.source} has no stream for ${worker.id}`);
  const iterators = new Map<string, string>();
  const seen = new Set<string>();
  let rounds = 0;
  let stopping = false;

  /** A shard that appears later is new, so all of it is read. */
  async function openShards(type: FollowOptions['from']): Promise<void> {
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

  async function deliver(records: readonly DynamoDBRecord[]): Promise<void> {
    for (let rest = records.slice(); rest.length > 0 && !stopping; ) {
      const batch = rest.slice(0, worker.batchSize);
      try {
        const deadlineMs = Date.now() + worker.timeoutSeconds * 1000;
        const context = { getRemainingTimeInMillis: () => deadlineMs - Date.now() };
        const { batchItemFailures } = await handler({ Records: batch }, context);
        const failed = batchItemFailures[0]?.itemIdentifier;
        const done = batch.findIndex(({ dynamodb }) => dynamodb?.SequenceNumber === failed);
        rest = rest.slice(done === -1 ? batch.length : done);
      } catch {
        await sleep(retryMs);
      }
    }
  }

  async function round(): Promise<number> {
    await openShards('TRIM_HORIZON');
    let count = 0;
    for (const [shard, ShardIterator] of iterators) {
      const { Records, NextShardIterator } = await read(shard, ShardIterator);
      count += Records.length;
      const wanted = Records.filter(({ dynamodb }) => !only || only(dynamodb?.Keys?.tenant?.S ?? ''));
      await deliver(wanted.map((record) => withSecond(record, Date.now())));
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
    async settled() {
      // The current round may have started before the last write.
      const begun = rounds + 1;
      while (lastEmpty <= begun && !stopping) await sleep(10);
    },
    async stop() {
      stopping = true;
      await running;
    },
  };
}
