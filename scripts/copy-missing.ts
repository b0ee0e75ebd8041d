/**
 * `npm run copy-missing`: puts back from a restored table what another one lacks. What is there stays as it is, so a key
 * that was revoked since stays revoked.
 *
 *   npm run copy-missing -- --from NAME --to NAME                       everything
 *   npm run copy-missing -- --from NAME --to NAME --tenant org_…#live   one partition
 */

import { parseArgs } from 'node:util';
import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DynamoDBClient,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { partitionKey, sortKey } from '../lib/store/tables.ts';
import { mistakeOf } from './aws/mistakes.ts';

export type Copy = { from: string; to: string; tenant?: string | undefined };

type StoredItem = Record<string, AttributeValue>;

const atOnce = 25;

/** @returns how many items were copied, and how many were there already */
export async function copyMissing(client: DynamoDBClient, { from, to, tenant }: Copy) {
  const counts = { copied: 0, present: 0 };
  let start: StoredItem | undefined;
  do {
    const page = { TableName: from, ConsistentRead: true, Limit: 500, ExclusiveStartKey: start };
    const { Items = [], LastEvaluatedKey } = await client.send(
      tenant === undefined ? new ScanCommand(page) : new QueryCommand({ ...page, ...partition(tenant) }),
    );
    for (let index = 0; index < Items.length; index += atOnce) {
      const puts = Items.slice(index, index + atOnce).map((item) => putIfMissing(client, to, item));
      for (const outcome of await Promise.all(puts)) counts[outcome] += 1;
    }
    start = LastEvaluatedKey;
  } while (start);
  return counts;
}

const partition = (tenant: string) => ({
  KeyConditionExpression: '#tenant = :tenant',
  ExpressionAttributeNames: { '#tenant': partitionKey },
  ExpressionAttributeValues: { ':tenant': { S: tenant } },
});

async function putIfMissing(client: DynamoDBClient, table: string, item: StoredItem) {
  try {
    await client.send(
      new PutItemCommand({
        TableName: table,
        Item: item,
        ConditionExpression: 'attribute_not_exists(#id)',
        ExpressionAttributeNames: { '#id': sortKey },
      }),
    );
    return 'copied';
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return 'present';
    throw error;
  }
}

async function main(): Promise<void> {
  const string = { type: 'string' } as const;
  const { from, to, tenant } = parseArgs({ options: { from: string, to: string, tenant: string } }).values;
  if (!from || !to || from === to) throw new Error('Usage: --from NAME --to NAME [--tenant org_…#live]');
  const { copied, present } = await copyMissing(new DynamoDBClient({}), { from, to, tenant });
  console.log(`${copied} copied, ${present} were there.`);
}

if (import.meta.main) {
  main().catch((error: Error) => {
    console.error(mistakeOf(error) ?? error.message);
    process.exit(1);
  });
}
