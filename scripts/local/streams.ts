/** The tables' streams on this machine: workers in process, fed from DynamoDB Local's streams as Lambda would. */

import { setTimeout as sleep } from 'node:timers/promises';
import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import type { BaseRuntime } from '../../lib/runtime/base-runtime.ts';
import { createWorkerHandler, type Worker, type WorkerHandler } from '../../lib/workers/worker.ts';
import { localCredentials } from './dynamodb.ts';

const pauseMs = 100;
const retryMs = 200;

export type Followers = {
  /** Resolves when everything that was written before is worked off. */
  settled(): Promise<void>;
  /** Resolves when what is under way has ended. */
  stop(): Promise<void>;
};

export type FollowOptions = {
  endpoint: string;
  /** From now on, or all that the streams still hold. */
  from: 'LATEST' | 'TRIM_HORIZON';
  /** Leaves the changes of other tenants to others. */
  only?: (tenant: string) => boolean;
};

/** Follows each worker's stream until it is stopped. A batch that fails comes again, as with Lambda. */
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

/** In a stream's images DynamoDB Local writes an empty map as `{}`, where DynamoDB writes `{"M":{}}`. */
const restoreEmptyMap = (name: string, value: unknown): unknown =>
  name !== 'M' &&
  value !== null &&
  typeof value === 'object' &&
  !Array.isArray(value) &&
  Object.keys(value).length === 0
    ? { M: {} }
    : value;

/**
 * DynamoDB Local says only in which minute a change took effect, DynamoDB in which second.
 * @returns the record, with the present second for a change of the last minute
 */
export function withSecond(record: DynamoDBRecord, nowMs: number): DynamoDBRecord {
  const { dynamodb } = record;
  const minute = dynamodb?.ApproximateCreationDateTime;
  const now = Math.floor(nowMs / 1000);
  if (minute === undefined || now - minute >= 60) return record;
  return { ...record, dynamodb: { ...dynamodb, ApproximateCreationDateTime: now } };
}

/**
 * One call of DynamoDB Streams. Sent as it is: the answer's records are then what Lambda's events hold, while the SDK
 * would turn them into another form.
 */
async function ask<Answer>(endpoint: string, action: string, input: object): Promise<Answer> {
  const { AWS_ACCESS_KEY_ID: keyId, AWS_REGION: region } = { ...localCredentials, ...process.env };
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/x-amz-json-1.0',
      'X-Amz-Target': `DynamoDBStreams_20120810.${action}`,
      // DynamoDB Local looks for the form of a signature, and for the key's id and region in it.
      Authorization:
        `AWS4-HMAC-SHA256 Credential=${keyId}/20260101/${region}/dynamodb/aws4_request, ` +
        'SignedHeaders=host, Signature=0',
    },
    body: JSON.stringify(input),
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

  /** A shard that is new after the first look has begun since: all of it is to be read. */
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
      // The end of a shard that holds nothing yet counts as trimmed, and so does a place that was left for long: what
      // the shard holds is then read from its start.
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
      // DynamoDB Local is busy or has gone: it is asked again until somebody stops this.
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
      // The round under way may have begun before the last write.
      const begun = rounds + 1;
      while (lastEmpty <= begun && !stopping) await sleep(10);
    },
    async stop() {
      stopping = true;
      await running;
    },
  };
}
