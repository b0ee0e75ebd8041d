/** The part of a chunk that shows why it matches. */

import * as shown from '../../text/snippet.ts';
import { termsIn } from '../../text/terms.ts';

/**
 * @param isMatch whether a term of the text is why it was found
 * @returns about 240 characters around the place with most matches, and the matches in it
 */
export function snippetOf(text: string, isMatch: (term: string) => boolean) {
  const flat = text.replace(/\s+/g, ' ').trim();
  return shown.snippetOf(
    flat,
    [...termsIn(flat)].filter(({ term }) => isMatch(term)),
  );
}

/**
 * @param texts of one piece
 * @returns the words that match, as the texts write them, each once; at most `max`
 */
export function matchedWordsOf(
  texts: readonly string[],
  isMatch: (term: string) => boolean,
  max: number,
): string[] {
  const words = new Map<string, string>();
  for (const text of texts) {
    for (const { term, start, end } of termsIn(text)) {
      if (words.has(term) || !isMatch(term)) continue;
      words.set(term, text.slice(start, end));
      if (words.size === max) return [...words.values()];
    }
  }
  return [...words.values()];
}
