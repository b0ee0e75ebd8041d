/**
 * A database of its own for every test file. So a test that reads whole tables reads what its own file has stored, followers
 * of streams pass over nothing of others, and files do not wait for each other: DynamoDB Local does one thing at a time in
 * a database, and each write takes the longer the more streams the database has or had.
 */

import { randomUUID } from 'node:crypto';
import { DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { inject } from 'vitest';
import { createTables, localCredentials, tableVariables } from '../../scripts/local/dynamodb.ts';

const prefix = 'test';

/** DynamoDB Local has a database for each access key. */
let accessKeyId = '';

/** @returns what reaches this file's database */
export const localSettings = () => ({
  ...localCredentials,
  AWS_ACCESS_KEY_ID: accessKeyId,
  AWS_ENDPOINT_URL_DYNAMODB: inject('dynamodbEndpoint'),
});

/** @returns the names of the tables, as a function would have them in its environment */
export const testTables = (): Record<string, string> => tableVariables(prefix);

export async function openTables(): Promise<void> {
  accessKeyId = `local${randomUUID().replaceAll('-', '')}`;
  Object.assign(process.env, localSettings());
  const client = new DynamoDBClient({});
  await createTables(client, prefix);
  client.destroy();
}

export async function closeTables(): Promise<void> {
  const client = new DynamoDBClient({});
  const names = Object.values(testTables());
  await Promise.all(names.map((TableName) => client.send(new DeleteTableCommand({ TableName }))));
  client.destroy();
}
