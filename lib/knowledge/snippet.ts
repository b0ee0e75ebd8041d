/** The part of a chunk that says why it was found. */

import { excerpt, windowAround } from '../search-text/window.ts';
import { wordsIn } from '../search-text/words.ts';
import { termOf, wordsOf } from './terms.ts';

const snippetLength = 240;

/** @returns about 240 characters around the place where most words of the query stand close together */
export function snippetOf(text: string, query: string): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  const wanted = new Set(wordsOf(query).map(termOf));
  const found = wordsIn(flat).filter((word) => wanted.has(termOf(word.text)));
  return excerpt(
    flat,
    windowAround(
      flat,
      found.map(({ start }) => start),
      snippetLength,
    ),
  );
}
