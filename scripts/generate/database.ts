/** DynamoDB Local, for the parts that send requests. */

import { openTables } from '../../test/support/tables.ts';
import { startDynamoDb } from '../local/dynamodb.ts';

/** Runs the work with empty tables, and stops the database after it. */
export async function withDatabase<Result>(work: () => Promise<Result>): Promise<Result> {
  const database = await startDynamoDb({ sharedDb: false });
  try {
    await openTables(database.endpoint);
    return await work();
  } finally {
    await database.stop();
  }
}
