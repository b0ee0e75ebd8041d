/** The part of a chunk that shows why it matches. */

import { pageEnd, pageEndsIn } from '../../readers/sections.ts';
import { placedSnippetOf } from '../../text/snippet.ts';
import { termsIn } from '../../text/terms.ts';

/**
 * @param weightOf how rare a term of the text is, if it is why the text was found; otherwise 0
 * @returns about 240 characters around the place with the rarest matches, the matches in it, and the number of pages that end before
 *   the first of these matches
 */
export function snippetOf(text: string, weightOf: (term: string) => number) {
  const flat = text.trim().replace(/\s+/g, (space) => pageEnd.repeat(pageEndsIn(space)) || ' ');
  const spans = [...termsIn(flat)]
    .map((span) => ({ ...span, weight: weightOf(span.term) }))
    .filter(({ weight }) => weight > 0);
  const { place, ...snippet } = placedSnippetOf(flat, spans);
  return { ...snippet, pagesBefore: pageEndsIn(flat.slice(0, place)) };
}

/**
 * @param texts the texts of one piece
 * @returns the words that match, as the texts write them, each once; at most `max`
 */
export function matchedWordsOf(
  texts: readonly string[],
  weightOf: (term: string) => number,
  max: number,
): string[] {
  const words = new Map<string, string>();
  for (const text of texts) {
    for (const { term, start, end } of termsIn(text)) {
      if (words.has(term) || weightOf(term) === 0) continue;
      words.set(term, text.slice(start, end));
      if (words.size === max) return [...words.values()];
    }
  }
  return [...words.values()];
}
