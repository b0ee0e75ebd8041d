/**
 * Gives every test file its own database. So a test that reads whole tables reads only its own data, stream readers
 * skip nothing, and files do not wait for each other: DynamoDB Local does one thing at a time per database, and writes
 * get slower with the number of streams.
 */

import { randomUUID } from 'node:crypto';
import {
  DeleteTableCommand,
  DynamoDBClient,
  type DynamoDBClientConfig,
  ListTablesCommand,
} from '@aws-sdk/client-dynamodb';
import { type TableName, tableNames, tableVariables } from '../lib/dynamodb/tables.ts';
import { machineKey, secretsKeyVariable } from '../lib/runtime/secret-box.ts';
import { createTable, enableStream, localCredentials, localKeyStart } from '../scripts/local/dynamodb.ts';

const prefix = 'test';

/** DynamoDB Local has one database per access key. */
let accessKeyId = '';
let endpoint = '';

/** A machine's own key, as the dev server has one. */
export const localSecrets = { [secretsKeyVariable]: machineKey(Buffer.alloc(32, 7).toString('base64')) };

/** @returns the settings for this file's database */
export const localSettings = () => ({
  ...localCredentials,
  ...localSecrets,
  AWS_ACCESS_KEY_ID: accessKeyId,
  AWS_ENDPOINT_URL_DYNAMODB: endpoint,
});

/**
 * A signer for clients of this file's database. DynamoDB Local reads the key and the region from a signature, and does not check it.
 * A real one takes a tenth of a call.
 */
export function unsigned(): { signer: NonNullable<DynamoDBClientConfig['signer']> } {
  const authorization =
    `AWS4-HMAC-SHA256 Credential=${accessKeyId}/20260101/${localCredentials.AWS_REGION}/dynamodb/aws4_request, ` +
    'SignedHeaders=host, Signature=0';
  const sign = async <Request extends { headers: Record<string, string> }>(request: Request) => {
    request.headers.authorization = authorization;
    return request;
  };
  return { signer: { sign } };
}

/** @returns the names of the tables, as in a function's environment */
export const testTables = (): Record<string, string> => tableVariables(prefix);

type Database = { endpoint: string; accessKeyId: string };

/** @returns a database of its own, without tables, at this address of DynamoDB Local */
export const newDatabase = (endpoint: string): Database => ({
  endpoint,
  accessKeyId: `${localKeyStart}${randomUUID().replaceAll('-', '')}`,
});

/** The streams of this file's database. */
let streams = new Map<TableName, Promise<void>>();

/**
 * Creates tables without streams, because a stream makes each write slower. Expired items stay, because the times of some tests
 * are in the past.
 */
export async function createTestTables(client: DynamoDBClient, prefix: string): Promise<void> {
  await Promise.all(tableNames.map((table) => createTable(client, prefix, table)));
}

/**
 * Creates the tables of a test file, in a database of its own.
 * @param at the address of DynamoDB Local
 */
export async function openTables(at: string): Promise<void> {
  ({ endpoint, accessKeyId } = newDatabase(at));
  streams = new Map();
  Object.assign(process.env, localSettings());
  await withClient((client) => createTestTables(client, prefix));
}

/** Opens the streams of these tables, for the changes from now on. */
export async function openStreams(names: readonly TableName[]): Promise<void> {
  await withClient((client) =>
    Promise.all(
      names.map((table) => {
        const opening = streams.get(table) ?? enableStream(client, prefix, table);
        streams.set(table, opening);
        return opening;
      }),
    ),
  );
}

async function withClient(use: (client: DynamoDBClient) => Promise<unknown>): Promise<void> {
  const client = new DynamoDBClient(unsigned());
  await use(client);
  client.destroy();
}

export const closeTables = (): Promise<void> => removeTables({ endpoint, accessKeyId });

/** DynamoDB Local keeps the tables of a database in memory until they are removed. */
export async function removeTables(database: Database): Promise<void> {
  const credentials = { accessKeyId: database.accessKeyId, secretAccessKey: 'local' };
  const region = localCredentials.AWS_REGION;
  const client = new DynamoDBClient({ endpoint: database.endpoint, region, credentials });
  const { TableNames = [] } = await client.send(new ListTablesCommand({}));
  await Promise.all(TableNames.map((TableName) => client.send(new DeleteTableCommand({ TableName }))));
  client.destroy();
}
