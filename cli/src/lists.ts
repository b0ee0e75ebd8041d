/** Prints lists: a limited number of rows for people, and everything for scripts. */

import type { ListData, PagePromise } from '../../clients/typescript/src/index.ts';
import { wholeNumber } from './command.ts';
import type { Columns } from './output/table.ts';
import type { Session } from './session.ts';

export type ListOptions = { limit?: number; all?: boolean };

const defaultLimit = 50;

export const listOptions = [
  [
    '--limit <n>',
    `shows at most n (default: ${defaultLimit} in a table, all with --json)`,
    { parse: wholeNumber('--limit', 1, 1_000_000) },
  ],
  ['--all', 'shows all'],
] as const;

/**
 * Prints a list. JSON lines are printed as pages arrive.
 * @param open requests the list in pages of a size
 */
export async function printList<Data extends ListData>(
  { out }: Session,
  { limit, all }: ListOptions,
  open: (page: { limit: number }) => PagePromise<Data>,
  columns?: Columns<Data['items'][number] & object>,
): Promise<void> {
  const maxRows = limit ?? (all || out.json ? Number.POSITIVE_INFINITY : defaultLimit);
  const rows: (Data['items'][number] & object)[] = [];
  let count = 0;
  let hasMore = false;
  for await (const item of open({ limit: Math.min(100, maxRows + 1) })) {
    if (count === maxRows) {
      hasMore = true;
      break;
    }
    count += 1;
    if (out.json) await out.jsonLine(item);
    else rows.push(item as Data['items'][number] & object);
  }
  if (!out.json) await out.rows(rows, columns ?? columnsOf(rows));
  if (hasMore) out.note(`There are more than ${count}. --all shows all.`);
}

/** The fields in a table of a list that has no columns of its own. Short fields come first. */
const usualFields = ['id', 'name', 'type', 'status', 'at', 'createdAt', 'updatedAt'];

/** @returns columns for the fields that the rows have */
function columnsOf<Row extends object>(rows: readonly Row[]): Columns<Row> {
  const names = new Set(rows.flatMap((row) => Object.keys(row)));
  return Object.fromEntries(
    usualFields.filter((name) => names.has(name)).map((name) => [name, (row: Row) => Object(row)[name]]),
  );
}
