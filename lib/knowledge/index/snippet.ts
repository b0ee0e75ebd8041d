/** The part of a chunk that shows why it matches. */

import { termsIn } from '../../text/terms.ts';
import { excerpt, windowAround } from '../../text/window.ts';
import { pageEnd, pageEndsIn } from '../chunks/pages.ts';

const snippetLength = 240;

/**
 * @param isMatch whether a term of the text is why it was found
 * @returns about 240 characters around the place with most matches, and the number of pages that end before the first of these
 *   matches
 */
export function snippetOf(
  text: string,
  isMatch: (term: string) => boolean,
): { snippet: string; pagesBefore: number } {
  const flat = text.trim().replace(/\s+/g, (space) => pageEnd.repeat(pageEndsIn(space)) || ' ');
  const places = [...termsIn(flat)].filter(({ term }) => isMatch(term)).map(({ start }) => start);
  const shown = windowAround(flat, places, snippetLength);
  const first = places.find((place) => place >= shown.start && place < shown.end) ?? shown.start;
  const snippet = excerpt(flat.replaceAll(pageEnd, ' '), shown);
  return { snippet, pagesBefore: pageEndsIn(flat.slice(0, first)) };
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
