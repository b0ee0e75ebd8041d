/** The verdict of a guard: breached, passed, or undecided with the reason. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Guard, type GuardFigures, judge, type SideCounts } from '../../../lib/rollouts/guard.ts';
import { firstValues, type Moments, type SpanMoments } from '../../../lib/rollouts/sequence.ts';

const guard: Guard = {
  score: 'solved',
  better: 'higher',
  value: true,
  maxHarm: 0.05,
  minimum: 50,
  maxUnknown: 0.2,
};

const share = (hits: number, count: number): Moments => ({ count, sum: hits, squares: hits });

/** One span, in which all units have ended with a value, unless the counts say something else. */
function figures(
  current: Moments,
  candidate: Moments,
  counts: { current?: Partial<SideCounts>; candidate?: Partial<SideCounts> } = {},
): GuardFigures {
  const of = (
    { count }: Moments,
    { open = 0, unknown = 0, units = count + open + unknown }: Partial<SideCounts>,
  ) => ({
    units,
    open,
    unknown,
  });
  return {
    current: of(current, counts.current ?? {}),
    candidate: of(candidate, counts.candidate ?? {}),
    spans: [{ current, candidate }],
  };
}

const shortOf = ({ verdict, reason }: ReturnType<typeof judge>) => reason ?? verdict;
const verdictOf = (found: GuardFigures, changes: Partial<Guard> = {}, guards = 1) =>
  shortOf(judge({ ...guard, ...changes }, found, guards));

test('a candidate that is as good passes', () => {
  const verdict = judge(guard, figures(share(80, 100), share(80, 100)), 1);
  expect(verdict).toMatchObject({ verdict: 'passed', reason: null });
  expect(verdict.sequence).toMatchObject({ current: 0.8, candidate: 0.8, difference: 0 });
});

test('a candidate is stopped if the whole sequence is worse by more than the allowed harm', () => {
  const worse = figures(share(800, 1000), share(600, 1000));
  const { verdict, reason, sequence } = judge(guard, worse, 1);
  expect([verdict, reason]).toEqual(['breached', null]);
  expect(sequence.high).toBeLessThan(-0.05);
  expect(verdictOf(worse, { maxHarm: 0.15 })).toBe('passed');
  expect(verdictOf(worse, { maxHarm: -(sequence.high ?? 0) })).toBe('passed');
});

test('higher and lower are mirror images', () => {
  const [good, bad] = [share(800, 1000), share(600, 1000)];
  expect(verdictOf(figures(good, bad), { better: 'lower' })).toBe('passed');
  expect(verdictOf(figures(bad, good), { better: 'lower' })).toBe('breached');
  expect(verdictOf(figures(bad, good))).toBe('passed');
});

test('a mean in any unit is judged in this unit', () => {
  const seconds = (mean: number): Moments => ({
    count: 400,
    sum: 400 * mean,
    squares: 400 * (mean ** 2 + 900),
  });
  const slower = figures(seconds(60), seconds(90));
  expect(verdictOf(slower, { better: 'lower', maxHarm: 10 })).toBe('breached');
  expect(verdictOf(slower, { better: 'lower', maxHarm: 30 })).toBe('passed');
});

test('with more guards, each needs more evidence', () => {
  const harmed = figures(share(160, 200), share(134, 200));
  expect(verdictOf(harmed, { maxHarm: 0 }, 1)).toBe('breached');
  expect(verdictOf(harmed, { maxHarm: 0 }, 5)).toBe('passed');
});

test('without values of both sides, nothing is evaluated, whatever the minimum is', () => {
  const cases: GuardFigures[] = [
    figures(share(0, 0), share(0, 0)),
    figures(share(80, 100), share(0, 0)),
    figures(share(0, 0), share(80, 100)),
    figures(share(0, 0), share(0, 0), { current: { unknown: 100 }, candidate: { unknown: 100 } }),
    { ...figures(share(80, 100), share(80, 100)), spans: [] },
  ];
  for (const one of cases) {
    expect(verdictOf(one)).toBe('nothing_evaluated');
    expect(verdictOf(one, { minimum: 0, maxUnknown: 1 })).toBe('nothing_evaluated');
  }
});

