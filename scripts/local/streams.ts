/** The streams of DynamoDB Local, read as Lambda reads them for the dispatcher. */

import { setTimeout as sleep } from 'node:timers/promises';
import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { isMarker, localCredentials, markStream, patientClient } from './dynamodb.ts';

/** After a read that finds nothing. Longer where reads take long, so that reading does not fill the machine. */
const minPauseMs = 100;
const maxPauseMs = 500;
/** The shortest pause if something is written meanwhile, so that somebody who waits for a worker gets its result soon. */
const wokenPauseMs = 20;
const retryMs = 200;
/** New shards are looked for this often. DynamoDB Local makes a new shard after hours. */
const shardsMs = 2000;
/** An idle stream is marked after this many changes of other tables. */
const maxChangesBehind = 1000;
/** A call without a response is repeated. Long, because DynamoDB Local is slow on a busy machine. */
const callTimeoutMs = 30_000;

type StreamReader = {
  tableName: string;
  /** The number of finished rounds. A round reads every shard once. */
  rounds(): number;
  /** The last round in which there was nothing to read. */
  lastEmpty(): number;
  /** For how long the current round has been running. */
  roundMs(): number;
  /** Ends the rest, and soon the pause: something was written to the table. */
  wake(): void;
  /** Reads the stream again at once. */
  hurry(): void;
  stop(): Promise<void>;
};

/** DynamoDB Local counts the changes of all tables together. This is the last change that a reader has seen. */
export type Newest = { sequence: number };

export type Start = 'LATEST' | 'TRIM_HORIZON';

type Options = {
  /** Whether to start now, or with everything that the stream still contains. */
  from: Start;
  /** How long the stream rests after its pause, unless it is woken. Default: not at all. */
  restMs?: number | undefined;
  /** Shared by the readers of a database. */
  newest?: Newest;
};

/** A pause that can be ended early. */
function createPause() {
  let timer: NodeJS.Timeout | undefined;
  let end = () => {};
  return {
    take: (ms: number) =>
      new Promise<void>((done) => {
        end = () => {
          clearTimeout(timer);
          timer = undefined;
          end = () => {};
          done();
        };
        timer = setTimeout(() => end(), ms);
      }),
    /** @param atMs milliseconds of the monotonic clock, before the end of the pause */
    endAt(atMs: number) {
      if (timer === undefined) return;
      clearTimeout(timer);
      timer = setTimeout(() => end(), Math.max(0, atMs - performance.now()));
    },
    end: () => end(),
  };
}

/** DynamoDB Local writes an empty map in a stream image as `{}`, DynamoDB as `{"M":{}}`. */
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
 * @param dispatch gets the records with the ARN of their stream. A batch for which it throws is read again
 */
export async function readStream(
  endpoint: string,
  TableName: string,
  dispatch: (records: DynamoDBRecord[]) => Promise<unknown>,
  { from, restMs = 0, newest = { sequence: 0 } }: Options,
): Promise<StreamReader> {
  const client = new DynamoDBClient({ endpoint, ...patientClient });
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  const StreamArn = Table?.LatestStreamArn;
  if (!StreamArn) throw new Error(`${TableName} has no stream`);
  const iterators = new Map<string, string>();
  const seen = new Set<string>();
  let rounds = 0;
  let describedMs = 0;
  let ownSequence = newest.sequence;
  let stopping = false;

  /** A shard that appears later is new, so all of it is read. */
  async function openShards(type: Start): Promise<void> {
    const { StreamDescription } = await ask<{ StreamDescription: { Shards: { ShardId: string }[] } }>(
      endpoint,
      'DescribeStream',
      { StreamArn },
    );
    describedMs = Date.now();
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
    if (iterators.size === 0) await openShards('TRIM_HORIZON');
    let count = 0;
    for (const [shard, ShardIterator] of iterators) {
      const { Records, NextShardIterator } = await read(shard, ShardIterator);
      const changes = Records.filter((record) => !isMarker(record));
      count += changes.length;
      const eventSourceARN = StreamArn as string;
      if (changes.length > 0) {
        await dispatch(changes.map((record) => ({ ...withSecond(record, Date.now()), eventSourceARN })));
      }
      ownSequence = Math.max(ownSequence, Number(Records.at(-1)?.dynamodb?.SequenceNumber ?? 0));
      newest.sequence = Math.max(newest.sequence, ownSequence);
      if (stopping) break;
      if (NextShardIterator) iterators.set(shard, NextShardIterator);
      else iterators.delete(shard);
    }
    // After the reads, because somebody may wait for what they find.
    if (!stopping && Date.now() - describedMs > shardsMs) await openShards('TRIM_HORIZON');
    if (!stopping && newest.sequence - ownSequence > maxChangesBehind) {
      await markStream(client, TableName);
      // The marker is newer. It is read in the next round.
      ownSequence = newest.sequence;
    }
    return count;
  }

  await openShards(from);
  let lastEmpty = 0;
  let begunMs = Number.POSITIVE_INFINITY;
  const pause = createPause();
  const rest = createPause();
  /** When a pause may end that a write ends: milliseconds of the monotonic clock. */
  let wakesMs = 0;
  let isWoken = false;
  const hurry = () => {
    isWoken = true;
    pause.end();
    rest.end();
  };
  const running = (async () => {
    while (!stopping) {
      begunMs = performance.now();
      // A round does not see what is written while it runs.
      isWoken = false;
      // DynamoDB Local is busy or has stopped. Retry until this is stopped too.
      const count = await round().catch(() => sleep(retryMs, -1));
      rounds += 1;
      if (count === 0) {
        lastEmpty = rounds;
        const tookMs = performance.now() - begunMs;
        begunMs = Number.POSITIVE_INFINITY;
        const pauseMs = (leastMs: number) => Math.min(maxPauseMs, Math.max(leastMs, 2 * tookMs));
        wakesMs = performance.now() + pauseMs(wokenPauseMs);
        if (isWoken) await pause.take(pauseMs(wokenPauseMs));
        else await pause.take(pauseMs(minPauseMs));
        if (restMs > 0 && !isWoken) await rest.take(restMs);
      }
    }
  })();

  return {
    tableName: TableName,
    rounds: () => rounds,
    lastEmpty: () => lastEmpty,
    roundMs: () => Math.max(0, performance.now() - begunMs),
    wake() {
      if (!isWoken) pause.endAt(wakesMs);
      isWoken = true;
      rest.end();
    },
    hurry,
    async stop() {
      stopping = true;
      hurry();
      await running;
    },
  };
}
