/** The history of an environment's pointer: promotion and rollback. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  currentOf,
  predecessorOf,
  previousOf,
  promoteTo,
  type ReleaseHistory,
  rollBackTo,
} from '../../../../lib/avatars/deployments/release-history.ts';

const id = fc.nat({ max: 9 }).map((digit) => `dep_${digit}`);
const history = fc
  .array(id, { maxLength: 30 })
  .map((ids) => ids.reduce<ReleaseHistory>((before, next) => promoteTo(before, next), []));

test('promotion makes a deployment current; rollback returns to the one before', () => {
  fc.assert(
    fc.property(history, id, (before, next) => {
      const after = promoteTo(before, next);
      expect(currentOf(after)).toBe(next);
      if (currentOf(before) !== next) expect(previousOf(after)).toBe(currentOf(before));
      expect(new Set(after).size).toBe(after.length);
    }),
  );
});

test('repeated rollbacks visit each deployment at most once, then stop', () => {
  fc.assert(
    fc.property(history, (start) => {
      const met = new Set<string>();
      for (let at = start; ; ) {
        const back = previousOf(at);
        if (back === null) break;
        expect(met).not.toContain(back);
        met.add(back);
        at = rollBackTo(at, back);
        expect(currentOf(at)).toBe(back);
      }
      expect(met.size).toBe(Math.max(start.length - 1, 0));
    }),
  );
});

test('a deployment that left the history returns before those deployed after it', () => {
  expect(rollBackTo(['dep_3', 'dep_5'], 'dep_4')).toEqual(['dep_3', 'dep_4']);
  expect(rollBackTo(['dep_3', 'dep_5'], 'dep_1')).toEqual(['dep_1']);
});

test('a history keeps the last 100 deployments', () => {
  const ids = Array.from({ length: 250 }, (_, index) => `dep_${String(index).padStart(3, '0')}`);
  const long = ids.reduce<ReleaseHistory>((before, next) => promoteTo(before, next), []);
  expect(long).toEqual(ids.slice(-100));
});

test('a deployment is compared with the one served before it; without a place in the history, with the current one', () => {
  const served = ['dep_1', 'dep_2', 'dep_3'];
  expect(served.map((one) => predecessorOf(served, one))).toEqual([null, 'dep_1', 'dep_2']);
  expect(predecessorOf(served, 'dep_4')).toBe('dep_3');
  expect(predecessorOf([], 'dep_4')).toBeNull();
});
