/** Reads everything that the streams of this file's database remember. */

import { type AttributeValue, DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { inject } from 'vitest';
import type { ItemChange } from '../../lib/dynamodb/resource-changes.ts';
import { type TableName, tableNames, tables } from '../../lib/dynamodb/tables.ts';
import type { Item } from '../../lib/dynamodb/write.ts';
import { localSettings, openStreams } from '../../samples/tables.ts';
import { ask as askStreams } from '../../scripts/local/streams.ts';

type Shards = { StreamDescription: { Shards: { ShardId: string }[] } };
type Records = { Records: DynamoDBRecord[]; NextShardIterator?: string };

const ask = <Answer>(action: string, input: object) =>
  askStreams<Answer>(inject('dynamodbEndpoint'), action, input, localSettings());

const readImage = (image: object | undefined): Item | undefined =>
  image && (unmarshall(image as Record<string, AttributeValue>) as Item);

/** @returns all changes of the table since its stream was opened */
async function changesOf(table: TableName, TableName: string | undefined): Promise<ItemChange[]> {
  const { Table } = await new DynamoDBClient({}).send(new DescribeTableCommand({ TableName }));
  const StreamArn = Table?.LatestStreamArn;
  const { StreamDescription } = await ask<Shards>('DescribeStream', { StreamArn });
  const changes: ItemChange[] = [];
  for (const { ShardId } of StreamDescription.Shards) {
    const start = { StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' };
    let { ShardIterator } = await ask<{ ShardIterator?: string }>('GetShardIterator', start);
    while (ShardIterator) {
      const page: Records = await ask('GetRecords', { ShardIterator, Limit: 1000 });
      for (const { dynamodb } of page.Records) {
        const [before, after] = [dynamodb?.OldImage, dynamodb?.NewImage].map(readImage);
        changes.push({ table, before, after });
      }
      // An open shard has no end.
      ShardIterator = page.Records.length > 0 ? page.NextShardIterator : undefined;
    }
  }
  return changes;
}

const streamed = tableNames.filter((table) => tables[table].stream);

export const openAllStreams = (): Promise<void> => openStreams(streamed);

/** @param names the names of the tables */
export async function allChanges(names: Readonly<Partial<Record<TableName, string>>>): Promise<ItemChange[]> {
  return (await Promise.all(streamed.map((table) => changesOf(table, names[table])))).flat();
}
