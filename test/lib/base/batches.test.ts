/** Work on many values, some at a time. */

import { expect, test } from 'vitest';
import { inBatches, split } from '../../../lib/base/batches.ts';

test('split keeps every value in its order, and only the last batch may be shorter', () => {
  expect(split([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]);
  expect(split([1, 2], 2)).toEqual([[1, 2]]);
  expect(split([], 2)).toEqual([]);
});

test('inBatches never has more than a batch under way, and returns the results in order', async () => {
  let underWay = 0;
  let most = 0;
  const double = async (value: number) => {
    underWay += 1;
    most = Math.max(most, underWay);
    await new Promise(setImmediate);
    underWay -= 1;
    return value * 2;
  };
  expect(await inBatches([1, 2, 3, 4, 5], 2, double)).toEqual([2, 4, 6, 8, 10]);
  expect(most).toBe(2);
});

test('inBatches starts no further batch after an error', async () => {
  const tried: number[] = [];
  const fail = async (value: number) => {
    tried.push(value);
    throw new Error('broken');
  };
  await expect(inBatches([1, 2, 3], 2, fail)).rejects.toThrow('broken');
  expect(tried).toEqual([1, 2]);
});

test('inBatches asks between batches, not before the first, and stops when that throws', async () => {
  const done: number[] = [];
  const stop = () => {
    throw new Error('out of time');
  };
  const act = async (value: number) => void done.push(value);
  await expect(inBatches([1, 2, 3], 2, act, stop)).rejects.toThrow('out of time');
  expect(done).toEqual([1, 2]);
});
