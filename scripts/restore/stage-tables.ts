/** Finds the table that a name stands for, and the other tables of its stage, which have the tombstones. */

import { type TableName, tableNameIn, tableNames } from '../../lib/dynamodb/tables.ts';

export type StageTables = {
  /** The table that the name stands for. */
  table: TableName;
  /** The names of all tables of the stage. */
  names: Readonly<Record<TableName, string>>;
};

/**
 * @param candidates names, one of which is a table of the service, such as `PlatformApi-prod-conversations`
 * @throws Error if there is no such table
 */
export function findStage(candidates: readonly string[]): StageTables {
  for (const name of candidates) {
    const table = tableNames.find((candidate) => name.endsWith(`-${candidate}`));
    if (!table) continue;
    const prefix = name.slice(0, -`-${table}`.length);
    const names = tableNames.map((other) => [other, tableNameIn(prefix, other)] as const);
    return { table, names: Object.fromEntries(names) as Record<TableName, string> };
  }
  throw new Error(
    `Not a table of a stage: ${candidates.join(', ')}. So it is unknown what has been erased since.`,
  );
}
