/** Encoders for tests: the real one takes a quarter of a second to load, and 80 ms for a piece. */

import { hash } from 'node:crypto';
import type { EncoderSource } from '../../lib/search/semantic/encoder.ts';
import { dimensions, type Encoder, quantise, type Vector } from '../../lib/search/semantic/vectors.ts';
import { termsIn } from '../../lib/text/terms.ts';

/** Speaks no language, so that every search is by words. For all tests that are not about meaning. */
export const silentEncoder: EncoderSource = {
  model: 'silent-1',
  load: async () => ({ model: 'silent-1', dimensions, encode: async (texts) => texts.map(() => undefined) }),
};

/** Words that mean the same. */
const synonyms: Readonly<Record<string, string>> = {
  money: 'refund',
  refunds: 'refund',
  repayment: 'refund',
};

/** @returns a direction of its own for each meaning, by the words of a text; undefined if it has none of ASCII */
export function meaningOf(text: string): Vector | undefined {
  const words = [...termsIn(text)].map(({ term }) => term).filter((term) => /^[a-z0-9]+$/.test(term));
  if (words.length === 0) return undefined;
  const sum = new Float32Array(dimensions);
  for (const word of words) {
    for (const [at, number] of directionOf(synonyms[word] ?? word).entries()) {
      sum[at] = (sum[at] as number) + number;
    }
  }
  return quantise(sum);
}

const directions = new Map<string, number[]>();

function directionOf(word: string): number[] {
  const known = directions.get(word);
  if (known) return known;
  const bytes = Buffer.concat(
    Array.from({ length: dimensions / 64 }, (_, part) => hash('sha512', `${part} ${word}`, 'buffer')),
  );
  const direction = [...bytes].map((byte) => byte - 127.5);
  directions.set(word, direction);
  return direction;
}

/** An encoder that knows synonyms, and counts what it is asked for. */
export function countingEncoder(model = 'counting-1') {
  const texts: string[] = [];
  const encoder: Encoder = {
    model,
    dimensions,
    async encode(some) {
      texts.push(...some);
      return some.map(meaningOf);
    },
  };
  const source: EncoderSource = { model, load: async () => encoder, patienceMs: 60_000 };
  return { source, texts };
}
