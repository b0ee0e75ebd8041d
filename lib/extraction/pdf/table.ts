/** Decides whether the columns of a block are a table, whose rows are read together, or columns of text, which are read one after the other. */

import { columnAt, type PageBlock } from './blocks.ts';
import { lineText } from './line-text.ts';
import type { Line } from './lines.ts';
import { median } from './median.ts';
import { type Cells, rowsOf, wordStarts, wrappedShare } from './rows.ts';
import type { Run } from './runs.ts';

export type Layout =
  | { type: 'lines' }
  | { type: 'columns'; columns: Line[][] }
  /** Lines with one cell before and behind the rows are no part of the table. */
  | { type: 'table'; before: Line[]; rows: string[][]; behind: Line[] };

/** The least mean width of the lines of a column of text, in heights of a letter (about two characters), and their least mean number of words. */
const leastTextWidth = 9;
const leastWords = 2.5;
const leastShareWrapped = 0.65;
const fewestTextLines = 4;
/** A column of text with so many lines may have a column without text beside it. */
const surelyText = 6;
/** The cells beside a cell of several lines are so far apart, in distances of lines. */
const leastApart = 1.6;
const widestMargin = 3;
const fewestRows = 3;
/** At least this share of the rows of a table has several cells. */
const leastShareOfRows = 0.6;

export function layoutOf({ lines, gutters }: PageBlock): Layout {
  if (gutters.length === 0) return { type: 'lines' };
  const columns = lines.map(({ segments }) => inColumns(segments, gutters));
  const cells = columns.map((line) => line.map(cellOf));
  const statistics = Array.from({ length: gutters.length + 1 }, (_, column) =>
    statisticsOf(lines, cells, column),
  );
  const isOther = isForm(cells) || isMargin(cells, statistics);
  if (!isOther && areColumns(statistics) && !haveRows(rowsOf(lines, cells))) {
    const groups = grouped(statistics).map((group) => columnsOf(lines, columns, group));
    return { type: 'columns', columns: groups };
  }
  const first = cells.findIndex(isRow);
  const last = cells.findLastIndex(isRow);
  if (first === -1 || isOther) return { type: 'lines' };
  // The last row goes on as long as its cells are wrapped.
  const rows = rowsOf(lines.slice(first), cells.slice(first));
  const end = rows.findIndex((row) => row.from > last - first);
  const inTable = end === -1 ? rows : rows.slice(0, end);
  const behind = end === -1 ? [] : lines.slice(first + (rows[end]?.from ?? 0));
  if (inTable.length < fewestRows) return { type: 'lines' };
  const complete = inTable.filter(({ texts }) => texts.filter(Boolean).length > 1);
  if (complete.length < leastShareOfRows * inTable.length) return { type: 'lines' };
  return { type: 'table', before: lines.slice(0, first), rows: inTable.map(({ texts }) => texts), behind };
}

const isRow = (cells: Cells): boolean => cells.filter(Boolean).length > 1;

function inColumns(segments: readonly Run[], gutters: readonly number[]): Run[][] {
  const columns: Run[][] = Array.from({ length: gutters.length + 1 }, () => []);
  for (const segment of segments) columns[columnAt(gutters, segment.start)]?.push(segment);
  return columns;
}

function cellOf(segments: readonly Run[]): Cells[number] {
  const [first, last] = [segments[0], segments.at(-1)];
  if (!first || !last) return undefined;
  const width = last.end - first.start;
  const isField = segments.some(({ field }) => field !== undefined);
  return { text: lineText(segments), width, size: first.size, isField };
}

/** @returns the lines of some columns */
function columnsOf(lines: readonly Line[], columns: readonly Run[][][], group: readonly number[]): Line[] {
  return lines.flatMap((line, at) => {
    const segments = group.flatMap((column) => columns[at]?.[column] ?? []);
    const [first] = segments;
    return first ? [{ ...line, line: first.line, size: first.size, segments }] : [];
  });
}

/** Columns of text, and others beside them that have lines of their own, such as a figure. Cells of a table are further apart. */
function areColumns(statistics: readonly Statistics[]): boolean {
  const texts = statistics.filter(({ isColumnOfText }) => isColumnOfText);
  const pitch = texts.reduce((most, text) => Math.max(most, text.pitch), 0);
  return statistics.every(
    (column) =>
      column.isColumnOfText ||
      (column.lines >= 2 &&
        column.pitch <= leastApart * pitch &&
        texts.some(({ lines }) => lines >= surelyText)),
  );
}

/** @returns the numbers of the columns: each column of text, and the columns between them together */
function grouped(statistics: readonly Statistics[]): number[][] {
  const groups: number[][] = [];
  for (const [column, { isColumnOfText }] of statistics.entries()) {
    const last = groups.at(-1);
    if (last && !isColumnOfText && !statistics[column - 1]?.isColumnOfText) last.push(column);
    else groups.push([column]);
  }
  return groups;
}

/** `pitch` is the usual distance of its lines. */
type Statistics = { isColumnOfText: boolean; lines: number; width: number; pitch: number };

function statisticsOf(all: readonly Line[], cells: readonly Cells[], column: number): Statistics {
  const places = all.flatMap(({ line }, at) => (cells[at]?.[column] ? [line] : []));
  const pitch = median(places.slice(1).map((place, at) => place - (places[at] ?? 0)));
  const parts = cells.flatMap((line) => line[column] ?? []);
  const lines = parts.length;
  const mean = (measure: (part: (typeof parts)[number]) => number) =>
    parts.reduce((sum, part) => sum + measure(part), 0) / Math.max(lines, 1);
  const width = mean((part) => part.width / part.size);
  const words = mean(({ text }) => text.match(wordStarts)?.length ?? 0);
  // The last column of a page may be short.
  const isLong = lines >= fewestTextLines || (column + 1 === cells[0]?.length && lines >= 2);
  const isText = width >= leastTextWidth && words >= leastWords && wrappedShare(parts) >= leastShareWrapped;
  return { isColumnOfText: isLong && isText, lines, width, pitch };
}

/** Several rows of wrapped cells that begin on one line are no columns of text. */
const haveRows = (rows: readonly { texts: string[]; lines: number }[]): boolean =>
  rows.length >= fewestRows &&
  rows.some(({ lines }) => lines > 1) &&
  rows.every(({ texts }) => texts[0] !== '' && texts.filter(Boolean).length > 1);

/** Labels with their values are lines. */
function isForm(cells: readonly Cells[]): boolean {
  const rows = cells.filter(isRow);
  const labels = rows.filter((row) => row.some((cell, at) => row[at + 1] && cell?.text.endsWith(':')));
  const fields = rows.filter((row) => row.length === 2 && row.some((cell) => cell?.isField));
  return labels.length + fields.length >= rows.length / 2;
}

/** Numbers of lines are no column of a table. */
const isMargin = (cells: readonly Cells[], [margin, text]: readonly Statistics[]): boolean =>
  cells[0]?.length === 2 &&
  text?.isColumnOfText === true &&
  margin !== undefined &&
  margin.width < widestMargin;
