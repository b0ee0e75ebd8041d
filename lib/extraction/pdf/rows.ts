/** The rows of a table, whose cells may have several lines. */

import type { Line } from './lines.ts';

/** A line of a table: its cells by column. */
export type Cells = readonly (Cell | undefined)[];

type Cell = { text: string; width: number; size: number; isField: boolean };

/** `from` is the number of the first line. */
type Row = { texts: string[]; from: number; lines: number };

/** Stands between the lines of a cell until the words that are cut between them are joined. */
export const wrap = '\u2028';

/** The room between rows is so many times the room between the lines of a cell. */
const leastJump = 1.25;
const maxJumps = 5;
/** More lines beside a cell are no row, but a text with headings in its margin. */
const maxLinesPerRow = 6;
/** So much of the width of a column is filled by a line that is wrapped, with the word that had no room. */
const leastWrapped = 0.85;
const leastShareWrapped = 0.7;

export function rowsOf(lines: readonly Line[], cells: readonly Cells[]): Row[] {
  const single = cells.map((line, from) => rowOf([line], from));
  const pitches = lines.slice(1).map((line, at) => line.line - (lines[at]?.line ?? 0));
  const widths = (cells[0] ?? []).map((_, column) =>
    cells.reduce((most, line) => Math.max(most, line[column]?.width ?? 0), 0),
  );
  const byPitch = limitsOf(pitches).map((limit) =>
    pitches.flatMap((pitch, at) => (pitch > limit ? [at + 1] : [])),
  );
  // Without more room between rows, a row begins where the first column has a cell.
  const byCell = cells.flatMap((line, at) => (at > 0 && line[0] ? [at] : []));
  for (const others of [...byPitch, byCell]) {
    const starts = [0, ...others];
    if (cells.length > maxLinesPerRow * starts.length) continue;
    const groups = starts.map((start, at) => cells.slice(start, starts[at + 1]));
    if (groups.every(hasShortCell) && areWrapped(groups, widths))
      return groups.map((group, at) => rowOf(group, starts[at] ?? 0));
  }
  return single;
}

/** @returns the distances that may separate rows, the largest first */
function limitsOf(pitches: readonly number[]): number[] {
  const sorted = [...pitches].sort((a, b) => a - b);
  const limits: number[] = [];
  for (let at = sorted.length - 1; at > 0 && limits.length < maxJumps; at -= 1) {
    const [small, large] = [sorted[at - 1] ?? 0, sorted[at] ?? 0];
    if (large > leastJump * small) limits.push((small + large) / 2);
  }
  return limits;
}

/** Lines that all have all cells are rows. */
const hasShortCell = (group: readonly Cells[]): boolean =>
  group.length === 1 || (group[0] ?? []).some((_, column) => group.some((line) => !line[column]));

const areWrapped = (groups: readonly (readonly Cells[])[], widths: readonly number[]): boolean => {
  const cells = groups
    .filter(({ length }) => length > 1)
    .flatMap((group) =>
      widths.map((width, column) => ({ parts: group.flatMap((line) => line[column] ?? []), width })),
    )
    .filter(({ parts }) => parts.length > 1);
  const lines = cells.reduce((sum, { parts }) => sum + parts.length - 1, 0);
  const wrapped = cells.reduce(
    (sum, { parts, width }) => sum + wrappedShare(parts, width) * (parts.length - 1),
    0,
  );
  return lines > 0 && wrapped >= leastShareWrapped * lines;
};

/** Words, and single ideographs, because a line may end behind each of these. */
export const wordStarts =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]|[^\s\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]+/gu;

/** @returns the share of the lines that are so full that the next word has no room behind them, from 0 to 1 */
export function wrappedShare(parts: readonly Cell[], columnWidth?: number): number {
  const width =
    columnWidth ??
    parts.map((part) => part.width).sort((a, b) => a - b)[Math.floor(0.9 * (parts.length - 1))] ??
    0;
  const wrapped = parts.slice(1).filter((next, at) => {
    const word = next.text.match(wordStarts)?.[0] ?? '';
    // Cells of one word say nothing.
    if (word === next.text && !parts[at]?.text.includes(' ')) return false;
    const wordWidth = (next.width * (word.length + 1)) / Math.max(next.text.length, 1);
    return (parts[at]?.width ?? 0) + wordWidth >= leastWrapped * width;
  });
  return parts.length < 2 ? 0 : wrapped.length / (parts.length - 1);
}

function rowOf(group: readonly Cells[], from: number): Row {
  const texts = (group[0] ?? []).map((_, column) =>
    group.flatMap((line) => line[column]?.text ?? []).join(wrap),
  );
  return { texts, from, lines: group.length };
}
