/** The comparison of two sides: the difference, and bounds that hold at every look. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  compareSpans,
  firstValues,
  type Moments,
  type Sequence,
  type SpanMoments,
} from '../../../lib/rollouts/sequence.ts';

const alpha = 0.05;
const nothing: Moments = { count: 0, sum: 0, squares: 0 };
const empty: Sequence = { current: null, candidate: null, difference: null, low: null, high: null };

const momentsOf = (values: readonly number[]): Moments => ({
  count: values.length,
  sum: values.reduce((sum, value) => sum + value, 0),
  squares: values.reduce((sum, value) => sum + value ** 2, 0),
});

/** `hits` of `count` units have the value 1. */
const share = (hits: number, count: number): Moments => ({ count, sum: hits, squares: hits });

const times = ({ count, sum, squares }: Moments, factor: number): Moments => ({
  count,
  sum: sum * factor,
  squares: squares * factor ** 2,
});

const merged = (a: Moments, b: Moments): Moments => ({
  count: a.count + b.count,
  sum: a.sum + b.sum,
  squares: a.squares + b.squares,
});

const bounded = (sequence: Sequence) => {
  const { difference, low, high } = sequence;
  if (difference === null || low === null || high === null) throw new Error('there are no bounds');
  return { ...sequence, difference, low, high };
};
const widthOf = (sequence: Sequence): number => {
  const { low, high } = bounded(sequence);
  return high - low;
};

const anyValue = fc.double({ min: -1e12, max: 1e12, noNaN: true });
const anyMoments = fc.oneof(
  fc.array(anyValue, { maxLength: 60 }).map(momentsOf),
  fc
    .tuple(fc.nat(500), fc.double({ min: 0, max: 1, noNaN: true }))
    .map(([count, part]) => share(Math.round(count * part), count)),
  fc.tuple(fc.nat(500), anyValue).map(([count, value]) => ({
    count,
    sum: count * value,
    squares: count * value ** 2,
  })),
);
const anySpan: fc.Arbitrary<SpanMoments> = fc.record({ current: anyMoments, candidate: anyMoments });

/** Enough values of both sides, which are not all equal. */
const someMoments = fc
  .array(fc.double({ min: -100, max: 100, noNaN: true }), { minLength: firstValues, maxLength: 200 })
  .map((values) => momentsOf([...values, -50, 50]));
const someSpan: fc.Arbitrary<SpanMoments> = fc.record({ current: someMoments, candidate: someMoments });

describe('the difference', () => {
  test('is that of the shares, the candidate minus the current one', () => {
    const found = compareSpans([{ current: share(80, 100), candidate: share(14, 20) }], alpha);
    expect(found).toMatchObject({ current: 0.8, candidate: 0.7 });
    expect(found.difference).toBeCloseTo(-0.1, 12);
  });

  test('is taken within spans, and combined with the weights of the candidate', () => {
    const found = compareSpans(
      [
        { current: share(720, 900), candidate: share(80, 100) },
        { current: share(150, 300), candidate: share(120, 300) },
      ],
      alpha,
    );
    expect(found.current).toBeCloseTo(0.25 * 0.8 + 0.75 * 0.5, 12);
    expect(found.candidate).toBeCloseTo(0.25 * 0.8 + 0.75 * 0.4, 12);
    expect(found.difference).toBeCloseTo(-0.075, 12);
  });

  test('of equal sides is 0, although both became worse while the percent rose', () => {
    const found = bounded(
      compareSpans(
        [
          { current: share(720, 900), candidate: share(80, 100) },
          { current: share(2500, 5000), candidate: share(2500, 5000) },
        ],
        alpha,
      ),
    );
    expect(found.difference).toBeCloseTo(0, 12);
    expect(found.low).toBeLessThan(0);
    expect(found.high).toBeGreaterThan(0);
  });

  test('leaves out spans in which a side has no value', () => {
    const span = { current: share(80, 100), candidate: share(70, 100) };
    const others = [
      { current: share(10, 500), candidate: nothing },
      { current: nothing, candidate: share(500, 500) },
      { current: nothing, candidate: nothing },
    ];
    expect(compareSpans([...others, span], alpha)).toEqual(compareSpans([span], alpha));
    expect(compareSpans(others, alpha)).toEqual(empty);
    expect(compareSpans([], alpha)).toEqual(empty);
  });
});

