/** The blocks of a page: lines below each other that have the same columns of empty room, or none. */

import { firstIndex } from '../../readers/bisect.ts';
import { columnGap, type Line } from './lines.ts';
import { median } from './median.ts';

/** A part of a line without text. */
type Gap = { from: number; to: number };

export type PageBlock = {
  lines: Line[];
  /** Where one column ends and the next begins, from left to right; empty for a block of one column. */
  gutters: number[];
};

/** A line has at most so many gaps that count, the widest ones. */
const maxGaps = 40;
/** More room than this, in heights of a letter, ends a block. */
const endOfBlock = 4;
/** So many lines show where the columns of a block are. */
const surelyBlock = 3;
/** In a few lines, spaces between words may be below each other. */
const surelyGutter = 1;
const manyLines = 8;
/** Lines of columns beside each other may be closer than the lines of one column. */
const besideOther = 0.9;

/**
 * @param lines from the top to the bottom
 * @param isLoose a column of text may have a table in it: a block goes on as long as one gutter does
 */
export function blocksOf(lines: readonly Line[], isLoose: boolean): PageBlock[] {
  const blocks: { lines: Line[]; gaps: Gap[] }[] = [];
  for (const [at, line] of lines.entries()) {
    const gaps = gapsOf(line);
    const block = blocks.at(-1);
    const above = block?.lines.at(-1);
    if (!block || !above || line.line - above.line > endOfBlock * Math.max(line.size, above.size)) {
      blocks.push({ lines: [line], gaps });
      continue;
    }
    const common = commonGaps(block.gaps, gaps, columnGap * Math.min(line.size, above.size));
    const hadColumns = hasInner(block.gaps);
    // A line of a table is no part of the text above it, whose lines go over its columns.
    const isWhole = hadColumns
      ? block.lines.length < surelyBlock ||
        !losesGap(block.gaps, common) ||
        (isLoose && hasTextBeside([above, line, lines[at + 1]], common))
      : !losesGap(gaps, common);
    if ((hasInner(common) && isWhole) || (!hadColumns && !hasInner(gaps) && !isBeside(above, line))) {
      block.lines.push(line);
      block.gaps = common;
    } else if (!hadColumns && isBeside(above, line)) {
      block.lines.pop();
      if (block.lines.length === 0) blocks.pop();
      blocks.push({ lines: [above, line], gaps: commonGaps(gapsOf(above), gaps, 0) });
    } else blocks.push({ lines: [line], gaps });
  }
  return blocks.map(({ lines, gaps }) => ({ lines, gutters: guttersOf(lines, gaps) }));
}

/** The room before the first segment and behind the last one is a gap, too. */
function gapsOf({ segments }: Line): Gap[] {
  const gaps: Gap[] = [];
  let from = Number.NEGATIVE_INFINITY;
  for (const { start, end } of segments) {
    if (start > from) gaps.push({ from, to: start });
    from = Math.max(from, end);
  }
  gaps.push({ from, to: Number.POSITIVE_INFINITY });
  if (gaps.length <= maxGaps) return gaps;
  const widest = new Set([...gaps].sort((a, b) => b.to - b.from - (a.to - a.from)).slice(0, maxGaps));
  return gaps.filter((gap) => widest.has(gap));
}

const isInner = ({ from, to }: Gap): boolean => Number.isFinite(from) && Number.isFinite(to);
const hasInner = (gaps: readonly Gap[]): boolean => gaps.some(isInner);

/** Whether a line goes over the room between two columns. */
const losesGap = (gaps: readonly Gap[], common: readonly Gap[]): boolean =>
  gaps.some((gap) => isInner(gap) && !common.some(({ from, to }) => from >= gap.from && to <= gap.to));

/** Whether text stands on both sides of a gap, in the second line or close to it. */
function hasTextBeside([above, line, below]: readonly (Line | undefined)[], gaps: readonly Gap[]): boolean {
  if (!line) return false;
  const isClose = (other: Line) => Math.abs(other.line - line.line) < besideOther * line.size;
  const segments = [above, line, below].flatMap((other) =>
    other && isClose(other) ? [other.segments[0], other.segments.at(-1)] : [],
  );
  return gaps.some(
    (gap) =>
      isInner(gap) &&
      segments.some((segment) => segment && segment.end <= gap.from) &&
      segments.some((segment) => segment && segment.start >= gap.to),
  );
}

function commonGaps(one: readonly Gap[], other: readonly Gap[], least: number): Gap[] {
  const common: Gap[] = [];
  for (let a = 0, b = 0; a < one.length && b < other.length; ) {
    const [first, second] = [one[a], other[b]];
    if (!first || !second) break;
    const gap = { from: Math.max(first.from, second.from), to: Math.min(first.to, second.to) };
    if (gap.to - gap.from >= least) common.push(gap);
    if (first.to < second.to) a += 1;
    else b += 1;
  }
  return common;
}

/** Whether the lines stand beside each other, with their letters at different heights. */
function isBeside(above: Line, line: Line): boolean {
  const isClose = line.line - above.line < besideOther * Math.min(line.size, above.size);
  return isClose && hasInner(commonGaps(gapsOf(above), gapsOf(line), columnGap * line.size));
}

/** A gutter has text on both sides in at least two lines. */
function guttersOf(lines: readonly Line[], gaps: readonly Gap[]): number[] {
  const size = median(lines.map((line) => line.size));
  const least = (lines.length < manyLines ? surelyGutter : columnGap) * size;
  const inner = gaps
    .filter((gap) => isInner(gap) && gap.to - gap.from >= least)
    .map(({ from, to }) => (from + to) / 2);
  const columns = inner.map(() => 0);
  columns.push(0);
  for (const { segments } of lines) {
    const used = new Set(segments.map(({ start }) => columnAt(inner, start)));
    for (const column of used) columns[column] = (columns[column] ?? 0) + 1;
  }
  const gutters: number[] = [];
  let before = columns[0] ?? 0;
  for (const [at, gutter] of inner.entries()) {
    const behind = columns[at + 1] ?? 0;
    if (before >= 2 && behind >= 2) {
      gutters.push(gutter);
      before = behind;
    } else before = Math.max(before, behind);
  }
  return gutters;
}

/** @returns the number of the column in which a place is, from 0 */
export const columnAt = (gutters: readonly number[], place: number): number =>
  firstIndex(gutters, (gutter) => gutter >= place);
