import { expect, test } from 'vitest';
import { firstIndex } from '../../../lib/readers/bisect.ts';

test.each([
  [[], 5, 0],
  [[1, 3, 5], 0, 0],
  [[1, 3, 5], 3, 1],
  [[1, 3, 3, 3, 5], 3, 1],
  [[1, 3, 5], 4, 2],
  [[1, 3, 5], 6, 3],
])('in %j, the first number that is at least %i is at %i', (sorted, least, index) => {
  expect(firstIndex(sorted, (number) => number >= least)).toBe(index);
});

test('the work is logarithmic', () => {
  let calls = 0;
  const sorted = Array.from({ length: 100_000 }, (_, at) => at);
  const isBehind = (number: number) => {
    calls += 1;
    return number >= 76_543;
  };
  expect(firstIndex(sorted, isBehind)).toBe(76_543);
  expect(calls).toBeLessThanOrEqual(17);
});
