/** Ids, for any time. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { firstIdAt, lastIdAt, newIdFactory, timeOfId } from '../../../lib/base/ids.ts';

describe('ids', () => {
  test('rise strictly, even within a millisecond and when the clock goes back', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 2 }), (times) => {
        const make = newIdFactory(Math.random);
        const ids = times.map((ms) => make('project', ms));
        expect(ids).toEqual([...new Set(ids)].sort());
      }),
    );
  });

  test('for another time carry that time, and the others keep rising', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 2 ** 48 - 1 }), { minLength: 1 }), (times) => {
        const make = newIdFactory(Math.random);
        const present = [make('conversation', 1000)];
        for (const atMs of times) {
          expect(timeOfId(make('conversation', 1000, atMs))).toBe(atMs);
          present.push(make('conversation', 1000));
        }
        expect(present).toEqual([...new Set(present)].sort());
        expect(timeOfId(present.at(-1) ?? '')).toBe(1000);
      }),
    );
  });

  test('lie between the first and the last of their millisecond', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1 }), (ms) => {
        const id = newIdFactory(Math.random)('project', ms);
        expect(firstIdAt('project', ms) <= id && id <= lastIdAt('project', ms)).toBe(true);
        expect(lastIdAt('project', ms) < firstIdAt('project', ms + 1)).toBe(true);
      }),
    );
  });
});
