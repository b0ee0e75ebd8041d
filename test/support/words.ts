/** How well two texts agree by their words. */

/** @returns how often each word is in a text. A word is a row of letters and digits; its case does not count */
export function wordsOf(text: string): Map<string, number> {
  const words = new Map<string, number>();
  for (const word of text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [])
    words.set(word, (words.get(word) ?? 0) + 1);
  return words;
}

export const countOf = (words: ReadonlyMap<string, number>): number =>
  [...words.values()].reduce((sum, times) => sum + times, 0);

/** @returns the F1 of the words, from 0 to 1: a word counts as often as both texts have it */
export function agreement(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): number {
  const all = countOf(one) + countOf(other);
  let common = 0;
  for (const [word, times] of one) common += Math.min(times, other.get(word) ?? 0);
  return all === 0 ? 1 : (2 * common) / all;
}

/** @returns the share of the words that the text has, from 0 to 1 */
export function shareFound(words: ReadonlyMap<string, number>, text: ReadonlyMap<string, number>): number {
  let found = 0;
  for (const [word, times] of words) found += Math.min(times, text.get(word) ?? 0);
  return found / countOf(words);
}
