/** When the keys of an issuer are read again. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type KeysPlan, keysPlan } from '../../../../lib/api-keys/workload-identities/store/key-cache.ts';
import { hourMs, minuteMs, secondMs } from '../../../../lib/base/time.ts';

const nowMs = Date.UTC(2026, 0, 1);

/** @param ages of the keys and of the last attempt */
const planAt = (fetchedMs: number, attemptedMs: number, isKnown: boolean): KeysPlan =>
  keysPlan({ fetchedAt: nowMs - fetchedMs, attemptedAt: nowMs - attemptedMs }, isKnown, nowMs);

describe('a known key', () => {
  test.each<[number, number, KeysPlan]>([
    [0, 0, { kind: 'use' }],
    [10 * minuteMs - 1, 10 * minuteMs - 1, { kind: 'use' }],
    [10 * minuteMs, 10 * minuteMs, { kind: 'read', otherwise: 'use' }],
    // Somebody is reading the keys, or has failed.
    [10 * minuteMs, secondMs, { kind: 'use' }],
    [hourMs - 1, minuteMs - 1, { kind: 'use' }],
    [hourMs - 1, minuteMs, { kind: 'read', otherwise: 'use' }],
    [hourMs, minuteMs, { kind: 'read', otherwise: 'unavailable' }],
    [hourMs, 4 * secondMs - 1, { kind: 'wait' }],
    [hourMs, 4 * secondMs, { kind: 'unavailable', retryAfterMs: 56 * secondMs }],
  ])('of %d ms, after an attempt before %d ms', (fetched, attempted, plan) => {
    expect(planAt(fetched, attempted, true)).toEqual(plan);
  });
});

describe('an unknown key', () => {
  test.each<[number, number, KeysPlan]>([
    [0, 0, { kind: 'unknown' }],
    [minuteMs - 1, minuteMs - 1, { kind: 'unknown' }],
    [minuteMs, minuteMs, { kind: 'read', otherwise: 'unavailable' }],
    [5 * minuteMs, secondMs, { kind: 'wait' }],
    [5 * minuteMs, 30 * secondMs, { kind: 'unavailable', retryAfterMs: 30 * secondMs }],
    [5 * minuteMs, minuteMs, { kind: 'read', otherwise: 'unavailable' }],
  ])('keys of %d ms, after an attempt before %d ms', (fetched, attempted, plan) => {
    expect(planAt(fetched, attempted, false)).toEqual(plan);
  });
});

test('no request reads keys within a minute of an attempt, and nobody uses keys of an hour', () => {
  const age = fc.integer({ min: 0, max: 2 * hourMs });
  fc.assert(
    fc.property(age, age, fc.boolean(), (one, other, isKnown) => {
      const [fetched, attempted] = [Math.max(one, other), Math.min(one, other)];
      const plan = planAt(fetched, attempted, isKnown);
      if (attempted < minuteMs) expect(plan.kind).not.toBe('read');
      if (!isKnown || fetched >= hourMs) {
        expect(plan.kind).not.toBe('use');
        expect(plan).not.toMatchObject({ otherwise: 'use' });
      }
    }),
  );
});
