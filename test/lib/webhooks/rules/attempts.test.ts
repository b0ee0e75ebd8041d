import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { dayMs, hourMs, minuteMs, secondMs } from '../../../../lib/base/time.ts';
import {
  type Attempt,
  type Failure,
  isOpen,
  isSuccess,
  maxAgeMs,
  maxAttempts,
  retryDelayMs,
  withBegun,
  withOutcome,
} from '../../../../lib/webhooks/rules/attempts.ts';
import { root } from '../../../../scripts/shared/root.ts';

const at = '2026-03-01T09:30:00.000Z';
const outcome = (body: string) => ({ status: 500, durationMs: 7, body, error: null, retryAfter: undefined });

test('an attempt is open until its outcome is known', () => {
  const begun = withBegun([], at);
  expect(begun).toEqual([{ at, status: null, durationMs: null, body: null, error: 'interrupted' }]);
  expect(isOpen(begun.at(-1))).toBe(true);
  const ended = withOutcome(begun, outcome('no'));
  expect(ended).toEqual([{ at, status: 500, durationMs: 7, body: 'no', error: null }]);
  expect([isOpen(ended.at(-1)), isOpen(undefined)]).toEqual([false, false]);
});

test('the last 20 attempts are kept, and 64 KB of their bodies, the newest ones', () => {
  let attempts: Attempt[] = [];
  for (let count = 1; count <= 30; count += 1)
    attempts = withOutcome(withBegun(attempts, `${count}`), outcome('x'.repeat(16 * 1024)));
  expect(attempts.map((attempt) => attempt.at)).toEqual(
    Array.from({ length: 20 }, (_, index) => `${index + 11}`),
  );
  expect(attempts.filter(({ body }) => body !== null).map((attempt) => attempt.at)).toEqual([
    '27',
    '28',
    '29',
    '30',
  ]);
});

test.each([
  [200, null, true],
  [204, null, true],
  [299, null, true],
  [199, null, false],
  [301, 'redirect', false],
  [410, null, false],
  [500, null, false],
  [null, 'timeout', false],
  [200, 'timeout', false],
] as const)('status %s with error %s is a success: %s', (status, error, expected) => {
  expect(isSuccess({ status, error })).toBe(expected);
});

const delayMs = (failures: number, given: Partial<Failure> = {}) =>
  retryDelayMs({ failures, retryAfterMs: undefined, ageMs: 0, fraction: 0, ...given });

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
  expect(pauses.map((_, index) => delayMs(index + 1))).toEqual(pauses);
  expect(pauses.map((_, index) => delayMs(index + 1, { fraction: 0.5 }))).toEqual(
    pauses.map((pause) => Math.round(pause * 1.1)),
  );
  expect(maxAttempts).toBe(8);
  expect(delayMs(8)).toBeUndefined();
  expect(delayMs(8, { retryAfterMs: hourMs })).toBeUndefined();
});

test('a receiver can ask for a longer pause, of at most a day, and not for a shorter one', () => {
  expect(delayMs(1, { retryAfterMs: hourMs })).toBe(hourMs);
  expect(delayMs(7, { retryAfterMs: hourMs })).toBe(10 * hourMs);
  expect(delayMs(1, { retryAfterMs: 365 * dayMs })).toBe(dayMs);
});

test.each([
  ['never asks for a longer pause', undefined],
  ['asks for a day each time', dayMs],
  ['asks for five hours each time', 5 * hourMs],
  ['asks for a year each time', 365 * dayMs],
])(
  'all attempts fit into the age of a delivery whose receiver %s, however late they are',
  (_, retryAfterMs) => {
    for (const fraction of [0, 0.5, 0.999_999]) {
      for (const lateMs of [0, 2 * minuteMs + 15 * secondMs, 5 * minuteMs]) {
        let ageMs = lateMs;
        let attempts = 1;
        for (;;) {
          const pauseMs = delayMs(attempts, { retryAfterMs, ageMs, fraction });
          if (pauseMs === undefined) break;
          ageMs += pauseMs;
          expect(ageMs).toBeLessThan(maxAgeMs);
          ageMs += lateMs;
          attempts += 1;
        }
        expect(attempts).toBe(8);
      }
    }
  },
);

test('the age is what the documentation says', () => {
  const guide = readFileSync(resolve(root, 'docs/webhooks.md'), 'utf8');
  expect(guide).toContain(`After ${Math.round(maxAgeMs / hourMs)} hours, the delivery has failed`);
});
