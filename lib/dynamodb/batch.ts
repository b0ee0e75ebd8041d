/**
 * Writes many items in batches, without conditions, stamps or a transaction. For items that can be created again from
 * others, in tables without a stream, and for purges, which have their own record.
 */

import { BatchWriteCommand, type BatchWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { inBatches, split } from '../batches.ts';
import { again, retry } from '../retry.ts';
import type { Session } from './session.ts';
import type { TableName } from './tables.ts';
import { Unprocessed } from './transient.ts';
import type { Write } from './write.ts';

/** BatchWriteItem's limit. */
const maxBatch = 25;
const batchesAtOnce = 4;
const maxAttempts = 8;
const firstPauseMs = 50;

type Requests = NonNullable<BatchWriteCommandInput['RequestItems']>[string];

/**
 * @param writes puts and deletes without conditions, at most one per item
 * @throws Error if DynamoDB fails, or repeatedly omits writes. The other writes may have succeeded
 */
export async function writeEach(
  session: Session,
  writes: readonly Write[],
  sleep: (ms: number) => Promise<unknown>,
): Promise<void> {
  for (const [table, inTable] of Map.groupBy(writes, (write) => write.table)) {
    await inBatches(split(inTable.map(batchRequest), maxBatch), batchesAtOnce, (batch) =>
      writeBatch(session, table, batch, sleep),
    );
  }
}

async function writeBatch(
  session: Session,
  table: TableName,
  batch: Requests,
  sleep: (ms: number) => Promise<unknown>,
): Promise<void> {
  const name = session.tableName(table);
  let left = batch;
  const attempt = async () => {
    const command = new BatchWriteCommand({
      RequestItems: { [name]: left },
      ReturnConsumedCapacity: 'TOTAL',
    });
    const output = await session.run([[table, 'BatchWriteItem']], (client) => client.send(command));
    left = output.UnprocessedItems?.[name] ?? [];
    return left.length > 0 ? again : undefined;
  };
  await retry(attempt, {
    maxAttempts,
    failure: () => new Unprocessed(),
    pause: (count) => sleep(firstPauseMs * 2 ** (count - 1)),
  });
}

/** @throws Error for a write with a condition */
function batchRequest(write: Write): Requests[number] {
  if (write.condition.kind === 'any') {
    if (write.action === 'PutItem') return { PutRequest: { Item: { ...write.attributes, ...write.key } } };
    if (write.action === 'DeleteItem') return { DeleteRequest: { Key: write.key } };
  }
  throw new Error(`BatchWriteItem cannot do ${write.action} with the condition "${write.condition.kind}"`);
}
