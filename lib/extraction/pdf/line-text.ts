/** The text of a line, from its first to its last letter. */

import type { Run } from './runs.ts';

/** @param segments from left to right */
export function lineText(segments: readonly Run[]): string {
  let text = '';
  let last: Run | undefined;
  for (const segment of isRightToLeft(segments) ? [...segments].reverse() : segments) {
    const gap = last ? Math.max(segment.start - last.end, last.start - segment.end) / segment.size : 0;
    const isClose = gap > -0.4 && gap <= 0.1;
    const isApart = last && (segment.isSpaced || segment.field || last.field || !isClose);
    text += isApart ? ` ${segment.text}` : segment.text;
    last = segment;
  }
  return logical(text).trim();
}

/** Shapes of Arabic letters are in the order in which they are drawn, from left to right. */
export function isRightToLeft(segments: readonly Run[]): boolean {
  if (!segments.some((segment) => segment.isRightToLeft)) return false;
  let [left, right] = [0, 0];
  for (const { text, isRightToLeft: isRight } of segments) {
    if (shapes.test(text)) return false;
    if (isRight) right += text.length;
    else if (/\p{L}/u.test(text)) left += text.length;
  }
  return right >= left;
}

/** The shapes of Arabic letters, which a PDF may have in the order in which they are drawn: from left to right. */
const shapes = /[\ufb50-\ufdff\ufe70-\ufefc]/;
/** Latin words and numbers are written from left to right within a line of Arabic. */
const leftToRight =
  /[0-9A-Za-z\u00c0-\u024f\u0660-\u0669\u06f0-\u06f9]+(?:[.,:/-][0-9A-Za-z\u0660-\u0669\u06f0-\u06f9]+)*/g;
const mirrors: Readonly<Record<string, string>> = {
  '(': ')',
  ')': '(',
  '[': ']',
  ']': '[',
  '«': '»',
  '»': '«',
};

/** @returns the line without control characters, and with Arabic shapes as letters, from the first to the last */
export function logical(line: string): string {
  // Control characters are glyphs of a font without characters, and a form feed would end the page.
  const text = line.replace(/[^\P{Cc}\t]|[\u2028\u2029]/gu, '');
  if (!shapes.test(text)) return text;
  return reverse(text)
    .replace(leftToRight, reverse)
    .replace(/[()[\]«»]/g, (mark) => mirrors[mark] ?? mark)
    .normalize('NFKC');
}

const reverse = (text: string): string => [...text].reverse().join('');
