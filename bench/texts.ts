/** Texts for messages: words by Zipf's law, the same for a number each time. */

export const vocabulary = 5000;

/** @returns a maker of numbers from 0 to below 1, the same ones for a seed each time */
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

/** @returns so many words from `w1`, the most common, to `w4999`; in one text of 2500 there is a `needle` too */
export function textOf(number: number, words: number): string {
  const next = randomOf(number);
  const drawn = Array.from({ length: words }, () => `w${Math.floor(vocabulary ** next())}`);
  return `${number % 2500 === 0 ? 'needle ' : ''}${drawn.join(' ')}`;
}
