/** The encoder, with the real model. */

import { expect, test } from 'vitest';
import { cosineTo, dimensions } from '../../../../lib/search/semantic/vectors.ts';
import { fetchedEncoder } from '../../../../scripts/local/encoder.ts';
import { worstTexts } from '../../../support/worst-texts.ts';

const { encode } = await fetchedEncoder.load();

const cosine = (one: Int8Array | undefined, other: Int8Array | undefined) =>
  cosineTo(one ?? new Int8Array(dimensions), { bytes: other ?? new Int8Array(dimensions) }, 0);

test('texts of the same meaning are nearer than others', async () => {
  const [question, answer, other] = await encode([
    'how do I get my money back',
    'Refunds: we return the amount that you have paid.',
    'The weather is nice today.',
  ]);
  expect(cosine(question, answer)).toBeGreaterThan(0.4);
  expect(cosine(question, other)).toBeLessThan(0.15);
});

test('a vector does not depend on the texts beside it', async () => {
  const texts = ['one', 'a longer text than that', 'journal_mode'];
  const alone = await Promise.all(texts.map(async (text) => (await encode([text]))[0]));
  expect(await encode(texts)).toEqual(alone);
});

test('only the start of a text counts', async () => {
  const text = 'word '.repeat(300);
  const [short, long] = await encode([text, `${text} refund`]);
  expect(long).toEqual(short);
});

test.each(Object.entries(worstTexts(5_000_000)))(
  'five megabytes of %s are a vector or none',
  async (_, text) => {
    const [vector] = await encode([text]);
    expect(vector?.length ?? dimensions).toBe(dimensions);
  },
);

test('at most 64 texts at once', async () => {
  await expect(encode(Array.from({ length: 65 }, () => 'word'))).rejects.toThrow('at most 64 texts');
});

test('other work goes on between two texts, also of several callers', async () => {
  let rounds = 0;
  let isDone = false;
  const count = () => {
    rounds += 1;
    if (!isDone) setImmediate(count);
  };
  count();
  await Promise.all(Array.from({ length: 4 }, () => encode(['a word', 'two words', 'three more words'])));
  isDone = true;
  expect(rounds).toBeGreaterThanOrEqual(12);
});
