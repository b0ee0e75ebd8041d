/** When a key is about to expire. */

import { expect, test } from 'vitest';
import { dayMs, hourMs, timestamp } from '../../../../lib/base/time.ts';
import { around, momentsOf } from '../../../../lib/events/from-changes/moments.ts';

const startMs = Date.parse('2026-03-01T09:30:00.000Z');
const keyOf = (lifeMs: number, revokedAt: string | null = null) => ({
  createdAt: timestamp(startMs),
  expiresAt: timestamp(startMs + lifeMs),
  revokedAt,
});

test.each([
  ['a tenth of its life before the end', 10 * hourMs, hourMs],
  ['at most 7 days before the end', 365 * dayMs, 7 * dayMs],
])('expiring is %s', (_, lifeMs, noticeMs) => {
  expect(momentsOf(keyOf(lifeMs))).toEqual([
    { type: 'api_key.expiring', atMs: startMs + lifeMs - noticeMs },
    { type: 'api_key.expired', atMs: startMs + lifeMs },
  ]);
});

test('a revoked key, and one without an end, has no moments', () => {
  expect(momentsOf(keyOf(dayMs, timestamp(startMs)))).toEqual([]);
  expect(momentsOf({ ...keyOf(dayMs), expiresAt: null })).toEqual([]);
});

test('a moment has come at its time, not after it', () => {
  const moments = momentsOf(keyOf(10 * hourMs));
  const [expiring, expired] = moments;
  expect(around(moments, startMs)).toEqual({ latest: undefined, next: expiring });
  expect(around(moments, startMs + 9 * hourMs)).toEqual({ latest: expiring, next: expired });
  expect(around(moments, startMs + 10 * hourMs)).toEqual({ latest: expired, next: undefined });
});
