/** The comparison of a rollout: from the sums of its sides to the figures that people see, and to the verdicts of its guards. Pure. */

import type { Variant } from './assign.ts';
import type { RolloutSum } from './contribution.ts';
import { type Guard, judge, type SideCounts } from './guard.ts';
import type { Judged } from './moves.ts';
import type { RolloutComparison } from './schema.ts';
import { compareSpans, type Moments, type Sequence, type SpanMoments } from './sequence.ts';
import type { RolloutItem } from './store.ts';

type Compared = Pick<RolloutItem, 'guards'>;

/** The confidence of the intervals of duration and messages, which decide nothing. */
const shownAlpha = 0.05;
const none: Moments = { count: 0, sum: 0, squares: 0 };

/** @param conversations all conversations with one of both deployments since the start */
export function compare(
  { guards }: Compared,
  sums: readonly RolloutSum[],
  conversations: number,
): RolloutComparison {
  const [current, candidate] = [countsOf(sums, 'current'), countsOf(sums, 'candidate')];
  const measure = (momentsOf: MomentsOf) =>
    shownMeasure(compareSpans(spansOf(sums, momentsOf), shownAlpha), current, candidate);
  const assigned = sums.reduce((sum, side) => sum + side.conversations, 0);
  return {
    units: { current: current.units, candidate: candidate.units },
    // The sums of deployments and those of the rollout may be read at different moments.
    notAssigned: Math.max(0, conversations - assigned),
    guards: guards.map((guard, at) => {
      const { verdict, reason, sequence, figures } = judgeOne(guards, at, sums);
      const { score, value = null } = guard;
      const measured = shownMeasure(sequence, figures.current, figures.candidate);
      return { score, value, verdict, undecidedReason: reason, ...measured };
    }),
    durationSeconds: measure(({ duration }) => duration),
    messages: measure(({ messages }) => messages),
  };
}

/** @returns the verdict of each guard, with the figures that a breach stores */
export const judgeAll = ({ guards }: Compared, sums: readonly RolloutSum[]): Judged[] =>
  guards.map(({ score, value = null }, at) => {
    const { verdict, sequence, figures } = judgeOne(guards, at, sums);
    const side = ({ units, open, unknown }: SideCounts, mean: number | null) => ({
      units: units - open - unknown,
      mean: mean ?? 0,
    });
    const current = side(figures.current, sequence.current);
    const candidate = side(figures.candidate, sequence.candidate);
    return { verdict, breach: { score, value, current, candidate } };
  });

function judgeOne(guards: readonly Guard[], at: number, sums: readonly RolloutSum[]) {
  const guard = guards[at];
  if (!guard) throw new RangeError(`there is no guard ${at}`);
  const figures = {
    current: countsOf(sums, 'current', at),
    candidate: countsOf(sums, 'candidate', at),
    spans: spansOf(sums, (side) => side.guards[at]?.moments ?? none),
  };
  return { ...judge(guard, figures, guards.length), figures };
}

type MomentsOf = (side: RolloutSum) => Moments;

/** @param at the guard whose unknown units count; without it, each ended unit has a value */
function countsOf(sums: readonly RolloutSum[], variant: Variant, at?: number): SideCounts {
  const counts = { units: 0, open: 0, unknown: 0 };
  for (const side of sums.filter((one) => one.variant === variant)) {
    counts.units += side.units;
    counts.open += side.open;
    counts.unknown += at === undefined ? 0 : (side.guards[at]?.unknown ?? 0);
  }
  return counts;
}

function spansOf(sums: readonly RolloutSum[], momentsOf: MomentsOf): SpanMoments[] {
  const numbers = [...new Set(sums.map(({ span }) => span))].sort((a, b) => a - b);
  return numbers.map((number) => {
    const of = (variant: Variant) => {
      const side = sums.find((one) => one.span === number && one.variant === variant);
      return side ? momentsOf(side) : none;
    };
    return { current: of('current'), candidate: of('candidate') };
  });
}

function shownMeasure(sequence: Sequence, current: SideCounts, candidate: SideCounts) {
  const side = ({ units, open, unknown }: SideCounts, mean: number | null) => ({
    units,
    open,
    unknown: units > open ? unknown / (units - open) : null,
    mean,
  });
  const { difference, low, high } = sequence;
  return {
    current: side(current, sequence.current),
    candidate: side(candidate, sequence.candidate),
    difference,
    low,
    high,
  };
}
