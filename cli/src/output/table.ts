/** Tables without lines, as `gh` and `kubectl` print them. */

import Table from 'cli-table3';
import { isTime, type Paint, safeLine, safeText } from './text.ts';

/** The heading of each column, and the value of a row in it. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => unknown>>;

const noLines = Object.fromEntries(
  [
    ...['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right'],
    ...['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid', 'middle'],
  ].map((name) => [name, '']),
);

const newTable = () =>
  new Table({
    chars: noLines,
    style: { 'padding-left': 0, 'padding-right': 2, head: [], border: [], compact: true },
  });

const withoutEnd = (text: string) => `${text.replace(/(?<! ) +$/gm, '')}\n`;

/** Free text is not made narrower than this while a column can be left out instead. */
const minWidth = 12;

/** Ids, times, and words such as those of a status mean nothing when they are cut. */
const isWhole = (cell: string): boolean =>
  /^(?:[a-z]+_[0-9A-Z]{26}|[a-z_]{1,20}|\d+ [a-z]+ ago|in \d+ [a-z]+)?$/.test(cell) || isTime(cell);

type Column = { name: string; cells: readonly string[]; width: number; isWhole: boolean };

/** @returns the width of a table, whose columns have two spaces between them */
const totalWidth = (columns: readonly Column[], widthOf: (column: Column) => number) =>
  columns.reduce((sum, column) => sum + widthOf(column) + 2, 0) - 2;

const minWidthOf = ({ isWhole: whole, width }: Column) => (whole ? width : Math.min(width, minWidth));

/** @returns the columns that fit: without empty ones, then without the last ones, then with shorter free text */
function fittingColumns(all: readonly Column[], width: number): Column[] {
  if (totalWidth(all, (column) => column.width) <= width) return [...all];
  const filled = all.filter(({ cells }) => cells.some((cell) => cell !== ''));
  const columns = filled.length > 0 ? filled : all.slice(0, 1);
  while (columns.length > 1 && totalWidth(columns, minWidthOf) > width) columns.pop();
  while (totalWidth(columns, (column) => column.width) > width) {
    // Each step removes one character, so that the widest columns become equally wide.
    const [widest] = columns
      .filter((column) => column.width > (columns.length > 1 ? minWidthOf(column) : 1) && !column.isWhole)
      .toSorted((a, b) => b.width - a.width);
    if (!widest) break;
    widest.width -= 1;
  }
  return columns;
}

/**
 * @param columns the most important first
 * @param width of the terminal. So that a row fits, empty columns are left out, then free text is shortened, then columns are left
 * out from the right. Ids, times and statuses are never shortened.
 */
export function table<Row>(rows: readonly Row[], columns: Columns<Row>, paint: Paint, width: number): string {
  const all = Object.entries(columns).map(([name, cell]): Column => {
    const cells = rows.map((row) => safeLine(textOf(cell(row))));
    const longest = Math.max(name.length, ...cells.map(({ length }) => length));
    return { name, cells, width: longest, isWhole: cells.every(isWhole) };
  });
  const shownColumns = fittingColumns(all, width);
  const grid = newTable();
  grid.push(shownColumns.map((one) => paint('bold', shorten(one.name.toUpperCase(), one.width))));
  for (const at of rows.keys()) grid.push(shownColumns.map((one) => shorten(one.cells[at] ?? '', one.width)));
  return withoutEnd(grid.toString());
}

/** @returns a row for each field of a resource. Fields of fields have names such as `persona.prompt` */
export function fieldsTable(value: object, paint: Paint): string {
  const fields = fieldsOf(value);
  const width = Math.max(0, ...fields.map(([name]) => name.length)) + 2;
  // cli-table3 would take minutes for a text of ten thousand lines.
  const lines = fields.map(
    ([name, text]) =>
      paint('dim', name) +
      ' '.repeat(width - name.length) +
      safeText(text).replaceAll('\n', `\n${' '.repeat(width)}`),
  );
  return withoutEnd(lines.join('\n'));
}

function fieldsOf(value: object, prefix = ''): [string, string][] {
  return Object.entries(value).flatMap(([name, field]): [string, string][] => {
    if (field === null || field === undefined) return [];
    const isPlain = typeof field === 'object' && !Array.isArray(field) && Object.keys(field).length > 0;
    return isPlain ? fieldsOf(field, `${prefix}${name}.`) : [[safeLine(prefix + name), textOf(field)]];
  });
}

const shorten = (text: string, limit: number) =>
  text.length > limit ? `${[...text].slice(0, limit - 1).join('')}…` : text;

/** @returns the text of a value in a cell */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return value.join(', ');
  if (typeof value === 'object') return JSON.stringify(value);
  return String(value);
}
