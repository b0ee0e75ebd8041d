/**
 * `npm run streams`: writes the streams of replaced tables into the settings of a stage, so that the next deploy points the
 * dispatcher's event sources to them. Run by the operator, with AWS credentials, after tables were replaced.
 *
 *   npm run streams                      the stage dev
 *   npm run streams -- --stage prod
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { dataStackName, stackName } from '../infra/names.ts';
import { streamOutput, type TableName, tableNameIn, tableNames, tables } from '../lib/dynamodb/tables.ts';
import { explainMistake } from './shared/mistakes.ts';
import { readOptions, runCommand, UsageError } from './shared/options.ts';
import { root } from './shared/root.ts';

type Streams = Partial<Record<TableName, string>>;

/**
 * @param current the ARN of each table's present stream
 * @param deployed the outputs of the stack with the tables, which are from the time when the tables were made
 * @returns the streams that the settings must name
 */
export const replacedStreams = (current: Streams, deployed: ReadonlyMap<string, string>): Streams =>
  Object.fromEntries(
    Object.entries(current).filter(([table, arn]) => deployed.get(streamOutput(table as TableName)) !== arn),
  );

async function currentStreams(stage: string): Promise<Streams> {
  const client = new DynamoDBClient({});
  const streamed = tableNames.filter((table) => tables[table].stream);
  const found = streamed.map(async (table) => {
    const TableName = tableNameIn(stackName(stage), table);
    const { Table } = await client.send(new DescribeTableCommand({ TableName }));
    if (!Table?.LatestStreamArn) throw new UsageError(`${TableName} has no stream. Enable it first.`);
    return [table, Table.LatestStreamArn];
  });
  return Object.fromEntries(await Promise.all(found));
}

async function outputsOf(stack: string): Promise<Map<string, string>> {
  const { Stacks } = await new CloudFormationClient({}).send(new DescribeStacksCommand({ StackName: stack }));
  const outputs = Stacks?.[0]?.Outputs ?? [];
  return new Map(outputs.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]));
}

async function main(): Promise<void> {
  const usage = 'Usage: npm run streams -- [--stage NAME]';
  const { stage = 'dev' } = readOptions({ stage: { type: 'string' } } as const, usage);
  const streams = replacedStreams(await currentStreams(stage), await outputsOf(dataStackName(stage)));
  const file = `stages/${stage}.json`;
  const settings = JSON.parse(readFileSync(resolve(root, file), 'utf8')) as { tables: object };
  const tablesSettings = { ...settings.tables, streams };
  writeFileSync(resolve(root, file), `${JSON.stringify({ ...settings, tables: tablesSettings }, null, 2)}\n`);
  console.log(`${Object.keys(streams).join(', ') || 'No'} replaced streams are in ${file}. Deploy now.`);
}

if (import.meta.main) await runCommand(main, explainMistake);
