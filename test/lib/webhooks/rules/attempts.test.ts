import { expect, test } from 'vitest';
import {
  type Attempt,
  isOpen,
  isSuccess,
  withBegun,
  withOutcome,
} from '../../../../lib/webhooks/rules/attempts.ts';

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
