/**
 * The terms of a text: its words as searches compare them, without case, accents and width, emoji among them. All
 * searches use them. An index holds terms, and what is removed from it later is found by computing them again: whoever
 * changes what they are has to index again, and to change `algorithm` in lib/knowledge/index/search-index.ts.
 */

import type { Span } from './normalise.ts';
import { wordsIn } from './words.ts';

export type { Span } from './normalise.ts';
export type Term = Span & { term: string };

/** Longer words are told apart by their beginning; a key has room for this in any script. */
const maxCodePoints = 64;

/** Accents of Latin, Greek and Cyrillic, and the vowel marks of Arabic; elsewhere a mark makes another word. */
const accents = /[\u0300-\u036f\u064b-\u065f]/g;

/** Whether a pictogram is drawn in colour (U+FE0F) or as text makes no other word of it; nor does a soft hyphen. */
const invisible = /[\ufe00-\ufe0f\u00ad]/g;

/** Yields every term, in the order of the text. */
export function* termsIn(text: string): Generator<Term> {
  for (const { text: word, start, end } of wordsIn(text)) {
    const term = folded(word);
    // Marks that stand alone are none.
    if (term !== '') yield { term, start, end };
  }
}

/** @returns whether there is anything in the text that a search could find */
export const hasTerm = (text: string): boolean => termsIn(text).next().done === false;

/** A message is searched up to its 500th different term: each is an item of the index that has to be written. */
export const maxDistinctTerms = 500;

/** Yields the terms of a message that search knows: all before the first one that would be one different term too many. */
export function* searchableTerms(text: string): Generator<Term> {
  const seen = new Set<string>();
  for (const found of termsIn(text)) {
    if (seen.size === maxDistinctTerms && !seen.has(found.term)) return;
    seen.add(found.term);
    yield found;
  }
}

/** @returns each searchable term of a message once */
export const distinctTerms = (text: string): Set<string> =>
  new Set([...searchableTerms(text)].map(({ term }) => term));

/** @param word in NFKC */
function folded(word: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
  if (/^[\x00-\x7f]*$/.test(word)) return cut(word.toLowerCase());
  const plain = withoutAccents(word).replace(invisible, '').replaceAll('’', "'");
  // By way of the upper case, as case folding does: ß is ss, and a final ς is a σ that stands last.
  return cut(withoutAccents(plain.toUpperCase().toLowerCase()));
}

const withoutAccents = (word: string): string => word.normalize('NFD').replace(accents, '').normalize('NFC');

function cut(term: string): string {
  if (term.length <= maxCodePoints) return term;
  return [...term.slice(0, 2 * maxCodePoints)].slice(0, maxCodePoints).join('');
}
