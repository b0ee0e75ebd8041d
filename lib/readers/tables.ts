/** Finds the tables in a text: Markdown tables, and a text that is CSV. The work is linear in the text. */

/** Splits a row into its cells, and joins cells to a row. */
export type Cells = { split(row: string): string[]; join(cells: readonly string[]): string };

export type Table = Cells & {
  /** The header row, and the row below it that Markdown needs, with their line ends. */
  header: string;
  /** Each row with its line end. */
  rows: string[];
};

/** @returns the text in its order: its tables, and what is between them */
export function tablesIn(text: string): (string | Table)[] {
  const csv = csvIn(text);
  return csv ? [csv.before, csv.table].filter((part) => part !== '') : markdownTablesIn(text);
}

/** The cells of a row of Markdown. `\|` is no separator. */
const markdownCells: Cells = {
  split(row) {
    const cells = row.trim().split(/(?<!\\)\|/);
    if (cells[0] === '') cells.shift();
    if (cells.at(-1) === '') cells.pop();
    return cells.map((cell) => cell.trim());
  },
  join: (cells) => `| ${cells.join(' | ')} |`,
};

const isRow = (line: string | undefined): line is string => line?.includes('|') === true;

/** The delimiter row of a Markdown table (GitHub Flavored Markdown 0.29, section 4.10). */
const isDelimiter = (line: string | undefined): line is string =>
  isRow(line) && markdownCells.split(line).every((cell) => /^:?-+:?$/.test(cell));

function markdownTablesIn(text: string): (string | Table)[] {
  const lines = text.split(/(?<=\n)/);
  const parts: (string | Table)[] = [];
  let prose = '';
  for (let at = 0; at < lines.length; ) {
    const [head, delimiter] = [lines[at] ?? '', lines[at + 1]];
    const isTable =
      isRow(head) &&
      isDelimiter(delimiter) &&
      isRow(lines[at + 2]) &&
      markdownCells.split(head).length === markdownCells.split(delimiter).length;
    if (!isTable) {
      prose += head;
      at += 1;
      continue;
    }
    const rows: string[] = [];
    for (at += 2; isRow(lines[at]); at += 1) rows.push(lines[at] ?? '');
    if (prose !== '') parts.push(prose);
    prose = '';
    parts.push({ ...markdownCells, header: head + delimiter, rows });
  }
  if (prose !== '') parts.push(prose);
  return parts;
}

const separators = [';', '\t', ','];
/** Fewer rows say little about whether a text is CSV. */
const fewestRows = 3;
/** So many of the rows have the same number of cells. Files of spreadsheets have a title, or rows that end early. */
const regularShare = 0.9;

type CsvRow = { text: string; cells: number; spaces: number };

const quotes = ['"', "'"];

type Csv = { before: string; table: Table };

/**
 * The separator and the quotation marks are those with which most rows have the same number of cells, and the header comes first: a list
 * in a cell, or a comma in a number, may have another separator.
 * @param isCertain whether the text is known to be CSV, and may also have one column or few rows
 * @param separator the one that the text states
 * @returns the table, and what is before its header; undefined if the text is not CSV (RFC 4180), also with semicolons or tabs. A text
 *   whose lines have a comma and a space is prose
 */
export function csvIn(text: string, isCertain = false, separator?: string): Csv | undefined {
  let best: (Csv & { first: number }) | undefined;
  // Markdown has tables with `|`.
  const candidates = separator === undefined ? [...separators, ...(isCertain ? ['|'] : [])] : [separator];
  for (const candidate of candidates) {
    if (!text.includes(candidate) && !isCertain) continue;
    for (const quote of quotes) {
      const csv = csvWith(text, candidate, quote, isCertain);
      if (csv && (!best || csv.first < best.first)) best = csv;
      // The other quotation marks could only give the same rows.
      if (csv) break;
    }
  }
  return best && { before: best.before, table: best.table };
}

function csvWith(
  text: string,
  separator: string,
  quote: string,
  isCertain: boolean,
): (Csv & { first: number }) | undefined {
  const rows = csvRows(text, separator, quote);
  if (!rows || rows.length < (isCertain ? 1 : fewestRows)) return undefined;
  const columns = mostFrequent(rows.map(({ cells }) => cells));
  const regular = rows.filter(({ cells }) => cells === columns);
  if (!isCertain) {
    const spaces = regular.reduce((sum, row) => sum + row.spaces, 0);
    const isProse = separator !== '\t' && spaces > (regular.length * (columns - 1)) / 2;
    if (columns < 2 || isProse || regular.length < rows.length * regularShare) return undefined;
  }
  const first = rows.findIndex(({ cells }) => cells === columns);
  const [head, ...others] = rows.slice(first).map((row) => row.text);
  const before = rows
    .slice(0, first)
    .map((row) => row.text)
    .join('');
  const cells: Cells = {
    split: (row) => cellsOf(row, separator, quote),
    join: (some) => some.join(separator),
  };
  // A single column is the last choice.
  return {
    before,
    first: columns < 2 ? rows.length : first,
    table: { ...cells, header: head ?? '', rows: others },
  };
}

/** @returns the rows with their line ends, without empty ones; undefined if a quoted cell does not end */
function csvRows(text: string, separator: string, quote: string): CsvRow[] | undefined {
  const rows: CsvRow[] = [];
  for (let at = 0; at < text.length; ) {
    const from = at;
    let [cells, spaces] = [1, 0];
    for (;;) {
      const end = cellEnd(text, at, separator, quote);
      if (end === undefined) return undefined;
      at = end;
      if (text[at] !== separator) break;
      cells += 1;
      at += 1;
      if (text[at] === ' ') spaces += 1;
    }
    if (text[at] === '\r') at += 1;
    if (text[at] === '\n') at += 1;
    const row = text.slice(from, at);
    if (row.trim() !== '') rows.push({ text: row, cells, spaces });
  }
  return rows;
}

/** @returns where the cell ends: at a separator, a line end, or the end of the text; undefined if its quotation marks do not end */
function cellEnd(text: string, from: number, separator: string, quote: string): number | undefined {
  let at = from;
  // Some programs write a space behind each separator.
  while (text[at] === ' ') at += 1;
  if (text[at] === quote) {
    do {
      at = text.indexOf(quote, at + 1) + 1;
      if (at === 0) return undefined;
    } while (text[at] === quote);
  }
  while (at < text.length && text[at] !== separator && text[at] !== '\n' && text[at] !== '\r') at += 1;
  return at;
}

function cellsOf(row: string, separator: string, quote: string): string[] {
  const cells: string[] = [];
  let length = row.length;
  while (row[length - 1] === '\n' || row[length - 1] === '\r') length -= 1;
  const line = row.slice(0, length);
  for (let at = 0; at <= line.length; ) {
    const end = cellEnd(line, at, separator, quote) ?? line.length;
    cells.push(line.slice(at, end));
    at = end + 1;
  }
  return cells;
}

function mostFrequent(numbers: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? 0;
}
