import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  amountsOf,
  contributedUnit,
  readSum,
  type UnitAmounts,
  type UnitContribution,
} from '../../../lib/rollouts/contribution.ts';
import { assignmentOf, rolloutId } from '../../support/stored-rollouts.ts';

const sum = `${rolloutId}#1#candidate`;
const none: UnitAmounts = { conversations: 0, messages: 0, durationSeconds: 0 };

/** Adds as the table does. */
const added = (all: readonly UnitAmounts[], sign = 1, from: UnitAmounts = none): UnitAmounts => {
  const total = new Map<string, bigint>(Object.entries(from).map(([name, amount]) => [name, BigInt(amount)]));
  for (const amounts of all)
    for (const [name, amount] of Object.entries(amounts))
      total.set(name, (total.get(name) ?? 0n) + BigInt(sign) * BigInt(amount));
  return { ...none, ...Object.fromEntries([...total].map(([name, amount]) => [name, Number(amount)])) };
};

const value = fc.oneof(
  fc.constantFrom(null, 0, 1, -1, 1e9, -1e9, 999_999_999.999_999_9, 4.25, 1e-9, -0.123456789),
  fc.double({ min: -1e9, max: 1e9, noNaN: true }).map((number) => Number(number.toFixed(6))),
);
const unit = fc.record({
  values: fc.tuple(value, value),
  messages: fc.nat({ max: 100_000 }),
  durationSeconds: fc.nat({ max: 1_000_000_000 }),
});

const close = (actual: number, expected: number, scale: number) =>
  expect(Math.abs(actual - expected)).toBeLessThanOrEqual(1e-12 * scale + 1e-17);

test('the moments that are read are those of the values, and subtracted amounts leave nothing', () => {
  fc.assert(
    fc.property(fc.array(unit, { minLength: 1, maxLength: 30 }), (units) => {
      const amounts = units.map(({ values, ...counts }) =>
        amountsOf({ of: sum, unit: 'ended', values }, counts),
      );
      for (const amount of amounts.flatMap((one) => Object.values(one))) {
        expect(Number.isSafeInteger(amount)).toBe(true);
        expect(Math.abs(amount)).toBeLessThanOrEqual(1e9);
      }
      const total = added(amounts);
      const read = readSum(sum, total);
      expect(read).toMatchObject({ span: 1, variant: 'candidate', units: units.length, open: 0 });
      for (const guard of [0, 1] as const) {
        const known = units.map(({ values }) => values[guard]).filter((one) => one !== null);
        const moments = read?.guards[guard]?.moments ?? { count: -1, sum: 0, squares: 0 };
        expect(moments.count).toBe(known.length);
        expect(read?.guards[guard]?.unknown).toBe(units.length - known.length);
        const squares = known.reduce((all, one) => all + one ** 2, 0);
        close(
          moments.sum,
          known.reduce((all, one) => all + one, 0),
          known.reduce((all, one) => all + Math.abs(one), 0),
        );
        close(moments.squares, squares, squares);
      }
      for (const [measure, moments] of [
        ['durationSeconds', read?.duration],
        ['messages', read?.messages],
      ] as const) {
        const squares = units.reduce((all, one) => all + one[measure] ** 2, 0);
        expect(moments).toMatchObject({
          count: units.length,
          sum: units.reduce((all, one) => all + one[measure], 0),
        });
        close(moments?.squares ?? -1, squares, squares);
      }
      expect(Object.values(added(amounts, -1, total)).every((amount) => amount === 0)).toBe(true);
    }),
  );
});

test('an open unit, and a later conversation of a unit, have no values', () => {
  const counts = { messages: 3, durationSeconds: 60 };
  const open = amountsOf({ of: sum, unit: 'open' }, counts);
  const later = amountsOf({ of: sum }, counts);
  const read = readSum(sum, added([open, later]));
  const empty = { count: 0, sum: 0, squares: 0 };
  expect(read).toMatchObject({ conversations: 2, units: 1, open: 1, duration: empty, messages: empty });
  expect(read?.guards).toEqual(Array.from({ length: 5 }, () => ({ moments: empty, unknown: 0 })));
});

test('a value is 0 or 1 for true and false and for a category, and null if it is unknown', () => {
  const guards = [
    { score: 'solved' },
    { score: 'topic', value: 'refund' },
    { score: 'topic', value: 'other' },
    { score: 'csat' },
    { score: 'missing' },
  ];
  const rollouts = new Map([[rolloutId, { guards }]]);
  const conversation = { assignment: assignmentOf('candidate'), counted: true, status: 'ended' } as const;
  const scores = { solved: { value: false }, topic: { value: 'refund' }, csat: { value: 4.5 } };
  const contributed = (changes: object): UnitContribution | undefined =>
    contributedUnit({ ...conversation, ...changes }, scores, rollouts);
  expect(contributed({})).toEqual({ of: sum, unit: 'ended', values: [0, 1, 0, 4.5, null] });
  expect(contributed({ status: 'active' })).toEqual({ of: sum, unit: 'open' });
  expect(contributed({ counted: undefined })).toEqual({ of: sum });
  expect(contributed({ counted: undefined, late: true })).toBeUndefined();
  expect(contributed({ assignment: undefined })).toBeUndefined();
  expect(contributedUnit(conversation, { solved: { value: null } }, rollouts)?.values?.[0]).toBeNull();
});