test('each side needs the minimum of units that have ended with a value', () => {
  expect(verdictOf(figures(share(40, 50), share(40, 50)))).toBe('passed');
  expect(verdictOf(figures(share(40, 50), share(39, 49)))).toBe('too_few_units');
  expect(verdictOf(figures(share(39, 49), share(40, 50)))).toBe('too_few_units');
  // Open units decide nothing.
  expect(verdictOf(figures(share(40, 50), share(39, 49), { candidate: { open: 1000 } }))).toBe(
    'too_few_units',
  );
  expect(verdictOf(figures(share(40, 50), share(40, 50), { candidate: { open: 1000 } }))).toBe('passed');
  // One more has ended without a value.
  expect(verdictOf(figures(share(40, 50), share(39, 49), { candidate: { unknown: 1 } }))).toBe(
    'too_few_units',
  );
});

test('values of spans in which the other side has none do not count for the minimum', () => {
  const spans: SpanMoments[] = [
    { current: share(30, 40), candidate: share(30, 40) },
    { current: share(0, 0), candidate: share(90, 100) },
  ];
  const found: GuardFigures = {
    current: { units: 60, open: 0, unknown: 10 },
    candidate: { units: 140, open: 0, unknown: 0 },
    spans,
  };
  expect(verdictOf(found)).toBe('too_few_units');
  expect(verdictOf(found, { minimum: 40 })).toBe('passed');
});

test('a candidate that crashes for most of its users does not pass with the others', () => {
  const crashing = figures(share(800, 1000), share(80, 100), { candidate: { unknown: 900 } });
  expect(verdictOf(crashing)).toBe('too_many_unknown');
  expect(verdictOf(figures(share(80, 100), share(800, 1000), { current: { unknown: 900 } }))).toBe(
    'too_many_unknown',
  );
  // Exactly a fifth of those that have ended, however many are open.
  const fifth = { candidate: { unknown: 25, open: 500 } };
  expect(verdictOf(figures(share(80, 100), share(80, 100), fifth))).toBe('passed');
  const more = { candidate: { unknown: 26, open: 500 } };
  expect(verdictOf(figures(share(80, 100), share(80, 100), more))).toBe('too_many_unknown');
  // More units would not help.
  expect(verdictOf(figures(share(800, 1000), share(8, 10), { candidate: { unknown: 90 } }))).toBe(
    'too_many_unknown',
  );
});

test('a breach counts also with many unknown, and below the minimum', () => {
  const harmful = figures(share(80, 100), share(0, firstValues), { candidate: { unknown: 900 } });
  expect(verdictOf(harmful)).toBe('breached');
  expect(verdictOf(harmful, { minimum: 100_000 })).toBe('breached');
  expect(verdictOf(figures(share(80, 100), share(0, firstValues - 1)))).toBe('too_few_units');
});

const anyShare = fc
  .tuple(fc.nat(300), fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([count, part]) => share(Math.round(count * part), count));
const anyFigures = fc
  .tuple(anyShare, anyShare, fc.nat(100), fc.nat(100), fc.nat(100))
  .map(([current, candidate, open, unknown, other]) =>
    figures(current, candidate, { current: { open, unknown: other }, candidate: { open, unknown } }),
  );
const anyGuard = fc.record({
  score: fc.constant('solved'),
  better: fc.constantFrom('higher' as const, 'lower' as const),
  maxHarm: fc.double({ min: 0, max: 0.3, noNaN: true }),
  minimum: fc.nat(200),
  maxUnknown: fc.double({ min: 0, max: 1, noNaN: true }),
});

test('a verdict has a reason if, and only if, it is undecided; what passes has been evaluated', () => {
  fc.assert(
    fc.property(anyGuard, anyFigures, fc.integer({ min: 1, max: 5 }), (one, found, guards) => {
      const { verdict, reason, sequence } = judge(one, found, guards);
      expect(reason !== null).toBe(verdict === 'undecided');
      if (verdict === 'undecided') return;
      expect(sequence.difference).not.toBeNull();
      if (verdict === 'breached') return;
      const { current, candidate } = found.spans[0] ?? {};
      expect(Math.min(current?.count ?? 0, candidate?.count ?? 0)).toBeGreaterThanOrEqual(one.minimum);
    }),
    { numRuns: 500 },
  );
});

test('more unknown units never turn a guard into one that passes', () => {
  fc.assert(
    fc.property(anyGuard, anyFigures, fc.nat(1000), (one, found, more) => {
      const before = judge(one, found, 1);
      const { units, open, unknown } = found.candidate;
      const candidate = { units: units + more, open, unknown: unknown + more };
      const after = judge(one, { ...found, candidate }, 1);
      if (before.verdict !== 'passed') expect(after.verdict).not.toBe('passed');
      if (before.verdict === 'breached') expect(after.verdict).toBe('breached');
    }),
    { numRuns: 500 },
  );
});
