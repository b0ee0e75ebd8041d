/** Finds the terms of an index that are spelt almost like a word. */

import type { Work } from './search-index.ts';

/** A term, and how many letters are missing, surplus or wrong in it. */
export type Spelling = { term: string; distance: number };

/**
 * Walks the terms like a tree of their letters: common prefixes are compared once, and terms with a too different
 * prefix are skipped together.
 * @param sortedTerms all terms, sorted by code units
 * @param work the remaining work, which this reduces. When nothing is left, the remaining terms are skipped
 * @param exchange whether two exchanged neighbours are one wrong letter or two
 * @returns the terms with 1 to `maxDistance` wrong letters, in order
 */
export function similarSpellings(
  sortedTerms: readonly string[],
  word: string,
  maxDistance: number,
  work: Work,
  exchange: 'one' | 'two',
): Spelling[] {
  const spellings: Spelling[] = [];
  const width = word.length + 1;
  // Row n has the distances (V. Levenshtein, 1966) between the first n letters of a term and every prefix of the word.
  const rows: Uint16Array[] = [Uint16Array.from({ length: width }, (_, at) => at)];
  let previousTerm = '';
  for (let at = 0; at < sortedTerms.length && work.comparisons > 0; ) {
    const term = sortedTerms[at] as string;
    let depth = commonLength(previousTerm, term);
    previousTerm = term;
    let isTooFar = false;
    while (depth < term.length && !isTooFar) {
      isTooFar = nextRow(rows, depth, term, word, exchange) > maxDistance;
      depth += 1;
      work.comparisons -= width;
    }
    if (isTooFar) {
      at = firstBehind(sortedTerms, term.slice(0, depth), at + 1);
      continue;
    }
    const distance = rows[term.length]?.[word.length] ?? Number.POSITIVE_INFINITY;
    if (distance > 0 && distance <= maxDistance) spellings.push({ term, distance });
    at += 1;
  }
  return spellings;
}

/** Computes the next row. @returns the smallest distance in it */
function nextRow(
  rows: Uint16Array[],
  depth: number,
  term: string,
  word: string,
  exchange: 'one' | 'two',
): number {
  const above = rows[depth] as Uint16Array;
  const earlier = exchange === 'one' ? rows[depth - 1] : undefined;
  rows[depth + 1] ??= new Uint16Array(above.length);
  const row = rows[depth + 1] as Uint16Array;
  const letter = term.charCodeAt(depth);
  const previous = term.charCodeAt(depth - 1);
  let least = depth + 1;
  row[0] = least;
  for (let at = 1; at < row.length; at += 1) {
    const wordLetter = word.charCodeAt(at - 1);
    const replacement = (above[at - 1] as number) + (wordLetter === letter ? 0 : 1);
    let distance = Math.min(replacement, (above[at] as number) + 1, (row[at - 1] as number) + 1);
    if (earlier && at > 1 && wordLetter === previous && word.charCodeAt(at - 2) === letter) {
      distance = Math.min(distance, (earlier[at - 2] as number) + 1);
    }
    row[at] = distance;
    if (distance < least) least = distance;
  }
  return least;
}

function commonLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}

/** @returns the index of the first term that equals or follows this one */
export const firstFrom = (sortedTerms: readonly string[], term: string): number =>
  search(sortedTerms, 0, (other) => other < term);

/** @returns the index of the first term from `from` on without this prefix */
const firstBehind = (sortedTerms: readonly string[], prefix: string, from: number): number =>
  search(sortedTerms, from, (other) => other.startsWith(prefix));

function search(sortedTerms: readonly string[], from: number, isBefore: (term: string) => boolean): number {
  let [low, high] = [from, sortedTerms.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(sortedTerms[middle] as string)) low = middle + 1;
    else high = middle;
  }
  return low;
}
