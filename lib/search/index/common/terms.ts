/** The terms of a text for the search in documents: the common terms, with English words in one form. */

import { termsIn } from '../../../text/terms.ts';

/** @returns the terms in the order of the text; an English possessive or plural counts as the word itself */
export const termsOf = (text: string): string[] => [...termsIn(text)].map(({ term }) => stemOf(term));

/** @param term a term from `termsIn` */
export const stemOf = (term: string): string => singular(term.replace(/'s$/, '').replaceAll("'", ''));

/**
 * The S-stemmer (D. Harman, "How effective is suffixing?", JASIS 42, 1991): few rules, which do not merge different
 * words.
 */
function singular(term: string): string {
  if (term.length < 4 || !term.endsWith('s')) return term;
  if (/[^ea]ies$/.test(term)) return `${term.slice(0, -3)}y`;
  if (/[^aeo]es$/.test(term)) return term.slice(0, -1);
  return /[^us]s$/.test(term) ? term.slice(0, -1) : term;
}