describe('the bounds', () => {
  test(`begin with ${firstValues} values of each side`, () => {
    const at = (count: number) =>
      compareSpans([{ current: share(0, count), candidate: share(400, 500) }], alpha);
    expect(at(firstValues - 1)).toMatchObject({ current: 0, candidate: 0.8, low: null, high: null });
    expect(bounded(at(firstValues)).low).toBeGreaterThan(0);
  });

  test('are those of the published formula', () => {
    // 640 units on halves are 160 effective values, with the variance of the share 0.5 in both.
    const found = widthOf(compareSpans([{ current: share(160, 320), candidate: share(160, 320) }], alpha));
    const rhoTime = -2 * Math.log(0.1) + Math.log(1 - 2 * Math.log(0.1));
    const deviation = Math.sqrt(0.25 / 160);
    const margin =
      deviation *
      Math.sqrt((2 * (rhoTime + 1)) / rhoTime) *
      Math.sqrt(Math.log(1 + Math.sqrt(rhoTime + 1) / 0.1));
    expect(found).toBeCloseTo(2 * margin, 10);
  });

  test('become narrower with more values, and wider with a smaller error', () => {
    const at = (count: number, error: number) =>
      widthOf(
        compareSpans([{ current: share(count / 2, count), candidate: share(count / 2, count) }], error),
      );
    const widths = [50, 100, 400, 1600, 1e4, 1e6, 1e9].map((count) => at(count, alpha));
    expect(widths).toEqual([...widths].sort((a, b) => b - a));
    expect(at(1e9, alpha)).toBeLessThan(1e-3);
    expect(at(100, alpha / 5)).toBeGreaterThan(at(100, alpha));
  });

  test('are not narrow because the few values of a small side are all equal', () => {
    const rare = bounded(compareSpans([{ current: share(60, 3000), candidate: share(0, 60) }], alpha));
    expect(rare.difference).toBeCloseTo(-0.02, 12);
    expect(rare.high).toBeGreaterThan(0);
    const often = bounded(compareSpans([{ current: share(60, 60), candidate: share(2940, 3000) }], alpha));
    expect(often.high).toBeGreaterThan(0);
  });

  test('show soon that everything fails', () => {
    expect(
      bounded(compareSpans([{ current: share(24, 30), candidate: share(0, 30) }], alpha)).high,
    ).toBeLessThan(-0.2);
    expect(
      bounded(compareSpans([{ current: share(30, 30), candidate: share(0, 30) }], alpha)).high,
    ).toBeLessThan(-0.3);
  });

  test('of sides that change places are those with the other sign', () => {
    fc.assert(
      fc.property(someSpan, ({ current, candidate }) => {
        const found = bounded(compareSpans([{ current, candidate }], alpha));
        const swapped = bounded(compareSpans([{ current: candidate, candidate: current }], alpha));
        expect(swapped.low).toBeCloseTo(-found.high, 9);
        expect(swapped.high).toBeCloseTo(-found.low, 9);
        expect(swapped.difference).toBeCloseTo(-found.difference, 9);
      }),
    );
  });

  test('scale with the values, and do not move with a constant that is added to all', () => {
    fc.assert(
      fc.property(
        fc.array(someSpan, { minLength: 1, maxLength: 4 }),
        fc.constantFrom(0.001, 60, 1000),
        (spans, factor) => {
          const found = bounded(compareSpans(spans, alpha));
          const scaled = bounded(
            compareSpans(
              spans.map(({ current, candidate }) => ({
                current: times(current, factor),
                candidate: times(candidate, factor),
              })),
              alpha,
            ),
          );
          for (const name of ['difference', 'low', 'high'] as const) {
            expect(scaled[name] / factor).toBeCloseTo(found[name], 6);
          }
          const moved = ({ count, sum, squares }: Moments): Moments => ({
            count,
            sum: sum + 7 * count,
            squares: squares + 14 * sum + 49 * count,
          });
          const shifted = spans.map(({ current, candidate }) => ({
            current: moved(current),
            candidate: moved(candidate),
          }));
          expect(widthOf(compareSpans(shifted, alpha))).toBeCloseTo(found.high - found.low, 6);
        },
      ),
    );
  });

  test('are the same if a span is split into two with equal values', () => {
    fc.assert(
      fc.property(someSpan, ({ current, candidate }) => {
        const whole = { current: merged(current, current), candidate: merged(candidate, candidate) };
        const split = bounded(
          compareSpans(
            [
              { current, candidate },
              { current, candidate },
            ],
            alpha,
          ),
        );
        const found = bounded(compareSpans([whole], alpha));
        for (const name of ['difference', 'low', 'high'] as const) {
          expect(split[name]).toBeCloseTo(found[name], 9);
        }
      }),
    );
  });

  test('are numbers around the difference for every count and value', () => {
    fc.assert(
      fc.property(
        fc.array(anySpan, { maxLength: 20 }),
        fc.double({ min: 1e-4, max: 0.05, noNaN: true }),
        (spans, error) => {
          const found = compareSpans(spans, error);
          for (const value of Object.values(found))
            expect(value === null || Number.isFinite(value)).toBe(true);
          expect((found.low === null) === (found.high === null)).toBe(true);
          if (found.low === null || found.high === null || found.difference === null) return;
          expect(found.low).toBeLessThanOrEqual(found.difference);
          expect(found.high).toBeGreaterThanOrEqual(found.difference);
        },
      ),
      { numRuns: 1000 },
    );
  });

  test('stay apart for large values that differ by less than their rounding', () => {
    const near = (value: number) => ({ count: 1000, sum: 1000 * value, squares: 1000 * value ** 2 });
    const found = bounded(compareSpans([{ current: near(1e12), candidate: near(1e12) }], alpha));
    expect(found.difference).toBe(0);
    expect(found.low).toBeLessThan(0);
    expect(found.high).toBeGreaterThan(0);
  });

  test('are missing if the squares are not finite', () => {
    const huge = { count: 100, sum: 1e202, squares: Number.POSITIVE_INFINITY };
    expect(compareSpans([{ current: huge, candidate: huge }], alpha)).toMatchObject({
      low: null,
      high: null,
    });
  });
});
