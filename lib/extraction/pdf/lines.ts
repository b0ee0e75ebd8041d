/** The lines of a page: runs that stand beside each other, and segments of lines between which there is room for a column. */

import { scriptBeside, scripted } from '../../readers/scripts.ts';
import { readSpacedLetters } from './letters.ts';
import type { Run } from './runs.ts';

/** So much room, in heights of a letter, is between columns, and not between words. */
export const columnGap = 0.6;
/** So much room is between words. */
const wordGap = 0.1;
/** A piece whose line is further away is on another line. */
const sameLine = 0.5;
/** The letters of a line that is neither raised nor lowered. */
const sameLevel = 0.15;
/** A raised or lowered piece is smaller than its line. */
const sameLineOfSmaller = 0.7;
/** A mark of a list stands so far from its text. */
const markGap = 4;

const isListMark = (text: string): boolean =>
  /^(?:[•◦▪▫‣⁃●○■□·–*-]|\(?(?:\d{1,3}|\p{L}|[ivxlc]{1,5})[.)]|§\s?\d+)$/u.test(text);

/** The segments of a line from left to right. */
export type Line = { segments: Run[]; line: number; size: number };

export function linesOf(runs: readonly Run[]): Line[] {
  const segments = segmentsOf(withStackedGlyphs(runs));
  return grouped(segments).map((line) => ({
    ...line,
    segments: withMarks(readSpacedLetters(line.segments)),
  }));
}

/** Joins runs that follow each other in the page and on the line. Their order in the page is that of reading. */
function segmentsOf(runs: readonly Run[]): Run[] {
  const segments: { run: Run; texts: string[] }[] = [];
  for (const run of runs) {
    const last = segments.at(-1);
    const gap = last && gapBehind(last.run, run);
    if (!last || gap === undefined) {
      segments.push({ run: { ...run }, texts: [run.text] });
      continue;
    }
    const text = scripted(run.text, scriptBeside(last.run, run));
    last.texts.push(run.isSpaced || gap > wordGap * run.size ? ` ${text}` : text);
    last.run.start = Math.min(last.run.start, run.start);
    last.run.end = Math.max(last.run.end, run.end);
    last.run.size = Math.max(last.run.size, run.size);
    if (run.isRightToLeft) last.run.isRightToLeft = true;
  }
  return segments.map(({ run, texts }) => ({ ...run, text: texts.join('') }));
}

/** @returns the room between the runs; undefined if the second one does not continue the first one */
function gapBehind(before: Run, run: Run): number | undefined {
  if (before.field || run.field || !isOnLine(before, run)) return undefined;
  const isRightToLeft = before.isRightToLeft || run.isRightToLeft;
  const gap = isRightToLeft ? before.start - run.end : run.start - before.end;
  const size = Math.max(before.size, run.size);
  return gap > -0.4 * size && gap <= columnGap * size ? gap : undefined;
}

function isOnLine(one: { line: number; size: number }, other: { line: number; size: number }): boolean {
  const [small, large] = one.size < other.size ? [one.size, other.size] : [other.size, one.size];
  return Math.abs(one.line - other.line) <= Math.min(sameLine * large, sameLineOfSmaller * small);
}

/** Segments that stand above each other are on two lines, also if these are very close. */
function grouped(segments: readonly Run[]): Line[] {
  const lines: Line[] = [];
  let longest = 0;
  for (const line of levels(segments)) {
    const last = lines.at(-1);
    const length = line.segments.reduce((sum, { text }) => sum + text.length, 0);
    const joined = last && isOnLine(last, line) ? beside(last.segments, line.segments) : undefined;
    if (!last || !joined) {
      lines.push(line);
      longest = length;
      continue;
    }
    last.segments = joined;
    if (length <= longest) continue;
    // The line is where most of its text is.
    longest = length;
    last.line = line.line;
    last.size = line.size;
  }
  return lines;
}

/** @returns the segments whose letters stand exactly beside each other */
function levels(segments: readonly Run[]): Line[] {
  const levels: Line[] = [];
  for (const segment of [...segments].sort((a, b) => a.line - b.line || a.start - b.start)) {
    const last = levels.at(-1);
    if (last && segment.line - last.line <= sameLevel * Math.min(segment.size, last.size))
      last.segments.push(segment);
    else levels.push({ segments: [segment], line: segment.line, size: segment.size });
  }
  for (const { segments } of levels) segments.sort((a, b) => a.start - b.start);
  return levels;
}

const maxCompared = 500;

/** @returns the segments from left to right; undefined if they stand above each other */
function beside(one: readonly Run[], other: readonly Run[]): Run[] | undefined {
  const all = [...one, ...other].sort((a, b) => a.start - b.start);
  if (all.length > maxCompared) return undefined;
  const isAbove = all.some((segment, at) => {
    const before = all[at - 1];
    return before !== undefined && before.end - segment.start > 0.5 * Math.min(segment.size, before.size);
  });
  return isAbove ? undefined : all;
}

/** A mark of a list is no column, and neither is the value or the box of a field beside its label. */
function withMarks(segments: readonly Run[]): Run[] {
  const joined: Run[] = [];
  for (const segment of segments) {
    const last = joined.at(-1);
    const isMarked = last && !segment.field && isListMark(last.text);
    if (isMarked && segment.start - last.end < markGap * segment.size) {
      joined[joined.length - 1] = { ...last, text: `${last.text} ${segment.text}`, end: segment.end };
    } else joined.push(segment);
  }
  return joined;
}

const ideograph = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}、。，．「」『』（）ー…！？：；]$/u;
/** So far below each other are the glyphs of a vertical line that is drawn with a horizontal font. */
const stackedPitch = 1.3;
const fewestStacked = 3;

/** Glyphs below each other are one line. The lines go from right to left, in the place of the first one. */
function withStackedGlyphs(runs: readonly Run[]): readonly Run[] {
  if (runs.length < fewestStacked) return runs;
  const read: Run[] = [];
  let stacks: Run[][] = [];
  const flush = () => {
    // Lines from right to left have their places below each other.
    const sorted = stacks.sort((a, b) => (b[0]?.start ?? 0) - (a[0]?.start ?? 0));
    const top = sorted.reduce(
      (least, [first]) => Math.min(least, first?.line ?? least),
      Number.POSITIVE_INFINITY,
    );
    for (const [at, glyphs] of sorted.entries()) {
      const [first] = glyphs;
      if (!first) continue;
      const text = glyphs.map((glyph) => glyph.text).join('');
      const line = top + at * 1.2 * first.size;
      read.push({ ...first, text, line, start: first.start, end: first.start + text.length * first.size });
    }
    stacks = [];
  };
  for (let from = 0; from < runs.length; ) {
    let to = from + 1;
    while (to < runs.length && isBelow(runs[to - 1], runs[to])) to += 1;
    if (to - from >= fewestStacked) stacks.push(runs.slice(from, to));
    else {
      flush();
      for (const run of runs.slice(from, to)) read.push(run);
    }
    from = to;
  }
  flush();
  return read;
}

function isBelow(above: Run | undefined, below: Run | undefined): boolean {
  if (!above || !below || !ideograph.test(above.text) || !ideograph.test(below.text)) return false;
  const pitch = (below.line - above.line) / above.size;
  return pitch > 0.7 && pitch <= stackedPitch && Math.abs(below.start - above.start) < 0.5 * above.size;
}
