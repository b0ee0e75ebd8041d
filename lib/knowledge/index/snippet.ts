/** The part of a chunk that shows why it matches. */

import { termsIn } from '../../text/terms.ts';
import { excerpt, windowAround } from '../../text/window.ts';

const snippetLength = 240;

/**
 * @param isMatch whether a term of the text is why it was found
 * @returns about 240 characters around the place with most matches
 */
export function snippetOf(text: string, isMatch: (term: string) => boolean): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  const found = [...termsIn(flat)].filter(({ term }) => isMatch(term));
  return excerpt(
    flat,
    windowAround(
      flat,
      found.map(({ start }) => start),
      snippetLength,
    ),
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
