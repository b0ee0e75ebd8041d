/**
 * Rewrites the items of earlier versions in a table. A rewrite keeps the stamps of an item, so it is no change of a resource: it
 * is in no log, and causes no event. It may run while the API is open: a concurrent change wins.
 */

import { isDeepStrictEqual } from 'node:util';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, GetCommand, ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { inBatches } from '../../lib/base/batches.ts';
import type { TableName } from '../../lib/dynamodb/tables.ts';
import type { Item } from '../../lib/dynamodb/write.ts';
import { ruleOf, upgradedTables } from './rules.ts';

const atOnce = 50;

type Client = Pick<DynamoDBDocumentClient, 'send'>;

/**
 * @param name of the table in AWS
 * @param note gets lines about rewritten items
 * @returns the numbers of items: read, and rewritten. Repeated, it rewrites nothing
 */
export async function upgradeTable(
  client: Client,
  { table, name, note }: { table: TableName; name: string; note: (line: string) => void },
): Promise<{ read: number; rewritten: number }> {
  const counts = { read: 0, rewritten: 0 };
  if (!upgradedTables.includes(table)) return counts;
  let start: Record<string, unknown> | undefined;
  do {
    const page = new ScanCommand({ TableName: name, ConsistentRead: true, ExclusiveStartKey: start });
    const { Items = [], LastEvaluatedKey } = await client.send(page);
    await inBatches(Items as Item[], atOnce, async (item) => {
      counts.read += 1;
      if (!(await rewrite(client, table, name, item))) return;
      counts.rewritten += 1;
      const line = ruleOf(table, item)?.note?.(item);
      if (line !== undefined) note(line);
    });
    start = LastEvaluatedKey;
  } while (start);
  return counts;
}

/** @returns the attributes that the item lacks, or has in another form */
const missingIn = (table: TableName, item: Item): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(ruleOf(table, item)?.upgrade(item) ?? {}).filter(
      ([name, value]) => !isDeepStrictEqual(item[name], value),
    ),
  );

/** @returns whether it had to be rewritten */
async function rewrite(client: Client, table: TableName, name: string, read: Item): Promise<boolean> {
  let item: Item | undefined = read;
  while (item) {
    const changes = missingIn(table, item);
    if (Object.keys(changes).length === 0) return false;
    if (await isWritten(client, name, item, changes)) return true;
    const { tenant, id }: Item = item;
    const get = new GetCommand({ TableName: name, Key: { tenant, id }, ConsistentRead: true });
    item = (await client.send(get)).Item as Item | undefined;
  }
  return false;
}

/** Writes the attributes, if the item exists and has them and its stamp as they were read. */
async function isWritten(
  client: Client,
  name: string,
  item: Item,
  changes: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  const names: Record<string, string> = { '#id': 'id' };
  const values: Record<string, unknown> = {};
  const conditions = ['attribute_exists(#id)'];
  for (const [index, attribute] of ['changedIn', ...Object.keys(changes)].entries()) {
    names[`#a${index}`] = attribute;
    const before = item[attribute];
    if (before !== undefined) values[`:before${index}`] = before;
    conditions.push(
      before === undefined ? `attribute_not_exists(#a${index})` : `#a${index} = :before${index}`,
    );
  }
  const sets = Object.values(changes).map((value, index) => {
    values[`:after${index + 1}`] = value;
    return `#a${index + 1} = :after${index + 1}`;
  });
  try {
    await client.send(
      new UpdateCommand({
        TableName: name,
        Key: { tenant: item.tenant, id: item.id },
        UpdateExpression: `SET ${sets.join(', ')}`,
        ConditionExpression: conditions.join(' AND '),
        ExpressionAttributeNames: names,
        ExpressionAttributeValues: values,
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}
