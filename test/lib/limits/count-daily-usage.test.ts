/** The writes that count changes fit into transactions of DynamoDB. */

import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { inTransactions } from '../../../lib/limits/count-daily-usage.ts';

const uses = { day: '2026-03-01', documents: 0, bytes: 1, conversations: 0, messages: 1 };

const itemsOf = (places: readonly number[]) =>
  places.map((place, index) => ({ projectId: `proj_${place}`, id: `conv_${index}`, uses }));

test('each item is in one group, and the writes of a group fit into a transaction', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 60 }), { maxLength: 250 }), (places) => {
      const items = itemsOf(places);
      const groups = inTransactions(items);
      expect(
        groups
          .flat()
          .map(({ id }) => id)
          .sort(),
      ).toEqual(items.map(({ id }) => id).sort());
      for (const group of groups) {
        const projects = new Set(group.map(({ projectId }) => projectId)).size;
        expect(1 + 2 * projects + group.length).toBeLessThanOrEqual(100);
      }
    }),
  );
});

test.each([
  ['one project', 97, () => 0, 1],
  ['one project, and one more', 98, () => 0, 2],
  ['as many projects', 33, (n: number) => n, 1],
  ['as many projects, and one more', 34, (n: number) => n, 2],
] as const)('items of %s: %d items', (_, count, placeOf, groups) => {
  const items = itemsOf(Array.from({ length: count }, (_, n) => placeOf(n)));
  expect(inTransactions(items)).toHaveLength(groups);
});
