/** What a guard of a rollout says about the candidate. */

import { compareSpans, type Sequence, type SpanMoments } from './sequence.ts';

/** What must not become worse. */
export type Guard = {
  /** The name of the evaluator. */
  score: string;
  better: 'higher' | 'lower';
  /** The value whose share counts, for booleans and categories. */
  value?: string | boolean;
  /** How much worse the candidate may be, in the unit of the score: 0.05 is 5 points of a share. */
  maxHarm: number;
  /** How many units each side needs. */
  minimum: number;
  /** How many of the units that have ended may be without a value, as a share. */
  maxUnknown: number;
};

/** Of the counted units of a side, `open` have not ended, and `unknown` have ended without a value. */
export type SideCounts = { units: number; open: number; unknown: number };

/** `spans` has the values of units that have ended, as 0 and 1 for the share of a value. */
export type GuardFigures = { current: SideCounts; candidate: SideCounts; spans: readonly SpanMoments[] };

export type UndecidedReason = 'too_few_units' | 'too_many_unknown' | 'nothing_evaluated';

export type Verdict = {
  verdict: 'breached' | 'passed' | 'undecided';
  /** Why it is undecided, null otherwise. */
  reason: UndecidedReason | null;
  sequence: Sequence;
};

/** All guards of a rollout together stop an equal candidate with at most this probability. */
export const falseStops = 0.05;

/**
 * Breached: the whole sequence says that the candidate is worse by more than `maxHarm`, whatever is unknown. Passed: each side has
 * `minimum` units that are compared, the unknown share of each side is within `maxUnknown`, and the guard is not breached.
 * Otherwise undecided. A unit is compared if it has a value, and its span has values of both sides.
 *
 * @param guardCount how many guards the rollout has: each gets its part of `falseStops`
 */
export function judge(guard: Guard, figures: GuardFigures, guardCount: number): Verdict {
  const sequence = compareSpans(figures.spans, falseStops / guardCount);
  if (isWorse(guard, sequence)) return { verdict: 'breached', reason: null, sequence };
  const reason = undecidedBecause(guard, figures);
  return { verdict: reason === null ? 'passed' : 'undecided', reason, sequence };
}

function isWorse({ better, maxHarm }: Guard, { low, high }: Sequence): boolean {
  if (low === null || high === null) return false;
  return better === 'higher' ? high < -maxHarm : low > maxHarm;
}

function undecidedBecause(guard: Guard, { current, candidate, spans }: GuardFigures): UndecidedReason | null {
  const compared = spans.filter((span) => span.current.count > 0 && span.candidate.count > 0);
  if (compared.length === 0) return 'nothing_evaluated';
  const sides = [current, candidate];
  if (sides.some(({ units, open }) => units - open < guard.minimum)) return 'too_few_units';
  // Before the number of values: waiting for more would not help.
  if (sides.some(({ units, open, unknown }) => unknown > guard.maxUnknown * (units - open))) {
    return 'too_many_unknown';
  }
  const values = (side: 'current' | 'candidate') => compared.reduce((sum, span) => sum + span[side].count, 0);
  return Math.min(values('current'), values('candidate')) < guard.minimum ? 'too_few_units' : null;
}
