/**
 * The terms of a text are its words without case, accents and width, including emoji. All searches use them. Index entries are
 * removed by computing their terms again, so if terms change, keep the old version in tokenizers.ts, index everything again,
 * and change `currentAlgorithm` in lib/search/index/names.ts.
 */

import { type Span, streamSafe } from './normalise.ts';
import { wordsIn } from './words.ts';

export type { Span } from './normalise.ts';
export type Term = Span & { term: string };
export type Tokenizer = (text: string) => Iterable<Term>;

/** Longer words are compared by their start. A sort key has room for this length in any script. */
const maxCodePoints = 64;

/** Accents of Latin, Greek and Cyrillic, and vowel marks of Arabic are ignored. Other marks make another word. */
const accents = /[\u0300-\u036f\u064b-\u065f]/g;

/** The ignored characters are soft hyphens, and variation selectors, which show a pictogram in colour or as text. */
const invisible = /[\ufe00-\ufe0f\u00ad]/g;

export function* termsIn(text: string): Generator<Term> {
  for (const { text: word, start, end } of wordsIn(text)) {
    const term = foldCase(word);
    // Separate marks are not words.
    if (term !== '') yield { term, start, end };
  }
}

/** @returns whether a search could find anything in the text */
export const hasTerm = (text: string): boolean => termsIn(text).next().done === false;

/** A message is searched up to its 500th different term, because each term may be an item to write. */
export const maxDistinctTerms = 500;

/** Yields the searchable terms of a message: all terms before the first term that exceeds the number of different terms. */
export function* searchableTerms(text: string, tokenize: Tokenizer = termsIn): Generator<Term> {
  const distinct = new Set<string>();
  for (const token of tokenize(text)) {
    if (distinct.size === maxDistinctTerms && !distinct.has(token.term)) return;
    distinct.add(token.term);
    yield token;
  }
}

/** @returns the searchable terms of a message without duplicates */
export const distinctTerms = (text: string, tokenize?: Tokenizer): Set<string> =>
  new Set([...searchableTerms(text, tokenize)].map(({ term }) => term));

/** @param word a word in NFKC */
function foldCase(word: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
  if (/^[\x00-\x7f]*$/.test(word)) return cut(word.toLowerCase());
  const visible = withoutAccents(word).replace(invisible, '');
  // Marks that invisible characters separated are in a row now.
  const plain = streamSafe(visible).replaceAll('’', "'");
  // Upper case comes first, as in case folding: ß equals ss, and a final ς equals σ.
  return cut(withoutAccents(plain.toUpperCase().toLowerCase()));
}

const withoutAccents = (word: string): string => word.normalize('NFD').replace(accents, '').normalize('NFC');

function cut(term: string): string {
  if (term.length <= maxCodePoints) return term;
  return [...term.slice(0, 2 * maxCodePoints)].slice(0, maxCodePoints).join('');
}
