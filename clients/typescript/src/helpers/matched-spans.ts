/** Where the words that a search has matched stand in a text. */

const run = /[\p{L}\p{N}\p{M}]+(?:['’][\p{L}\p{N}\p{M}]+)*/gu;
/** Scripts without spaces between words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Case and accents do not matter. */
const folded = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/**
 * For highlights in the results of `knowledge.search`.
 * @param text a `snippet`, `title` or `heading`
 * @param words `matchedWords` of the same result
 * @returns the places of these words, in order, in UTF-16 code units; `end` is exclusive
 */
export function matchedSpans(text: string, words: readonly string[]): { start: number; end: number }[] {
  const wanted = new Set(words.map(folded));
  const segmenter = new Intl.Segmenter('und', { granularity: 'word' });
  return [...text.matchAll(run)].flatMap(({ 0: found, index: from }) => {
    const parts = unspaced.test(found)
      ? [...segmenter.segment(found)].map(({ segment, index }) => ({ word: segment, start: from + index }))
      : [{ word: found, start: from }];
    return parts
      .filter(({ word }) => wanted.has(folded(word)))
      .map(({ word, start }) => ({ start, end: start + word.length }));
  });
}
