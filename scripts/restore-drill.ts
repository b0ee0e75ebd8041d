/**
 * `npm run restore-drill`: shows that the tables of a stage can be restored. It restores each to the latest second, into a copy,
 * compares the copy with the table, and removes the copy. It only reads the tables. Run by the operator or a schedule, with AWS
 * credentials.
 *
 *   npm run restore-drill -- --stage prod                           the tables of keys and projects
 *   npm run restore-drill -- --stage prod --tables messages,audit   others
 *   npm run restore-drill -- --stage prod --at 2026-03-01T09:30Z    to a second
 *
 * It exits with 1 if a copy lacks what its table has. It may be interrupted: the next run removes what is left.
 */

import { isDeepStrictEqual } from 'node:util';
import {
  DeleteTableCommand,
  DynamoDBClient,
  ResourceNotFoundException,
  RestoreTableToPointInTimeCommand,
  waitUntilTableExists,
  waitUntilTableNotExists,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { stackName } from '../infra/names.ts';
import { inBatches } from '../lib/base/batches.ts';
import {
  partitionKey,
  sortKey,
  type TableDefinition,
  type TableName,
  tableNameIn,
  tableNames,
  tables,
} from '../lib/dynamodb/tables.ts';
import type { Item } from '../lib/dynamodb/write.ts';
import { explainMistake } from './shared/mistakes.ts';
import { readOptions, readTime, runCommand, UsageError } from './shared/options.ts';

const usage = 'Usage: npm run restore-drill -- [--stage NAME] [--tables NAME,…] [--at TIME]';
const defaultTables: readonly TableName[] = ['organisations', 'apiKeys', 'projects'];
/** How many items of each table are compared. */
const sampleSize = 1000;
const readsAtOnce = 25;
const maxWaitTime = 4 * 3600;
/** A copy is old by minutes, in which items appear, change and end. This many of a hundred must be in it. */
const minPresentPercent = 90;

type Drill = { table: TableName; sampled: number; present: number; same: number; seconds: number };

export const isGood = ({ sampled, present }: Drill): boolean => present * 100 >= sampled * minPresentPercent;

/**
 * Restores a table into a copy, compares, and removes the copy, also after a failure.
 * @param prefix of the names of the stage's tables
 * @param at undefined: the latest second
 */
export async function practise(
  client: DynamoDBClient,
  { prefix, table, at }: { prefix: string; table: TableName; at: Date | undefined },
): Promise<Drill> {
  const live = tableNameIn(prefix, table);
  const copy = `${live}-drill`;
  const startedMs = performance.now();
  await removeCopy(client, copy);
  try {
    await client.send(
      new RestoreTableToPointInTimeCommand({
        SourceTableName: live,
        TargetTableName: copy,
        ...(at ? { RestoreDateTime: at } : { UseLatestRestorableTime: true }),
      }),
    );
    await waitUntilTableExists({ client, maxWaitTime }, { TableName: copy });
    const seconds = Math.round((performance.now() - startedMs) / 1000);
    return { table, seconds, ...(await compare(client, live, copy)) };
  } finally {
    await removeCopy(client, copy);
  }
}

async function removeCopy(client: DynamoDBClient, TableName: string): Promise<void> {
  try {
    await client.send(new DeleteTableCommand({ TableName }));
    await waitUntilTableNotExists({ client, maxWaitTime }, { TableName });
  } catch (error) {
    if (!(error instanceof ResourceNotFoundException)) throw error;
  }
}

/** @returns how many items of a sample of the table are in the copy, and how many of these have not changed since */
async function compare(client: DynamoDBClient, live: string, copy: string) {
  const documents = DynamoDBDocumentClient.from(client);
  const sample: Item[] = [];
  let start: Record<string, unknown> | undefined;
  do {
    const page = { TableName: live, Limit: sampleSize - sample.length, ExclusiveStartKey: start };
    const { Items = [], LastEvaluatedKey } = await documents.send(new ScanCommand(page));
    sample.push(...(Items as Item[]));
    start = LastEvaluatedKey;
  } while (start && sample.length < sampleSize);
  const found = await inBatches(sample, readsAtOnce, async (item) => {
    const Key = { [partitionKey]: item[partitionKey], [sortKey]: item[sortKey] };
    const { Item } = await documents.send(new GetCommand({ TableName: copy, Key }));
    return { isPresent: Item !== undefined, isSame: isDeepStrictEqual(Item, item) };
  });
  return {
    sampled: sample.length,
    present: found.filter(({ isPresent }) => isPresent).length,
    same: found.filter(({ isSame }) => isSame).length,
  };
}

const lineOf = (drill: Drill): string =>
  `${drill.table}: restored in ${drill.seconds} s; ${drill.present} of ${drill.sampled} sampled items are in the copy, ` +
  `${drill.same} unchanged${isGood(drill) ? '' : '. TOO FEW'}`;

function settings() {
  const string = { type: 'string' } as const;
  const given = readOptions({ stage: string, tables: string, at: string }, usage);
  const at = given.at === undefined ? undefined : new Date(readTime('--at', given.at, usage));
  const wanted = given.tables?.split(',') ?? defaultTables;
  const restorable = tableNames.filter((name) => (tables[name] as TableDefinition).backups !== false);
  return {
    stage: given.stage ?? 'dev',
    at,
    chosen: wanted.map((name) => {
      const table = restorable.find((known) => known === name);
      if (!table)
        throw new UsageError(`No table ${name}. Those with backups: ${restorable.join(', ')}\n${usage}`);
      return table;
    }),
  };
}

async function main(): Promise<void> {
  const { stage, at, chosen } = settings();
  const client = new DynamoDBClient({});
  for (const table of chosen) {
    const drill = await practise(client, { prefix: stackName(stage), table, at });
    console.log(lineOf(drill));
    if (!isGood(drill)) process.exitCode = 1;
  }
}

if (import.meta.main) await runCommand(main, explainMistake);
