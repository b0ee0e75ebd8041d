/** The part of a chunk that shows why it matches. */

import { termsIn } from '../../text/terms.ts';
import { excerpt, windowAround } from '../../text/window.ts';
import { stemOf, termsOf } from './terms.ts';

const snippetLength = 240;

/** @returns about 240 characters around the place with most words of the query */
export function snippetOf(text: string, query: string): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  const wanted = new Set(termsOf(query));
  const found = [...termsIn(flat)].filter(({ term }) => wanted.has(stemOf(term)));
  return excerpt(
    flat,
    windowAround(
      flat,
      found.map(({ start }) => start),
      snippetLength,
    ),
  );
}
