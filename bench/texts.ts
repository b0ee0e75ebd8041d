/** Texts for messages: words by Zipf's law, determined by their number. */

import { randomOf } from '../scripts/shared/random.ts';

const vocabulary = 5000;

/** @returns this many words from `w1`, the most common, to `w4999`; one text in 2500 also has a `needle` */
export function textOf(number: number, words: number): string {
  const next = randomOf(number);
  const drawn = Array.from({ length: words }, () => `w${Math.floor(vocabulary ** next())}`);
  return `${number % 2500 === 0 ? 'needle ' : ''}${drawn.join(' ')}`;
}
