/**
 * `npm run replay`: sends the items of a table that have changed since a time to the workers that want them, as if they had just
 * changed. For a worker that was broken for longer than dead letters are kept, for a new worker, or for changes that the
 * dispatcher has lost. Run by the operator, with AWS credentials.
 *
 *   npm run replay -- --table NAME --since 2026-11-20T10:00:00Z                                    in the stage dev
 *   npm run replay -- --table NAME --since 2026-11-20T10:00:00Z --worker message-indexer --stage prod
 *
 * It reads the whole table. Workers read the current item, so a replay while they work changes nothing else. Deleted items are
 * gone: what a worker does after a deletion is not repeated.
 */

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { timeOfId } from '../lib/base/ids.ts';
import { secondMs } from '../lib/base/time.ts';
import type { TableName } from '../lib/dynamodb/tables.ts';
import type { Item } from '../lib/dynamodb/write.ts';
import { type Change, noticeFor, placeOf, stampOf } from '../lib/workers/change.ts';
import type { Notice } from '../lib/workers/notice.ts';
import { sendNotices } from '../lib/workers/sqs.ts';
import { queueName, type Worker } from '../lib/workers/worker.ts';
import { workers as allWorkers } from '../workers/index.ts';
import { findStage } from './restore/stage-tables.ts';
import { explainMistake } from './shared/mistakes.ts';
import { readOptions, readTime, runCommand, UsageError } from './shared/options.ts';
import { urlOfQueue } from './workers/queues.ts';

const usage =
  'Usage: npm run replay -- --table NAME --since 2026-11-20T10:00:00Z [--worker ID] [--stage NAME]';

type Replay = {
  table: TableName;
  /** The name of the table in AWS. */
  name: string;
  sinceMs: number;
  /** Workers of this table. */
  workers: readonly Worker[];
};

/**
 * @param send gets the notices of each page
 * @returns the number of notices by worker
 */
export async function replay(
  client: Pick<DynamoDBDocumentClient, 'send'>,
  { table, name, sinceMs, workers }: Replay,
  send: (workerId: string, notices: readonly Notice[]) => Promise<unknown>,
): Promise<Map<string, number>> {
  const counts = new Map(workers.map(({ id }) => [id, 0]));
  let start: Record<string, unknown> | undefined;
  do {
    const page = new ScanCommand({ TableName: name, ConsistentRead: true, ExclusiveStartKey: start });
    const { Items = [], LastEvaluatedKey } = await client.send(page);
    const changed = (Items as Item[]).filter((item) => changedAtMs(item) >= sinceMs);
    for (const worker of workers) {
      const notices = changed.flatMap((item) => noticeAbout(worker, table, item) ?? []);
      if (notices.length === 0) continue;
      await send(worker.id, notices);
      counts.set(worker.id, (counts.get(worker.id) ?? 0) + notices.length);
    }
    start = LastEvaluatedKey;
  } while (start);
  return counts;
}

/** The time in the id of the call that changed the item. An item without a stamp may have changed now. */
const changedAtMs = ({ changedIn }: Item): number =>
  typeof changedIn === 'string' ? timeOfId(changedIn) : Number.POSITIVE_INFINITY;

/** What the item was before is unknown, so a worker gets it if it would want it as a new item, or as any change. */
function noticeAbout(worker: Worker, table: TableName, item: Item): Notice | undefined {
  const changedMs = changedAtMs(item);
  for (const kind of ['INSERT', 'MODIFY'] as const) {
    const change: Change = {
      table,
      kind,
      ...placeOf(String(item.tenant)),
      id: item.id,
      atMs: Number.isFinite(changedMs) ? Math.floor(changedMs / secondMs) * secondMs : 0,
      ...stampOf(item),
      sequence: '',
      before: undefined,
      after: item,
    };
    const notice = worker.wants(change) ? noticeFor(worker, change) : undefined;
    if (notice) return notice;
  }
  return undefined;
}

async function settings(): Promise<Replay & { stage: string }> {
  const string = { type: 'string' } as const;
  const options = { table: string, since: string, worker: string, stage: string };
  const { table: name, since, worker, stage = 'dev' } = readOptions(options, usage);
  if (!name || !since) throw new UsageError(usage);
  const sinceMs = readTime('--since', since, usage);
  const { table } = await findStage([name]);
  const readers = allWorkers.filter(({ sources }) => sources.includes(table));
  const workers = worker ? readers.filter(({ id }) => id === worker) : readers;
  if (workers.length === 0) {
    const known = readers.map(({ id }) => id).join(', ') || 'none';
    throw new UsageError(`${worker ?? 'No worker'} reads no changes of ${table}. Workers that do: ${known}.`);
  }
  return { table, name, sinceMs, workers, stage };
}

async function main(): Promise<void> {
  const { stage, ...wanted } = await settings();
  const queues = new SQSClient({});
  const urls = new Map<string, string>();
  for (const { id } of wanted.workers) urls.set(id, await urlOfQueue(queues, queueName(stage, id)));
  const counts = await replay(DynamoDBDocumentClient.from(new DynamoDBClient({})), wanted, (id, notices) =>
    sendNotices(queues, urls.get(id) ?? '', notices),
  );
  for (const [worker, count] of counts) console.log(`${count} notices sent to ${worker}.`);
}

if (import.meta.main) await runCommand(main, explainMistake);
