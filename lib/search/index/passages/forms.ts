/** The terms of an index that match a word of a query: its own forms, and if it is unknown, what it may have meant. */

import type { Work } from '../common/work.ts';
import { firstFrom, speltAlmost } from './spelling.ts';
import { stemOf } from './stem.ts';

/** The terms with their weights, at most 1. `weight` is the word's own: a guess counts less. */
export type Forms = {
  terms: ReadonlyMap<string, number>;
  weight: number;
  /** Whether the index has the word in any form of its stem. */
  isKnown: boolean;
};

export type Vocabulary = {
  /** All terms, sorted by code units. */
  sorted: readonly string[];
  /** @returns the number of postings; 0 if the index does not have the term */
  frequency(term: string): number;
};

const sameStem = 0.85;
const otherEnding = 0.5;
const otherSpelling = 0.6;
const part = 0.6;
const longer = 0.5;

/** A word with more postings than this is spelt as the documents spell it. */
const rare = 10;
const maxSpellings = 4;
const maxLonger = 20;
/** What looking at a term and computing its stem cost, in letters. */
const costOfTerm = 10;
const costOfStem = 400;
/** The longest ending: "-fulnesses". */
const maxEnding = 9;

/**
 * @param work the remaining work, which this reduces
 * @returns the forms of a word that the index has
 */
export function formsOf(vocabulary: Vocabulary, word: string, work: Work): Forms {
  const { frequency } = vocabulary;
  const terms = new Map<string, number>();
  addStem(vocabulary, terms, word, 1, work);
  const postings = [...terms.keys()].reduce((sum, term) => sum + frequency(term), 0);
  if (postings <= rare && word.length >= 5) {
    each(vocabulary, word.slice(0, Math.max(4, word.length - 3)), work, (term) => {
      if (term !== word && differOnlyInEnding(word, term)) add(terms, term, otherEnding);
    });
  }
  const isKnown = postings > 0;
  return { terms, weight: isKnown ? 1 : otherSpelling, isKnown };
}

/**
 * @param work the remaining work, which this reduces
 * @returns what an unknown word may have meant, with its forms
 */
export function guessesOf(vocabulary: Vocabulary, word: string, known: Forms, work: Work): Forms {
  const { sorted, frequency } = vocabulary;
  const terms = new Map(known.terms);
  for (const { term, weight } of bestSpellings(speltAlmost(sorted, word, work), frequency)) {
    addStem(vocabulary, terms, term, weight, work);
  }
  if (terms.size === 0) for (const term of partsOf(word, frequency)) add(terms, term, part);
  if (terms.size === 0 && word.length >= 3) {
    each(vocabulary, word, work, (term) => {
      if (terms.size < maxLonger) add(terms, term, longer);
    });
  }
  return { ...known, terms };
}

type Weights = Map<string, number>;

const add = (terms: Weights, term: string, weight: number) =>
  terms.set(term, Math.max(terms.get(term) ?? 0, weight));

/** Calls back for each term with this beginning. */
function each({ sorted }: Vocabulary, prefix: string, work: Work, visit: (term: string) => void): void {
  for (let at = firstFrom(sorted, prefix); sorted[at]?.startsWith(prefix) && work.comparisons > 0; at += 1) {
    work.comparisons -= costOfTerm;
    visit(sorted[at] as string);
  }
}

/** Adds a term, and all terms with its stem. */
function addStem(vocabulary: Vocabulary, terms: Weights, own: string, weight: number, work: Work): void {
  if (vocabulary.frequency(own) > 0) add(terms, own, weight);
  const stem = stemOf(own);
  if (stem.length < 3) return;
  // Other forms may differ from the stem in its last letter: "happy" and "happiness".
  each(vocabulary, stem.length > 3 ? stem.slice(0, -1) : stem, work, (term) => {
    if (term === own || term.length > stem.length + maxEnding) return;
    work.comparisons -= costOfStem;
    if (stemOf(term) === stem) add(terms, term, weight * sameStem);
  });
}

/** @returns the closest spellings; of two that are as close, the more frequent is the likelier */
function bestSpellings(
  found: readonly { term: string; distance: number }[],
  frequency: (term: string) => number,
): { term: string; weight: number }[] {
  const sorted = found.toSorted((a, b) => a.distance - b.distance || frequency(b.term) - frequency(a.term));
  const least = sorted[0]?.distance ?? 0;
  return sorted
    .filter(({ distance }) => distance <= least + 0.5)
    .slice(0, maxSpellings)
    .map(({ term, distance }, at) => ({
      term,
      weight: (at === 0 ? 1 : 0.7) / (1 + 0.3 * (distance - least)),
    }));
}

/** @returns two terms of the index that were written as one word, if there are any */
function partsOf(word: string, frequency: (term: string) => number): string[] {
  const all: string[] = [];
  for (let at = 3; at <= word.length - 3; at += 1) {
    const parts = [word.slice(0, at), word.slice(at)];
    if (parts.every((term) => frequency(term) > 0)) all.push(...parts);
  }
  return all;
}

/** Endings of nouns, verbs and adjectives in languages with Latin letters, after the terms have lost their accents. */
const endings = new Set([
  '',
  ...'a ait ant as e ee ees em en end ent er es ion ions n o os r re s st t te ten ung ungen x aux'.split(
    ' ',
  ),
]);

function differOnlyInEnding(a: string, b: string): boolean {
  let common = 0;
  while (common < a.length && a[common] === b[common]) common += 1;
  return common >= 4 && endings.has(a.slice(common)) && endings.has(b.slice(common));
}
