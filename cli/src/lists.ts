/** Lists: a limited number for people, everything for scripts. */

import type { ListData, PagePromise } from '../../clients/typescript/src/index.ts';
import { wholeNumber } from './command.ts';
import type { Columns } from './output/table.ts';
import type { Session } from './session.ts';

export type ListOptions = { limit?: number; all?: boolean };

const shownToPeople = 50;

export const listOptions = [
  [
    '--limit <n>',
    `shows at most n (default: ${shownToPeople} in a table, all with --json)`,
    { parse: wholeNumber('--limit', 1, 1_000_000) },
  ],
  ['--all', 'shows all'],
] as const;

/**
 * Prints a list. JSON lines are printed as pages arrive.
 * @param page of the API's query: its size
 */
export async function printList<Data extends ListData>(
  { out }: Session,
  { limit, all }: ListOptions,
  open: (page: { limit: number }) => PagePromise<Data>,
  columns?: Columns<Data['items'][number] & object>,
): Promise<void> {
  const most = limit ?? (all || out.json ? Number.POSITIVE_INFINITY : shownToPeople);
  const rows: (Data['items'][number] & object)[] = [];
  let count = 0;
  let hasMore = false;
  for await (const item of open({ limit: Math.min(100, most + 1) })) {
    if (count === most) {
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

/** Short fields come first in a table that nobody has laid out. */
const usual = ['id', 'name', 'type', 'status', 'at', 'createdAt', 'updatedAt'];

/** @returns columns for the fields that the rows have */
function columnsOf<Row extends object>(rows: readonly Row[]): Columns<Row> {
  const names = new Set(rows.flatMap((row) => Object.keys(row)));
  return Object.fromEntries(
    usual.filter((name) => names.has(name)).map((name) => [name, (row: Row) => Object(row)[name]]),
  );
}
