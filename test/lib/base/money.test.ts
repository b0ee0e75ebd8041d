import { expect, test } from 'vitest';
import { costOf, microUsdOf, usdOf } from '../../../lib/base/money.ts';

test.each([
  [0, 0, 0],
  [1, 0, 1],
  [3, 0, 1],
  [10, 0, 1],
  [11, 0, 2],
  [0, 30, 9],
  [1_000_000, 1_000_000, 400_000],
])('%i and %i tokens cost %i', (inputTokens, outputTokens, micro) => {
  const prices = { inputUsdPerMillionTokens: 0.1, outputUsdPerMillionTokens: 0.3 };
  expect(costOf({ inputTokens, outputTokens }, prices)).toBe(micro);
});

test.each([
  [0.1, 100_000],
  [0.29, 290_000],
  [0.0000019, 1],
  [1000, 1_000_000_000],
])('%f USD are %i millionths', (usd, micro) => {
  expect(microUsdOf(usd)).toBe(micro);
});

test('millionths are shown as USD', () => {
  expect(usdOf(290_000)).toBe(0.29);
});
