/**
 * `npm run upgrade`: rewrites the items that earlier versions of the service have stored, so that they have all attributes of
 * items of this version. `npm run replay` does not fit: it sends items to workers, and rewrites none. The operator runs this script,
 * with AWS credentials, before the deploy of this version and after a restore (docs/runbook.md, docs/restore.md).
 *
 *   npm run upgrade -- --stage prod                                     all tables of the stage
 *   npm run upgrade -- --table PlatformApi-prod-projects-restored       one table, of a stage or restored
 *
 * It reads the tables completely. It may run while the API is open, and may be interrupted and repeated: items that are complete
 * stay as they are.
 */

import { isDeepStrictEqual } from 'node:util';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, GetCommand, ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { inBatches } from '../lib/base/batches.ts';
import { tableNames as allTables, type TableName } from '../lib/dynamodb/tables.ts';
import type { Item } from '../lib/dynamodb/write.ts';
import { explainMissingStage, openStage } from './organisations/stage.ts';
import { explainMistake } from './shared/mistakes.ts';
import { readOptions, runCommand, UsageError } from './shared/options.ts';
import { ruleOf, upgradedTables } from './upgrade/rules.ts';

const usage = 'Usage: npm run upgrade -- --stage NAME | --table NAME';

async function main(): Promise<void> {
  const { stage, table } = readOptions({ stage: { type: 'string' }, table: { type: 'string' } }, usage);
  if ((stage === undefined) === (table === undefined)) throw new UsageError(usage);
  const runtime = openStage(stage ?? 'dev');
  const names =
    table === undefined
      ? upgradedTables.map((one) => [one, runtime.tableNames[one] ?? ''] as const)
      : [[tableIn(table), table] as const];
  for (const [one, name] of names) {
    const { read, rewritten } = await upgradeTable(runtime.client, {
      table: one,
      name,
      note: console.log,
    }).catch((error: unknown) => {
      throw explainMissingStage(error, runtime);
    });
    console.log(`${name}: ${rewritten} of ${read} items rewritten`);
  }
}

/** @param name of a table of a stage, or of one that is restored beside it */
function tableIn(name: string): TableName {
  const found = allTables.find((table) => name.replace(/-restored$/, '').endsWith(`-${table}`));
  if (!found) throw new UsageError(`${name} is not a table of a stage. ${usage}`);
  return found;
}

const atOnce = 50;

type Client = Pick<DynamoDBDocumentClient, 'send'>;

/**
 * Rewrites the items of earlier versions in a table. A rewrite keeps the stamps of an item, so it is no change of a resource: it
 * is in no log, and causes no event. A concurrent change wins.
 * @param name of the table in AWS
 * @param note gets lines about rewritten items
 * @returns the numbers of items: read, and rewritten. A repeated call rewrites nothing
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
export const missingIn = (table: TableName, item: Item): Record<string, unknown> =>
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

if (import.meta.main) await runCommand(main, explainMistake);
