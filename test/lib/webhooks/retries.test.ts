import { expect, test } from 'vitest';
import { dayMs, hourMs, minuteMs, secondMs } from '../../../lib/time.ts';
import { maxAttempts, parseRetryAfterMs, retryDelayMs } from '../../../lib/webhooks/retries.ts';

const now = Date.parse('2026-03-01T09:30:00.000Z');

test('the pauses are those of the documentation, at most a fifth longer', () => {
  const pauses = [
    5 * secondMs,
    5 * minuteMs,
    30 * minuteMs,
    2 * hourMs,
    5 * hourMs,
    10 * hourMs,
    10 * hourMs,
  ];
  expect(pauses.map((_, index) => retryDelayMs(index + 1, undefined, 0))).toEqual(pauses);
  expect(pauses.map((_, index) => retryDelayMs(index + 1, undefined, 0.5))).toEqual(
    pauses.map((pause) => Math.round(pause * 1.1)),
  );
  expect(maxAttempts).toBe(8);
  expect(retryDelayMs(8, undefined, 0)).toBeUndefined();
  expect(retryDelayMs(8, hourMs, 0)).toBeUndefined();
});

test('a receiver can ask for a longer pause, of at most a day, and not for a shorter one', () => {
  expect(retryDelayMs(1, hourMs, 0)).toBe(hourMs);
  expect(retryDelayMs(7, hourMs, 0)).toBe(10 * hourMs);
  expect(retryDelayMs(1, 365 * dayMs, 0)).toBe(dayMs);
});

test.each([
  ['120', 120 * secondMs],
  ['Sun, 01 Mar 2026 09:31:00 GMT', minuteMs],
  ['0', undefined],
  ['-5', undefined],
  ['Sun, 01 Mar 2026 09:29:00 GMT', undefined],
  ['soon', undefined],
  ['9999999999999', undefined],
  [undefined, undefined],
])('Retry-After: %s', (value, expected) => {
  expect(parseRetryAfterMs(value, now)).toBe(expected);
});
