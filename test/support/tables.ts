/**
 * Tables of its own for every test file. So a test that reads whole tables reads what its own file has stored, followers of
 * streams pass over nothing of others, and what is stored is gone when the file ends.
 */

import { randomUUID } from 'node:crypto';
import { DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { inject } from 'vitest';
import { tableNames, tables } from '../../lib/store/tables.ts';
import { createTables, localCredentials, tableVariables } from '../../scripts/local/dynamodb.ts';

let prefix = '';

/**
 * What reaches DynamoDB Local. It has a database for each access key, and does one thing at a time in a database: the
 * processes of a run have one each.
 */
export const localSettings = () => ({
  ...localCredentials,
  AWS_ACCESS_KEY_ID: `local${process.env.VITEST_POOL_ID ?? ''}`,
  AWS_ENDPOINT_URL_DYNAMODB: inject('dynamodbEndpoint'),
});

/** @returns the names of this file's tables, as a function would have them in its environment */
export const testTables = (): Record<string, string> => tableVariables(prefix);

export const testTableNames = (): Record<string, string> =>
  Object.fromEntries(tableNames.map((table) => [table, testTables()[tables[table].variable] ?? '']));

export async function openTables(): Promise<void> {
  prefix = `test-${randomUUID()}`;
  Object.assign(process.env, localSettings());
  const client = new DynamoDBClient({});
  await createTables(client, prefix);
  client.destroy();
}

export async function closeTables(): Promise<void> {
  const client = new DynamoDBClient({});
  const names = Object.values(testTableNames());
  await Promise.all(names.map((TableName) => client.send(new DeleteTableCommand({ TableName }))));
  client.destroy();
}
