/** Words whose letters stand apart: `C O N T E N T S` is a word. */

import { median } from './median.ts';
import type { Run } from './runs.ts';

const fewestLetters = 4;
/** The room between words is so many times the room between letters. */
const betweenWords = 1.6;
/** Letters that stand further apart, in their heights, are no word. */
const widestGap = 3;

const spacedLetters = /^[\p{Lu}\p{Ll}\p{Lt}](?: [\p{Lu}\p{Ll}\p{Lt}&'’.:-])*$/u;

/** @param segments of a line, from left to right */
export function readSpacedLetters(segments: readonly Run[]): Run[] {
  const read: Run[] = [];
  for (let from = 0; from < segments.length; ) {
    let to = from;
    while (to < segments.length && isNext(segments[to - 1], segments[to], to > from)) to += 1;
    const row = segments.slice(from, to);
    const word = wordsOf(row);
    if (word !== undefined && row[0])
      read.push({ ...row[0], text: word, end: row.at(-1)?.end ?? row[0].end });
    else for (const segment of segments.slice(from, Math.max(to, from + 1))) read.push(segment);
    from = Math.max(to, from + 1);
  }
  return read;
}

function isNext(before: Run | undefined, segment: Run | undefined, isBehind: boolean): boolean {
  if (!segment || segment.field || !spacedLetters.test(segment.text)) return false;
  return !isBehind || (before !== undefined && segment.start - before.end <= widestGap * segment.size);
}

/** @returns undefined if the segments are no spaced letters */
function wordsOf(row: readonly Run[]): string | undefined {
  const letters = row.map(({ text }) => text.replaceAll(' ', ''));
  const all = letters.join('');
  if (all.length < fewestLetters || isAlphabet(all)) return undefined;
  const gaps = row.slice(1).map((segment, at) => segment.start - (row[at]?.end ?? 0));
  const isApart = letters.every(({ length }) => length === 1);
  const least = isApart ? betweenWords * median(gaps) : 0;
  return letters.map((word, at) => (at > 0 && (gaps[at - 1] ?? 0) > least ? ` ${word}` : word)).join('');
}

/** The letters above an index, or answers from A to F, are no word. */
const isAlphabet = (letters: string): boolean =>
  [...letters].every((letter, at) => {
    const step = letter.charCodeAt(0) - letters.charCodeAt(at - 1);
    return at === 0 || (step > 0 && step <= 3);
  });
