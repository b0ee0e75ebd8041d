/** Matches in snippets. */

import { type Paint, safeLine } from './text.ts';

/** @param matches offsets in UTF-16 code units, in order */
export function highlightMatches(
  snippet: string,
  matches: readonly { start: number; end: number }[],
  paint: Paint,
): string {
  let at = 0;
  const parts = matches.map(({ start, end }) => {
    const before = snippet.slice(at, start);
    at = end;
    return safeLine(before) + paint(['bold', 'yellow'], safeLine(snippet.slice(start, end)));
  });
  return parts.join('') + safeLine(snippet.slice(at));
}

/** As the search compares words: without case, accents and an English plural. */
const folded = (word: string) =>
  word
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/(?<=...)s$/, '');

/** The words of the query, where the API does not say what has matched. */
export function highlightWords(text: string, query: string, paint: Paint): string {
  const words = /[\p{L}\p{N}\p{M}]+/gu;
  const wanted = new Set((query.match(words) ?? []).map(folded));
  return text.replace(words, (word) => (wanted.has(folded(word)) ? paint(['bold', 'yellow'], word) : word));
}
