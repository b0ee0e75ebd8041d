/** How two sides of a rollout differ, and how sure that is, however often somebody looks. */

/** The values of one side: how many, their sum, and the sum of their squares. A share has the values 0 and 1. */
export type Moments = { count: number; sum: number; squares: number };

/** Both sides of one span of constant percent. */
export type SpanMoments = { current: Moments; candidate: Moments };

/**
 * Shares or means of both sides, the candidate's minus the current one's, and its bounds, all in the unit of the values. The first
 * three are null if no span has values of both sides, the bounds until each side has `firstValues` values.
 */
export type Sequence = {
  current: number | null;
  candidate: number | null;
  difference: number | null;
  low: number | null;
  high: number | null;
};

/**
 * There are no bounds until each side has so many values, because the theory needs sums that are nearly normal. In the simulation of
 * docs/quality.md, 20 stop no more equal candidates than 50 do, and a candidate that always fails is stopped sooner.
 */
export const firstValues = 20;

/**
 * The bounds are tightest at this number of effective values, 1 / (1 / current + 1 / candidate): 640 units on halves. It is about
 * where a harm of 0.1 in a share of 0.8 shows.
 */
const tightestAt = 160;

/**
 * Compares within spans, so that a weekend at 50 % is not compared with a weekday at 10 %. Spans are combined with the candidate's
 * weights: the candidate's values of the span by all of the candidate's. Spans in which a side has no value are left out.
 *
 * The bounds are a confidence sequence: over all looks together, the true difference is below `low` at any time with a probability
 * of at most `alpha`, and above `high` with at most `alpha`. They are Robbins' normal mixture with estimated variances: the
 * one-sided asymptotic confidence sequence of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, "Time-uniform central limit theory
 * and asymptotic confidence sequences" (Annals of Statistics 52, 2024, https://arxiv.org/abs/2103.06476), on each side. Its time
 * is the number of effective values, so the bounds scale with the values. The variance of a side is at least that of everybody:
 * the few values of a small side are often all equal, and it would be certain. docs/quality.md has the error rates of a simulation.
 *
 * @param alpha a probability, more than 0 and less than 0.5
 */
export function compareSpans(spans: readonly SpanMoments[], alpha: number): Sequence {
  const compared = spans.filter(({ current, candidate }) => current.count > 0 && candidate.count > 0);
  if (compared.length === 0)
    return { current: null, candidate: null, difference: null, low: null, high: null };
  const values = { current: 0, candidate: 0 };
  let spread = 0;
  for (const span of compared) {
    values.current += span.current.count;
    values.candidate += span.candidate.count;
    spread += variationOf(together(span));
  }
  const everybody = spread / (values.current + values.candidate);

  let [current, candidate, variance, inverseTime] = [0, 0, 0, 0];
  for (const span of compared) {
    const weight = span.candidate.count / values.candidate;
    current += weight * meanOf(span.current);
    candidate += weight * meanOf(span.candidate);
    for (const side of [span.current, span.candidate]) {
      variance += (weight ** 2 * Math.max(variationOf(side) / side.count, everybody)) / side.count;
      inverseTime += weight ** 2 / side.count;
    }
  }
  const difference = candidate - current;
  const margin = Math.sqrt(variance) * deviations(1 / inverseTime, alpha);
  // The squares of values above 1e154 are not numbers any more.
  if (Math.min(values.current, values.candidate) < firstValues || !Number.isFinite(margin)) {
    return { current, candidate, difference, low: null, high: null };
  }
  return { current, candidate, difference, low: difference - margin, high: difference + margin };
}

/**
 * @param time the number of effective values
 * @returns how many standard deviations of the estimate its bound is away from it
 */
function deviations(time: number, alpha: number): number {
  const tightest = -2 * Math.log(2 * alpha);
  // ρ² times the time, where ρ makes the bounds tightest at `tightestAt` (the source's choice, with 2 α for one side).
  const scaled = (time / tightestAt) * (tightest + Math.log(1 + tightest));
  return Math.sqrt(2 * (1 + 1 / scaled) * Math.log1p(Math.sqrt(1 + scaled) / (2 * alpha)));
}

const meanOf = ({ count, sum }: Moments): number => sum / count;

const together = ({ current, candidate }: SpanMoments): Moments => ({
  count: current.count + candidate.count,
  sum: current.sum + candidate.sum,
  squares: current.squares + candidate.squares,
});

/**
 * @returns the sum of squared distances from the mean: at least what rounding may have taken from it, so that large and nearly equal
 *   values are not certain
 */
const variationOf = ({ count, sum, squares }: Moments): number =>
  Math.max(squares - sum * (sum / count), squares * 4 * Number.EPSILON);
