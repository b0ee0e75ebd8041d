/**
 * Many writes that need not be one: in batches, each write by itself, without conditions. Nor have they stamps: it is for
 * what can be made again from something else, in a table without a stream, and for purges, which have a record.
 */

import { BatchWriteCommand, type BatchWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Session } from './session.ts';
import type { TableName } from './tables.ts';
import type { Write } from './write.ts';

/** BatchWriteItem takes at most so many. */
const maxBatch = 25;
const batchesAtOnce = 4;
const maxTries = 8;
const firstPauseMs = 50;

type Requests = NonNullable<BatchWriteCommandInput['RequestItems']>[string];

/** DynamoDB keeps leaving writes out, which it does when it is throttled. */
class Unprocessed extends Error {
  override readonly name = 'ThrottlingException';
}

/**
 * @param writes puts and removals without a condition, no two of one item
 * @throws Error when DynamoDB fails or leaves some out again and again; others may be written
 */
export async function writeEach(
  session: Session,
  writes: readonly Write[],
  sleep: (ms: number) => Promise<unknown>,
): Promise<void> {
  const byTable = Map.groupBy(writes, ({ table }) => table);
  for (const [table, those] of byTable) {
    const requests = those.map(requestOf);
    const batches = Array.from({ length: Math.ceil(requests.length / maxBatch) }, (_, index) =>
      requests.slice(index * maxBatch, (index + 1) * maxBatch),
    );
    for (let start = 0; start < batches.length; start += batchesAtOnce) {
      const some = batches.slice(start, start + batchesAtOnce);
      await Promise.all(some.map((batch) => writeBatch(session, table, batch, sleep)));
    }
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
  for (let attempt = 0; ; attempt += 1) {
    const command = new BatchWriteCommand({
      RequestItems: { [name]: left },
      ReturnConsumedCapacity: 'TOTAL',
    });
    const output = await session.run([[table, 'BatchWriteItem']], (client) => client.send(command));
    left = output.UnprocessedItems?.[name] ?? [];
    if (left.length === 0) return;
    if (attempt + 1 === maxTries) throw new Unprocessed();
    await sleep(firstPauseMs * 2 ** attempt);
  }
}

/** @throws Error for a write that has a condition: a batch has none */
function requestOf(write: Write): Requests[number] {
  if (write.condition.kind === 'any') {
    if (write.action === 'PutItem') return { PutRequest: { Item: { ...write.attributes, ...write.key } } };
    if (write.action === 'DeleteItem') return { DeleteRequest: { Key: write.key } };
  }
  throw new Error(`${write.action} with the condition "${write.condition.kind}" fits into no batch`);
}
