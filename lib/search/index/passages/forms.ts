/** The terms of an index that match a word of a query: its own forms, and if it is unknown, what it may have meant. */

import type { Work } from '../common/search-index.ts';
import { firstFrom, type Spelling, similarSpellings } from '../common/spelling.ts';
import { stemOf } from './stem.ts';

/** The terms with their weights, at most 1. `weight` is that of the word: a guess counts less. */
export type Forms = {
  terms: ReadonlyMap<string, number>;
  weight: number;
  /** Whether the index has the word in any form of its stem. */
  isKnown: boolean;
};

export type Vocabulary = {
  /** All terms, sorted by code units. */
  sortedTerms: readonly string[];
  /** @returns the number of postings; 0 if the index does not have the term */
  frequency(term: string): number;
};

const sameStemWeight = 0.85;
const otherEndingWeight = 0.5;
const otherSpellingWeight = 0.6;
const partWeight = 0.6;
const longerTermWeight = 0.5;

/** A word with more postings than this is spelt as the documents spell it. */
const rareFrequency = 10;
const maxSpellings = 4;
const maxLongerTerms = 20;
/** The work of looking at a term, and of computing its stem, in letters. */
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
  if (postings <= rareFrequency && word.length >= 5) {
    each(vocabulary, word.slice(0, Math.max(4, word.length - 3)), work, (term) => {
      if (term !== word && differOnlyInEnding(word, term)) add(terms, term, otherEndingWeight);
    });
  }
  const isKnown = postings > 0;
  return { terms, weight: isKnown ? 1 : otherSpellingWeight, isKnown };
}

/**
 * @param work the remaining work, which this reduces
 * @returns what an unknown word may have meant, with its forms
 */
export function guessesOf(vocabulary: Vocabulary, word: string, forms: Forms, work: Work): Forms {
  const { sortedTerms, frequency } = vocabulary;
  const terms = new Map(forms.terms);
  for (const { term, weight } of bestSpellings(speltAlmost(sortedTerms, word, work), frequency)) {
    addStem(vocabulary, terms, term, weight, work);
  }
  if (terms.size === 0) for (const term of partsOf(word, frequency)) add(terms, term, partWeight);
  if (terms.size === 0 && word.length >= 3) {
    each(vocabulary, word, work, (term) => {
      if (terms.size < maxLongerTerms) add(terms, term, longerTermWeight);
    });
  }
  return { ...forms, terms };
}

type Weights = Map<string, number>;

const add = (terms: Weights, term: string, weight: number) =>
  terms.set(term, Math.max(terms.get(term) ?? 0, weight));

/** Calls back for each term with this beginning. */
function each({ sortedTerms }: Vocabulary, prefix: string, work: Work, visit: (term: string) => void): void {
  for (
    let at = firstFrom(sortedTerms, prefix);
    sortedTerms[at]?.startsWith(prefix) && work.comparisons > 0;
    at += 1
  ) {
    work.comparisons -= costOfTerm;
    visit(sortedTerms[at] as string);
  }
}

function addStem(vocabulary: Vocabulary, terms: Weights, word: string, weight: number, work: Work): void {
  if (vocabulary.frequency(word) > 0) add(terms, word, weight);
  const stem = stemOf(word);
  if (stem.length < 3) return;
  // Other forms may differ from the stem in its last letter: "happy" and "happiness".
  each(vocabulary, stem.length > 3 ? stem.slice(0, -1) : stem, work, (term) => {
    if (term === word || term.length > stem.length + maxEnding) return;
    work.comparisons -= costOfStem;
    if (stemOf(term) === stem) add(terms, term, weight * sameStemWeight);
  });
}

/** @returns the closest spellings; of two that are as close, the more frequent is the likelier */
function bestSpellings(
  spellings: readonly { term: string; distance: number }[],
  frequency: (term: string) => number,
): { term: string; weight: number }[] {
  const ranked = spellings.toSorted(
    (a, b) => a.distance - b.distance || frequency(b.term) - frequency(a.term),
  );
  const least = ranked[0]?.distance ?? 0;
  return ranked
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

/** A longer word may have two wrong letters, a shorter word one, and a very short word none. */
const maxEditsFor = (word: string): number => (word.length < 4 ? 0 : word.length < 8 ? 1 : 2);

/** A wrong first letter is rare. */
const firstLetterPenalty = 0.5;

/**
 * @param work the remaining work, which this reduces
 * @returns the terms that are spelt almost like the word. Terms with digits are left out, because another digit is another thing
 */
export function speltAlmost(sortedTerms: readonly string[], word: string, work: Work): Spelling[] {
  const maxEdits = maxEditsFor(word);
  if (maxEdits === 0 || /\d/.test(word)) return [];
  return similarSpellings(sortedTerms, word, maxEdits, work, 'one')
    .filter(({ term }) => !/\d/.test(term))
    .map(({ term, distance }) => ({
      term,
      distance: distance + (term[0] === word[0] ? 0 : firstLetterPenalty),
    }));
}
