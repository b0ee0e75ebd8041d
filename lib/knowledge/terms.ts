/** The words of a text as the search in knowledge compares them: in any script, without case, accents and width. */

import { withoutAccents, wordsIn } from '../search-text/words.ts';

/** @returns the words in their order, as they stand in the text */
export const wordsOf = (text: string): string[] => wordsIn(text).map((word) => word.text);

/** @returns the word as it is compared; an English possessive or plural counts as the word itself */
export function termOf(word: string): string {
  const lower = word.toLowerCase();
  const plain = /^[a-z0-9]*$/.test(lower) ? lower : withoutAccents(lower);
  return singular(plain.replace(/'s$/, '').replaceAll("'", ''));
}

/** The S-stemmer (D. Harman, "How effective is suffixing?", JASIS 42, 1991): few rules, none of which joins other words. */
function singular(term: string): string {
  if (term.length < 4 || !term.endsWith('s')) return term;
  if (/[^ea]ies$/.test(term)) return `${term.slice(0, -3)}y`;
  if (/[^aeo]es$/.test(term)) return term.slice(0, -1);
  return /[^us]s$/.test(term) ? term.slice(0, -1) : term;
}
