/** Durations, for any input. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseDurationMs } from '../../../lib/base/time.ts';

describe('durations', () => {
  test('are a whole number and a unit', () => {
    const units = { h: 3_600_000, d: 86_400_000, w: 604_800_000 };
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999 }), fc.constantFrom('h', 'd', 'w'), (count, unit) => {
        expect(parseDurationMs(`${count}${unit}`)).toBe(count * units[unit as 'h']);
      }),
    );
  });

  test('anything else is invalid', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(!/^[1-9]\d{0,5}[hdw]$/.test(text));
        expect(parseDurationMs(text)).toBeUndefined();
      }),
    );
  });
});
