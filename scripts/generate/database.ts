/** DynamoDB Local, for the parts that send requests. */

import { openTables } from '../../test/support/tables.ts';
import { type LocalDynamoDb, startDynamoDb } from '../local/dynamodb.ts';

let running: Promise<LocalDynamoDb> | undefined;

/** Opens empty tables. The parts share the process of the database, which runs until {@link stopDatabase}. */
export async function openDatabase(): Promise<void> {
  running ??= startDynamoDb({ sharedDb: false });
  const { endpoint } = await running;
  await openTables(endpoint);
}

export const stopDatabase = async (): Promise<void> => (await running)?.stop();
