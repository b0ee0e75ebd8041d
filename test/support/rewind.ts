/** Puts back what was stored, for tests that begin many times in the same state: the requests that make it take longer. */

import { isDeepStrictEqual } from 'node:util';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { inBatches, split } from '../../lib/base/batches.ts';
import { type TableName, tableNames } from '../../lib/dynamodb/tables.ts';
import { type Json, storedOf, type TestApi, testRuntime } from '../../samples/api.ts';

const keyOf = ({ tenant, id }: Json) => `${tenant} ${id}`;

/**
 * Reads everything that the API's organisation has stored now.
 * @returns a function that puts it back, and removes what was stored since
 */
export async function remember({
  organisationId,
}: Pick<TestApi, 'organisationId'>): Promise<() => Promise<void>> {
  // The test may count or interrupt the calls of its own client.
  const runtime = testRuntime();
  const read = (table: TableName) => storedOf({ organisationId, runtime }, table);
  const remembered = await Promise.all(tableNames.map(async (table) => [table, await read(table)] as const));

  async function restore(table: TableName, before: readonly Json[]): Promise<void> {
    const now = new Map((await read(table)).map((item) => [keyOf(item), item]));
    const puts = before
      .filter((item) => !isDeepStrictEqual(now.get(keyOf(item)), item))
      .map((Item) => ({ PutRequest: { Item } }));
    for (const item of before) now.delete(keyOf(item));
    const deletions = [...now.values()].map(({ tenant, id }) => ({ DeleteRequest: { Key: { tenant, id } } }));
    await inBatches(split([...puts, ...deletions], 25), 4, (batch) =>
      runtime.client.send(
        new BatchWriteCommand({ RequestItems: { [runtime.tableNames[table] ?? table]: batch } }),
      ),
    );
  }
  return async () => {
    await Promise.all(remembered.map(([table, items]) => restore(table, items)));
  };
}
