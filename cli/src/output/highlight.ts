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

/** Case and accents do not matter to the search. */
const folded = (word: string) => word.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

const run = /[\p{L}\p{N}\p{M}]+(?:['’][\p{L}\p{N}\p{M}]+)*/gu;
/** Scripts without spaces between words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** @param words the words of a piece that match, as it writes one of them: `matchedWords` of a search */
export function highlightWords(text: string, words: readonly string[], paint: Paint): string {
  const wanted = new Set(words.map(folded));
  const painted = (word: string) => (wanted.has(folded(word)) ? paint(['bold', 'yellow'], word) : word);
  const segmenter = new Intl.Segmenter('und', { granularity: 'word' });
  return text.replace(run, (found) =>
    unspaced.test(found)
      ? [...segmenter.segment(found)].map(({ segment }) => painted(segment)).join('')
      : painted(found),
  );
}
