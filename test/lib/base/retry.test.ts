/** Retries of workers and scripts. */

import { expect, test } from 'vitest';
import { again, retry } from '../../../lib/base/retry.ts';

const failure = () => new Error('too often');

test('retry calls again until the attempt returns something else, and pauses between attempts', async () => {
  const results = [again, again, 'done'] as const;
  const pauses: number[] = [];
  let calls = 0;
  const pause = async (attempt: number) => void pauses.push(attempt);
  expect(await retry(async () => results[calls++], { maxAttempts: 3, failure, pause })).toBe('done');
  expect(calls).toBe(3);
  expect(pauses).toEqual([1, 2]);
});

test('after the last attempt, retry throws the failure without a pause', async () => {
  let calls = 0;
  let pauses = 0;
  const attempt = async () => {
    calls += 1;
    return again;
  };
  const pause = async () => {
    pauses += 1;
  };
  await expect(retry(attempt, { maxAttempts: 3, failure, pause })).rejects.toThrow('too often');
  expect([calls, pauses]).toEqual([3, 2]);
});

test('retry does not repeat an attempt that throws', async () => {
  let calls = 0;
  const attempt = async () => {
    calls += 1;
    throw new Error('broken');
  };
  await expect(retry(attempt, { maxAttempts: 3, failure })).rejects.toThrow('broken');
  expect(calls).toBe(1);
});
