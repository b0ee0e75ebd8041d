/** Comma-separated values (RFC 4180, https://www.rfc-editor.org/rfc/rfc4180), also with semicolons or tabs. */

import { usageError } from '../errors.ts';

/** `line` is the number of the line at which the row begins, from 1. */
export type Row = { line: number; cells: string[] };

/** Spreadsheets write the list separator of their country. No name in the first line contains one of these characters. */
const separators = [',', ';', '\t'];

/**
 * @returns the rows that are not empty
 * @throws CliError that names the line
 */
export function rowsFrom(text: string): Row[] {
  const [head = ''] = text.split(/\r?\n/, 1);
  const separator = separators.find((one) => head.includes(one)) ?? ',';
  const rows: Row[] = [];
  let line = 1;
  for (let at = 0; at < text.length; ) {
    const row: Row = { line, cells: [] };
    for (;;) {
      const cell = text[at] === '"' ? quotedCell(text, at, line) : plainCell(text, at, separator);
      row.cells.push(cell.value);
      at = cell.end;
      line += cell.lines;
      if (text[at] !== separator) break;
      at += 1;
    }
    if (at < text.length && !isLineEnd(text, at))
      throw usageError(`line ${line}: there is text behind a quoted cell.`);
    at += text[at] === '\r' ? 2 : 1;
    line += 1;
    if (row.cells.some((cell) => cell.trim() !== '')) rows.push(row);
  }
  return rows;
}

const isLineEnd = (text: string, at: number) =>
  text[at] === '\n' || (text[at] === '\r' && text[at + 1] === '\n');

type Cell = { value: string; end: number; lines: number };

function plainCell(text: string, from: number, separator: string): Cell {
  let end = from;
  while (end < text.length && text[end] !== separator && !isLineEnd(text, end)) end += 1;
  return { value: text.slice(from, end), end, lines: 0 };
}

/** @param from the place of the opening quotation mark */
function quotedCell(text: string, from: number, line: number): Cell {
  const parts: string[] = [];
  let at = from + 1;
  for (;;) {
    const end = text.indexOf('"', at);
    if (end === -1) throw usageError(`line ${line}: a quotation mark is not closed.`);
    parts.push(text.slice(at, end));
    at = end + 1;
    if (text[at] !== '"') break;
    parts.push('"');
    at += 1;
  }
  const value = parts.join('');
  return { value, end: at, lines: value.split('\n').length - 1 };
}
