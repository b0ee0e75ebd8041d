/** The terms of a text as the search in knowledge compares them: those of every search, each English word in one form. */

import { termsIn } from '../../text/terms.ts';

/** @returns the terms in the order of the text; an English possessive or plural counts as the word itself */
export const termsOf = (text: string): string[] => [...termsIn(text)].map(({ term }) => stemOf(term));

/** @param term as `termsIn` has it */
export const stemOf = (term: string): string => singular(term.replace(/'s$/, '').replaceAll("'", ''));

/** The S-stemmer (D. Harman, "How effective is suffixing?", JASIS 42, 1991): few rules, none of which joins other words. */
function singular(term: string): string {
  if (term.length < 4 || !term.endsWith('s')) return term;
  if (/[^ea]ies$/.test(term)) return `${term.slice(0, -3)}y`;
  if (/[^aeo]es$/.test(term)) return term.slice(0, -1);
  return /[^us]s$/.test(term) ? term.slice(0, -1) : term;
}
