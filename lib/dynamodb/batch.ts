/**
 * Many items are written, each on its own, without conditions, stamps or a transaction. This is for items that can be created
 * again from other items, in tables without a stream, and for purges, which have a record of their own.
 */

import { BatchWriteCommand, type BatchWriteCommandInput, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { inBatches, split } from '../base/batches.ts';
import { again, retry } from '../base/retry.ts';
import type { Session } from './session.ts';
import type { TableName } from './tables.ts';
import { isTransient, Unprocessed } from './transient.ts';
import { updateExpression, type Write } from './write.ts';

const maxBatch = 25;
const batchesAtOnce = 4;
/** BatchWriteItem cannot update, so each update is a call. */
const updatesAtOnce = 25;
const maxAttempts = 8;
const firstPauseMs = 50;
/** A worker holds its place meanwhile. */
const maxPauseMs = 2000;

type Requests = NonNullable<BatchWriteCommandInput['RequestItems']>[string];
type Update = Extract<Write, { action: 'UpdateItem' }>;

type Outside = {
  sleep: (ms: number) => Promise<unknown>;
  /** Stops the calls that are under way, and starts no further calls. */
  signal?: AbortSignal | undefined;
};

/**
 * @param writes puts, updates and deletes without conditions, at most one per item
 * @throws Error if DynamoDB fails, repeatedly omits writes, or if it was stopped. The other writes may have succeeded.
 *   No write is under way any more
 */
export async function writeEach(session: Session, writes: readonly Write[], outside: Outside): Promise<void> {
  const isUpdate = (write: Write): write is Update => write.action === 'UpdateItem';
  await inBatches(writes.filter(isUpdate), updatesAtOnce, (write) => updateItem(session, write, outside));
  const putsAndDeletes = writes.filter((write) => !isUpdate(write));
  for (const [table, tableWrites] of Map.groupBy(putsAndDeletes, (write) => write.table)) {
    await inBatches(split(tableWrites.map(batchRequest), maxBatch), batchesAtOnce, (batch) =>
      writeBatch(session, table, batch, outside),
    );
  }
}

async function writeBatch(session: Session, table: TableName, batch: Requests, outside: Outside) {
  const name = session.tableName(table);
  let requests = batch;
  await insist(outside, async (options) => {
    const command = new BatchWriteCommand({
      RequestItems: { [name]: requests },
      ReturnConsumedCapacity: 'TOTAL',
    });
    const output = await session.run([[table, 'BatchWriteItem']], (client) => client.send(command, options));
    requests = output.UnprocessedItems?.[name] ?? [];
    return requests.length === 0;
  });
}

async function updateItem(session: Session, write: Update, outside: Outside) {
  assertUnconditional(write);
  const { table, key, attributes } = write;
  const command = new UpdateCommand({
    TableName: session.tableName(table),
    Key: key,
    ...updateExpression(attributes, write),
    ReturnConsumedCapacity: 'TOTAL',
  });
  await insist(outside, async (options) => {
    try {
      await session.run([[table, 'UpdateItem']], (client) => client.send(command, options));
      return true;
    } catch (error) {
      if (outside.signal?.aborted || !isTransient(error)) throw error;
      return false;
    }
  });
}

/** @throws Error if the attempts do not succeed, or if they were stopped */
async function insist(
  { sleep, signal }: Outside,
  attempt: (options: { abortSignal?: AbortSignal }) => Promise<boolean>,
): Promise<void> {
  const once = async () => {
    signal?.throwIfAborted();
    return (await attempt(signal ? { abortSignal: signal } : {})) ? undefined : again;
  };
  await retry(once, {
    maxAttempts,
    failure: () => new Unprocessed(),
    pause: (count) => sleep(Math.min(firstPauseMs * 2 ** (count - 1), maxPauseMs)),
  });
}

/** @throws Error for a write with a condition */
function batchRequest(write: Write): Requests[number] {
  assertUnconditional(write);
  if (write.action === 'PutItem') return { PutRequest: { Item: { ...write.attributes, ...write.key } } };
  if (write.action === 'DeleteItem') return { DeleteRequest: { Key: write.key } };
  throw new Error(`BatchWriteItem cannot do ${write.action}`);
}

function assertUnconditional({ action, condition }: Write): void {
  if (condition.kind !== 'any') throw new Error(`${action} has the condition "${condition.kind}"`);
}
