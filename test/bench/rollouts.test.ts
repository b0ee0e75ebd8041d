/** How often guards of rollouts stop candidates: the simulation of docs/quality.md, and what it must show. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { budgets, overBudget } from '../../bench/budgets.ts';
import { shown } from '../../bench/findings.ts';
import { mayBreach, simulate } from '../../bench/rollout-simulation.ts';
import { budgetedOf, cases, measured, rollouts, wilson } from '../../bench/rollouts.ts';
import { compareSpans, type SpanMoments } from '../../lib/rollouts/sequence.ts';
import { root } from '../../scripts/shared/root.ts';

test('intervals are those of Wilson', () => {
  // Computed by hand, from the published formula.
  const rounded = (hits: number, runs: number) => {
    const { low, high } = wilson(hits, runs);
    return [low.toFixed(4), high.toFixed(4)];
  };
  expect(rounded(10, 100)).toEqual(['0.0552', '0.1744']);
  expect(rounded(0, 2000)).toEqual(['0.0000', '0.0019']);
  expect(rounded(2000, 2000)).toEqual(['0.9981', '1.0000']);
});

test('what the simulation does not ask a guard about is no breach', () => {
  const spans: fc.Arbitrary<SpanMoments[]> = fc.array(
    fc
      .record({ currents: fc.nat(3000), candidates: fc.nat(3000), share: fc.nat(100), harm: fc.nat(30) })
      .map(({ currents, candidates, share, harm }) => {
        const side = (count: number, percent: number) => {
          const hits = Math.round((count * Math.max(0, percent)) / 100);
          return { count, sum: hits, squares: hits };
        };
        return { current: side(currents, share), candidate: side(candidates, share - harm) };
      }),
    { minLength: 1, maxLength: 3 },
  );
  let breaches = 0;
  fc.assert(
    fc.property(spans, fc.constantFrom(0, 0.05), fc.constantFrom(0.05, 0.01), (some, maxHarm, alpha) => {
      const { high } = compareSpans(some, alpha);
      if (high === null || high >= -maxHarm) return;
      breaches += 1;
      expect(mayBreach(some, maxHarm)).toBe(true);
    }),
    { numRuns: 3000, seed: 1 },
  );
  expect(breaches).toBeGreaterThan(1000);
});

test('a simulation is the same for a seed, and another one for another seed', () => {
  const [harmed] = cases.filter(({ wanted }) => wanted === 'is stopped');
  if (harmed === undefined) throw new Error('no case is harmed');
  const stops = (seed: number) => simulate({ ...harmed, conversationsPerUser: 5 }, 20, seed);
  expect(stops(1)).toEqual(stops(1));
  expect(stops(1)).not.toEqual(stops(2));
});

test('the cases are those that a rollout may meet', () => {
  const going = cases.filter(({ wanted }) => wanted === 'goes on');
  const has = (share: number, percent: number, guards: number) =>
    going.some(
      ({ phases, harm, ...one }) =>
        phases.length === 1 &&
        phases[0]?.share === share &&
        phases[0].percent === percent &&
        one.guards === guards &&
        harm === 0,
    );
  for (const share of [0.5, 0.8, 0.98])
    for (const percent of [50, 10])
      for (const guards of [1, 5])
        expect(has(share, percent, guards), `${share} ${percent} ${guards}`).toBe(true);
  expect(going.filter(({ phases }) => phases.length > 1).map(({ guards }) => guards)).toContain(5);
  expect(going.filter(({ harm, maxHarm }) => harm === maxHarm && harm === 0.05)).toHaveLength(2);
  expect(cases.filter(({ wanted }) => wanted === 'is stopped')).toHaveLength(1);
});

test('in few runs, equal candidates go on, harmful ones are stopped, and users who talk often would stop equal ones', () => {
  const critical = cases.filter(
    ({ what, phases, guards }) =>
      guards === 1 &&
      (what === 'both 0.80, later 0.60' ||
        what === '0.80 and 0.70' ||
        what.endsWith('counted') ||
        (what === 'both 0.80' && phases[0]?.percent === 50) ||
        (what === 'both 0.02' && phases[0]?.percent === 10) ||
        (what === 'both 0.98' && phases[0]?.percent === 10)),
  );
  expect(critical).toHaveLength(7);
  const all = measured(critical, 200);
  expect(overBudget(budgetedOf(all))).toEqual([]);
  const [often] = all.filter(
    ({ countsAll, conversationsPerUser }) => countsAll && conversationsPerUser === 20,
  );
  const wrong = often?.stops.filter(Number.isFinite).length ?? 0;
  expect(wilson(wrong, 200).low).toBeGreaterThan(0.2);
});

test('2,000 runs of all cases keep what docs/quality.md says', { tags: ['nightly'] }, () => {
  const findings = rollouts();
  const figures = (budget: string) =>
    findings.budgeted.filter((one) => one.budget === budget).map(({ value }) => value);
  expect(figures('falseStops').length).toBeGreaterThan(60);
  expect(Math.max(...figures('falseStops'))).toBeLessThanOrEqual(0.05);
  expect(Math.max(...figures('missedStops'))).toBeLessThanOrEqual(0.01);
  expect(figures('stopRatio')).toHaveLength(3);
  expect(Math.max(...figures('stopRatio'))).toBeLessThanOrEqual(1);
  expect(Math.max(...figures('slowStopRatio'))).toBeLessThanOrEqual(2);
  expect(budgets).toMatchObject({ falseStops: 0.05, missedStops: 0.01, stopRatio: 1, slowStopRatio: 2 });
  const document = readFileSync(resolve(root, 'docs/quality.md'), 'utf8');
  expect(document, 'npm run bench -- rollouts --write').toContain(
    shown(findings, { name: 'rollouts', measuredOn: undefined }),
  );
});
