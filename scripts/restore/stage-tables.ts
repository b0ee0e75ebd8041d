/** Finds the table that a name stands for, and the other tables of its stage, which have the tombstones. */

import { CloudFormationClient, paginateDescribeStacks, type Stack } from '@aws-sdk/client-cloudformation';
import { outputName, type TableName, tableNames, tables } from '../../lib/dynamodb/tables.ts';

export type StageTables = {
  /** The table that the name stands for. */
  table: TableName;
  /** The names of all tables of the stage. */
  names: Readonly<Record<TableName, string>>;
};

/**
 * @param candidates names, one of which is a table of the service. Locally, it ends with the table's kind
 *   (`…-conversations`); on AWS, it is an output of the stage's stack
 * @throws Error if none is a table of the service
 */
export async function findStage(candidates: readonly string[], pages = describeStacks): Promise<StageTables> {
  for (const name of candidates) {
    const local = localStage(name);
    if (local) return local;
  }
  for await (const { Stacks = [] } of pages()) {
    for (const { Outputs = [] } of Stacks) {
      const values = new Map(Outputs.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue ?? '']));
      const names = namesOf((table) => values.get(outputName(tables[table].variable)) ?? '');
      const table = tableNames.find((one) => candidates.includes(names[one]));
      if (table && Object.values(names).every((other) => other !== '')) return { table, names };
    }
  }
  throw new Error(
    `Not a table of a deployed stage: ${candidates.join(', ')}. So it is unknown what has been erased ` +
      'since.',
  );
}

const describeStacks = (): AsyncIterable<{ Stacks?: Stack[] | undefined }> =>
  paginateDescribeStacks({ client: new CloudFormationClient({}) }, {});

function localStage(name: string): StageTables | undefined {
  const table = tableNames.find((candidate) => name.endsWith(`-${candidate}`));
  if (!table) return undefined;
  const prefix = name.slice(0, -table.length);
  return { table, names: namesOf((other) => prefix + other) };
}

const namesOf = (nameOf: (table: TableName) => string) =>
  Object.fromEntries(tableNames.map((table) => [table, nameOf(table)])) as Record<TableName, string>;
