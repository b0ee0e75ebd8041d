/** Tables without lines, as `gh` and `kubectl` print them. */

import Table from 'cli-table3';
import type { Columns } from './output.ts';
import { type Paint, safeLine, safeText } from './text.ts';

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

/**
 * @param width of the terminal. Long cells are shortened so that a row fits; ids never are.
 */
export function table<Row>(rows: readonly Row[], columns: Columns<Row>, paint: Paint, width: number): string {
  const names = Object.keys(columns);
  const cells = rows.map((row) => Object.values(columns).map((cell) => safeLine(shown(cell(row)))));
  const widths = names.map((name, at) => Math.max(name.length, ...cells.map((row) => row[at]?.length ?? 0)));
  const excess = widths.reduce((sum, one) => sum + one + 2, 0) - 2 - width;
  const isId = (at: number) => cells.every((row) => /^([a-z]+_[0-9A-Z]{26})?$/.test(row[at] ?? ''));
  const candidates = widths.map((one, at) => (isId(at) ? 0 : one));
  const widest = candidates.indexOf(Math.max(...candidates));
  const limit =
    excess > 0 && !isId(widest) ? Math.max(12, (widths[widest] ?? 0) - excess) : Number.POSITIVE_INFINITY;
  const grid = newTable();
  grid.push(names.map((name) => paint('bold', name.toUpperCase())));
  for (const row of cells) grid.push(row.map((text, at) => (at === widest ? shortened(text, limit) : text)));
  return withoutEnd(grid.toString());
}

/** One resource: a row for each field. Fields of fields have names such as `persona.prompt`. */
export function fieldsTable(value: object, paint: Paint): string {
  const fields = fieldsOf(value);
  const width = Math.max(0, ...fields.map(([name]) => name.length)) + 2;
  // Not by cli-table3, which takes minutes for a text of ten thousand lines.
  const lines = fields.map(
    ([name, text]) =>
      paint('dim', name) +
      ' '.repeat(width - name.length) +
      safeText(text).replaceAll('\n', `\n${' '.repeat(width)}`),
  );
  return withoutEnd(lines.join('\n'));
}

function fieldsOf(value: object, below = ''): [string, string][] {
  return Object.entries(value).flatMap(([name, one]): [string, string][] => {
    if (one === null || one === undefined) return [];
    const isPlain = typeof one === 'object' && !Array.isArray(one) && Object.keys(one).length > 0;
    return isPlain ? fieldsOf(one, `${below}${name}.`) : [[safeLine(below + name), shown(one)]];
  });
}

const shortened = (text: string, limit: number) =>
  text.length > limit ? `${[...text].slice(0, limit - 1).join('')}…` : text;

/** A value in a cell. */
function shown(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return value.join(', ');
  if (typeof value === 'object') return JSON.stringify(value);
  return String(value);
}
