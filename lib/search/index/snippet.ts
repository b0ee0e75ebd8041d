/** The part of a chunk that shows why it matches. */

import { pageEnd, pageEndsIn } from '../../readers/sections.ts';
import { placedSnippetOf } from '../../text/snippet.ts';
import { termsIn } from '../../text/terms.ts';

/**
 * @param isMatch whether a term of the text is why it was found
 * @returns about 240 characters around the place with most matches, the matches in it, and the number of pages that end before the
 *   first of these matches
 */
export function snippetOf(text: string, isMatch: (term: string) => boolean) {
  const flat = text.trim().replace(/\s+/g, (space) => pageEnd.repeat(pageEndsIn(space)) || ' ');
  const spans = [...termsIn(flat)].filter(({ term }) => isMatch(term));
  const { place, ...snippet } = placedSnippetOf(flat, spans);
  return { ...snippet, pagesBefore: pageEndsIn(flat.slice(0, place)) };
}

/**
 * @param texts the texts of one piece
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
