/**
 * The terms of a text: its words as an exact search compares them, without case, accents and width, emoji among them.
 * An index holds terms, and what is removed from it later is found by computing them again: whoever changes what they are
 * has to index anew.
 */

import { withoutAccents, wordsIn } from './words.ts';

/** Longer words are told apart by their beginning; a key has room for this in any script. */
const maxCodePoints = 64;

/** Whether a pictogram is drawn in colour (U+FE0F) or as text makes no other word of it. */
const variationSelectors = /[\ufe00-\ufe0f]/g;

/** Offsets are UTF-16 code units of the text, `end` behind the last. */
export type Span = { start: number; end: number };
export type Term = Span & { term: string };

/** @returns the word as it is compared; empty for marks that stand alone */
export function termOf(word: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
  if (/^[\x00-\x7f]*$/.test(word)) return cut(word.toLowerCase());
  const plain = withoutAccents(word).replace(variationSelectors, '');
  // By way of the upper case, as case folding does: ß is ss, and a final ς is a σ that stands last.
  return cut(withoutAccents(plain.toUpperCase().toLowerCase()));
}

function cut(term: string): string {
  if (term.length <= maxCodePoints) return term;
  return [...term].slice(0, maxCodePoints).join('');
}

/** @returns every term, in the order of the text */
export const termsIn = (text: string): Term[] =>
  wordsIn(text, { emoji: true }).flatMap(({ text: word, start }) => {
    const term = termOf(word);
    return term === '' ? [] : [{ term, start, end: start + word.length }];
  });

/** @returns each term once */
export const distinctTerms = (text: string): Set<string> => new Set(termsIn(text).map(({ term }) => term));
