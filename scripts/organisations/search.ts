/**
 * Finds everything that belongs to an organisation, in every table of lib/dynamodb/tables.ts. An item belongs to it if its key
 * names it: as its partition, or in the id of a due item in the table `schedule`. A test checks this for every kind of item.
 * Partitions cannot be found by the beginning of their name, so each search reads whole tables. No request does this.
 */

import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { partitionKey, sortKey, type TableName } from '../../lib/dynamodb/tables.ts';
import type { Item } from '../../lib/dynamodb/write.ts';
import type { BaseRuntime } from '../../lib/runtime/base-runtime.ts';

export type Position = Readonly<Record<string, unknown>> | undefined;

export type Found = {
  items: Item[];
  /** Where the search continues; undefined at the end. */
  next: Position;
};

type Options = {
  /** Continues from here. */
  from?: Position;
  /** Only the keys of the items. */
  keysOnly?: boolean;
  /** The most items that are read for a page. Default: 1 MB, which is DynamoDB's limit. */
  pageSize?: number | undefined;
};

/** Whether the key of an item names the organisation. */
export const belongsTo = (id: string, item: Pick<Item, 'tenant' | 'id'>): boolean =>
  item.tenant.includes(id) || item.id.includes(id);

/** @returns the organisation's items of a table, page by page, strongly consistent */
export async function* searchTable(
  { client, tableNames }: Pick<BaseRuntime, 'client' | 'tableNames'>,
  table: TableName,
  organisationId: string,
  { from, keysOnly = false, pageSize }: Options = {},
): AsyncGenerator<Found> {
  let next = from;
  do {
    const output = await client.send(
      new ScanCommand({
        TableName: tableNames[table],
        ConsistentRead: true,
        FilterExpression: 'contains(#tenant, :organisation) OR contains(#id, :organisation)',
        ExpressionAttributeNames: { '#tenant': partitionKey, '#id': sortKey },
        ExpressionAttributeValues: { ':organisation': organisationId },
        ...(keysOnly && { ProjectionExpression: '#tenant, #id' }),
        ...(pageSize !== undefined && { Limit: pageSize }),
        ...(next && { ExclusiveStartKey: next }),
      }),
    );
    next = output.LastEvaluatedKey;
    yield { items: (output.Items ?? []) as Item[], next };
  } while (next);
}
