/** Finds the terms of an index that are similar to a word: longer words with the same start, and similar spellings. */

import type { Work } from '../common/work.ts';

/** How well a similar term matches the word, below 1. */
export type Similar = { term: string; weight: number };

/** The weights of MiniSearch. */
const prefixWeight = 0.375;
const spellingWeight = 0.45;
/** A fifth of the letters may differ, and at most two. */
const differingShare = 0.2;
const maxDistance = 2;
/** This many of the most similar terms are looked up. */
const maxSimilar = 50;

/**
 * @param sortedTerms all terms, sorted by code units
 * @param work the remaining work, which this reduces. When nothing is left, the remaining terms are skipped
 * @returns the most similar terms, best first, without the word itself
 */
export function similarTerms(sortedTerms: readonly string[], word: string, work: Work): Similar[] {
  const weights = new Map<string, number>();
  const maxEdits = Math.min(Math.round(word.length * differingShare), maxDistance);
  if (maxEdits > 0) {
    for (const { term, distance } of speltAlmost(sortedTerms, word, maxEdits, work)) {
      weights.set(term, (spellingWeight * term.length) / (term.length + distance));
    }
  }
  for (
    let at = firstFrom(sortedTerms, word);
    sortedTerms[at]?.startsWith(word) && work.comparisons > 0;
    at += 1
  ) {
    const term = sortedTerms[at] as string;
    work.comparisons -= word.length;
    weights.set(term, (prefixWeight * term.length) / (term.length + 0.3 * (term.length - word.length)));
  }
  weights.delete(word);
  return [...weights]
    .map(([term, weight]) => ({ term, weight }))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, maxSimilar);
}

/**
 * Walks the terms like a tree of their letters: common prefixes are compared once, and terms with a too different
 * prefix are skipped together.
 */
function* speltAlmost(sortedTerms: readonly string[], word: string, maxEdits: number, work: Work) {
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
      isTooFar = nextRow(rows, depth, term.charCodeAt(depth), word) > maxEdits;
      depth += 1;
      work.comparisons -= width;
    }
    if (isTooFar) {
      at = firstBehind(sortedTerms, term.slice(0, depth), at + 1);
      continue;
    }
    const distance = rows[term.length]?.[word.length] ?? Number.POSITIVE_INFINITY;
    if (distance > 0 && distance <= maxEdits) yield { term, distance };
    at += 1;
  }
}

/** Computes the next row. @returns the smallest distance in it */
function nextRow(rows: Uint16Array[], depth: number, letter: number, word: string): number {
  const above = rows[depth] as Uint16Array;
  rows[depth + 1] ??= new Uint16Array(above.length);
  const row = rows[depth + 1] as Uint16Array;
  let least = depth + 1;
  row[0] = least;
  for (let at = 1; at < row.length; at += 1) {
    const replacement = (above[at - 1] as number) + (word.charCodeAt(at - 1) === letter ? 0 : 1);
    const distance = Math.min(replacement, (above[at] as number) + 1, (row[at - 1] as number) + 1);
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
function firstFrom(sortedTerms: readonly string[], term: string): number {
  return search(sortedTerms, 0, (other) => other < term);
}

/** @returns the index of the first term from `from` on without this prefix */
function firstBehind(sortedTerms: readonly string[], prefix: string, from: number): number {
  return search(sortedTerms, from, (other) => other.startsWith(prefix));
}

function search(sortedTerms: readonly string[], from: number, isBefore: (term: string) => boolean): number {
  let [low, high] = [from, sortedTerms.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(sortedTerms[middle] as string)) low = middle + 1;
    else high = middle;
  }
  return low;
}
