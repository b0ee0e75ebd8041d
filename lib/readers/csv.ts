/** Reads CSV and TSV as a table. The first row is its header. */

import type { BlockSink } from './blocks.ts';
import { readPlain } from './plain.ts';
import { tableRows } from './table-rows.ts';
import { csvIn } from './tables.ts';

/** Excel writes the separator into the first line. */
const separatorLine = /^\ufeff?sep=(.)\r?\n/i;

/**
 * @param isCertain whether the text is known to be CSV
 * @returns false if the text is not CSV. Then there are no blocks
 */
export function readCsv(text: string, sink: BlockSink, isCertain: boolean): boolean {
  const [, separator] = separatorLine.exec(text.slice(0, 20)) ?? [];
  const isStated = isCertain || separator !== undefined;
  // JSON and markup have lines with as many commas, too.
  if (!isStated && /^\s*[{[<]/.test(text)) return false;
  const csv = csvIn(text.replace(separatorLine, ''), isStated, separator);
  if (!csv) return false;
  const { before, table: source } = csv;
  const rows = [source.header, ...source.rows]
    .map((row) => source.split(row).map(withoutQuotes))
    .filter((cells) => cells.some(Boolean));
  // Lines of a program end with a semicolon.
  const hasCells = (cells: readonly string[]) => cells.filter(Boolean).length > 1;
  const isTable = hasCells(rows[0] ?? []) || rows.filter(hasCells).length > rows.length / 2;
  if (!isStated && !isTable) return false;
  readPlain(before, sink);
  // Spreadsheets have a title above the header, in one of its cells.
  const header = Math.max(0, rows.findIndex(hasCells));
  for (const cells of rows.slice(0, header)) readPlain(cells.join(''), sink);
  const table = rows.slice(header);
  // A row may end early, and each with a separator behind its last cell.
  const columns = table.reduce((most, cells) => Math.max(most, cells.findLastIndex(Boolean) + 1), 1);
  const shown = table.map((cells) => cells.slice(0, columns).map((text) => ({ text })));
  sink({ type: 'table', rows: tableRows(shown) });
  return true;
}

function withoutQuotes(cell: string): string {
  const text = cell.trim();
  const [quote = ''] = text;
  if ((quote !== '"' && quote !== "'") || text.length < 2 || !text.endsWith(quote)) return text;
  return text.slice(1, -1).replaceAll(quote + quote, quote);
}
