/** Where the words of a question stand in a text. The search also finds similar words: these are not marked. */

const word = /[\p{L}\p{N}]+/gu;

/** Case and accents do not matter. */
const folded = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** @returns spans in UTF-16 code units, in order */
export function wordSpans(text: string, question: string): { start: number; end: number }[] {
  const wanted = new Set((question.match(word) ?? []).map(folded));
  return [...text.matchAll(word)]
    .filter(([found]) => wanted.has(folded(found)))
    .map(({ 0: found, index }) => ({ start: index, end: index + found.length }));
}
