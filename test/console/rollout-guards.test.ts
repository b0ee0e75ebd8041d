/** What the page of an environment says and draws about the guards of a rollout. */

import { describe, expect, test } from 'vitest';
import type { ComparedGuard, RolloutGuard } from '../../clients/typescript/src/index.ts';
import { anchorOf, drawingOf } from '../../console/src/pages/environments/guard-drawing.ts';
import {
  badFilter,
  guardSentence,
  scaleOf,
  signedText,
  unitsWithValue,
  verdictSentence,
} from '../../console/src/pages/environments/guard-texts.ts';

const guard = (fields: Partial<RolloutGuard> = {}): RolloutGuard => ({
  ...{ score: 'solved', better: 'higher', maxHarm: 0.05, minimum: 50, maxUnknown: 0.2 },
  ...fields,
});
const side = { units: 100, open: 0, unknown: 0, mean: 0.8 };
const compared = (fields: Partial<ComparedGuard> = {}): ComparedGuard => ({
  ...{ score: 'solved', value: null, verdict: 'passed', undecidedReason: null, current: side },
  ...{ candidate: { ...side, mean: 0.76 }, difference: -0.04, low: -0.07, high: -0.01 },
  ...fields,
});
const none = { difference: null, low: null, high: null };

describe('the sentence of a guard', () => {
  test.each([
    ['harm', {}, {}, 'solved: the candidate has 4 points less; between 1 and 7; the guard allows 5.'],
    [
      'a band on both sides of zero',
      {},
      { low: -0.105, high: 0.025 },
      'solved: the candidate has 4 points less; between 10.5 less and 2.5 more; the guard allows 5.',
    ],
    [
      'an improvement',
      {},
      { difference: 0.01, low: -0.02, high: 0.04 },
      'solved: the candidate has 1 point more, which is better; between 2 less and 4 more; the guard allows 5 less.',
    ],
    [
      'a certain improvement',
      {},
      { difference: 0.1, low: 0.02, high: 0.18 },
      'solved: the candidate has 10 points more, which is better; between 2 and 18; the guard allows 5 less.',
    ],
    [
      'no difference, and no allowed harm',
      { maxHarm: 0 },
      { difference: 0.0001, low: -0.03, high: 0.03 },
      'solved: the candidate is equal; between 3 less and 3 more; the guard allows nothing.',
    ],
    [
      'a category of which less is better',
      { value: 'angry', score: 'mood', better: 'lower' as const },
      { difference: 0.04, low: 0.01, high: 0.07 },
      'mood is angry: the candidate has 4 points more; between 1 and 7; the guard allows 5.',
    ],
    [
      'a difference without bounds',
      {},
      { low: null, high: null },
      'solved: the candidate has 4 points less; the band has no bounds yet; the guard allows 5.',
    ],
    ['no values', {}, none, 'solved: there are no values to compare yet; the guard allows 5 less.'],
  ])('of %s', (_, guardFields, fields, sentence) => {
    expect(guardSentence(guard(guardFields), compared(fields), 'points')).toBe(sentence);
  });

  test('has means in the unit of the score', () => {
    const csat = guard({ score: 'csat', maxHarm: 0.25 });
    const figures = compared({ score: 'csat', difference: -0.3333, low: -1.204, high: 0.6 });
    expect(guardSentence(csat, figures, 'mean')).toBe(
      'csat: the candidate has 0.333 less; between 1.2 less and 0.6 more; the guard allows 0.25.',
    );
    expect(
      ['boolean', 'category', 'number', undefined].map((type) => scaleOf(csat, type as 'boolean')),
    ).toEqual(['points', 'points', 'mean', 'mean']);
    expect(scaleOf({ score: 'mood', value: 'angry' }, undefined)).toBe('points');
    expect([-0.04, 0.04, 0.0001].map((amount) => signedText(amount, 'points'))).toEqual(['−4', '+4', '0']);
  });

  test('says what the verdict means, and why a guard is undecided', () => {
    const verdict = (fields: Partial<ComparedGuard>) => verdictSentence(guard(), compared(fields));
    expect(verdict({})).toContain('Passed');
    expect(verdict({ verdict: 'breached' })).toContain('the whole band is worse');
    const undecided = { verdict: 'undecided' as const };
    const few = { units: 40, open: 10, unknown: 0.1, mean: 0.7 };
    expect(unitsWithValue(few)).toBe(27);
    expect(verdict({ ...undecided, undecidedReason: 'too_few_units', candidate: few })).toBe(
      'Undecided: too few units have a value. 27 with the candidate and 100 with the current deployment; ' +
        'the guard needs 50 of each.',
    );
    const unknown = { units: 200, open: 0, unknown: 0.9, mean: 0.8 };
    expect(verdict({ ...undecided, undecidedReason: 'too_many_unknown', candidate: unknown })).toBe(
      'Undecided: too many units have ended without a value. 90% with the candidate and 0% with the current ' +
        'deployment; the guard allows 20%.',
    );
    expect(verdict({ ...undecided, undecidedReason: 'nothing_evaluated' })).toContain('nothing is evaluated');
  });
});

describe('the drawing of a guard', () => {
  test('has the band, the difference, the limit and the zero in their order and proportion', () => {
    // From -0.07 to 0, with 12 % of it as room at each end.
    expect(drawingOf(guard(), compared())).toEqual({
      zero: 90.3,
      limit: 32.7,
      harm: { from: 0, to: 32.7 },
      difference: 44.2,
      band: { from: 9.7, to: 78.8 },
    });
  });

  test('has harm on the right if lower is better', () => {
    const { zero, limit, harm, band } = drawingOf(
      guard({ better: 'lower' }),
      compared({ difference: 0.06, low: 0.02, high: 0.1 }),
    );
    expect(zero).toBeLessThan(limit);
    expect(harm).toEqual({ from: limit, to: 100 });
    expect(band?.from).toBeLessThan(limit);
    expect(band?.to).toBeGreaterThan(limit);
  });

  test('has no band and no difference without values, also without allowed harm', () => {
    expect(drawingOf(guard(), compared(none))).toMatchObject({ difference: null, band: null });
    expect(drawingOf(guard({ maxHarm: 0 }), compared(none))).toEqual({
      ...{ zero: 50, limit: 50, harm: { from: 0, to: 50 }, difference: null, band: null },
    });
  });

  test('keeps its texts within its ends', () => {
    expect([0, 19, 50, 81, 100].map(anchorOf)).toEqual(['start', 'start', 'middle', 'end', 'end']);
  });
});

test('the bad conversations of a guard are those with the worse values', () => {
  expect(badFilter(guard(), 'boolean', 0.8)).toBe('solved:eq:false');
  expect(badFilter(guard({ better: 'lower' }), 'boolean', 0.8)).toBe('solved:eq:true');
  const mood = guard({ score: 'mood', value: 'happy' });
  expect(badFilter(mood, 'category', 0.8)).toBe('mood:ne:happy');
  expect(badFilter({ ...mood, value: 'angry', better: 'lower' }, undefined, null)).toBe('mood:eq:angry');
  const csat = guard({ score: 'csat' });
  expect(badFilter(csat, 'number', 10 / 3)).toBe('csat:lt:3.33333');
  expect(badFilter({ ...csat, better: 'lower' }, 'number', 3)).toBe('csat:gt:3');
  // Without the mean, or before the evaluators are loaded.
  expect(badFilter(csat, 'number', null)).toBe('csat:exists');
  expect(badFilter(csat, undefined, 3)).toBe('csat:exists');
});
