/** Texts for messages: words by Zipf's law, and prose; determined by their number. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

export const vocabulary = 5000;

/** @returns a generator of numbers from 0 to below 1, the same for the same seed */
export function randomOf(seed: number): () => number {
  let state = seed + 1;
  const next = () => {
    // "xorshift" (G. Marsaglia, Journal of Statistical Software 8(14), 2003).
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  for (let warm = 0; warm < 10; warm += 1) next();
  return next;
}

/** @returns this many words from `w1`, the most common, to `w4999`; one text in 2500 also has a `needle` */
export function textOf(number: number, words: number): string {
  const next = randomOf(number);
  const drawn = Array.from({ length: words }, () => `w${Math.floor(vocabulary ** next())}`);
  return `${number % 2500 === 0 ? 'needle ' : ''}${drawn.join(' ')}`;
}

/** Ordinary English about one subject: a document of this repository, without its code and tables. */
const prose = readFileSync(resolve(import.meta.dirname, '../docs/storage.md'), 'utf8')
  .replace(/```[\s\S]*?```|^\|.*$/gm, '')
  .split(/\s+/);

/** @returns the words of the document from this message on */
export const proseOf = (number: number, words: number): string =>
  prose.slice(number * words, (number + 1) * words).join(' ');
