/** The sums of scores in statistics: what a score adds to them, and how they are shown. Pure. */

import type { ScoreStats } from './stats.ts';

/** An effective score. The slot is null if the value is unknown. Only numbers have a value. */
export type CountedScore = { slot: number | null; value?: number };

/**
 * Sums over the conversations with a value in a slot: `v3` is the number of conversations, `m3` of their messages, and `d3` the sum of
 * their seconds. A sum of numbers is exact, because it consists of two sums of integers: `w3` has the whole parts, and `n3` the
 * other parts in billionths.
 */
export type SlotAmounts = { [amount: `${'v' | 'm' | 'd' | 'w' | 'n'}${number}`]: number };
export const billion = 1e9;

type Counts = { conversations: number; messages: number; durationSeconds: number };

/** @returns what the score of conversations with these counts adds to its sum */
export function scoreAmounts(
  { slot, value }: CountedScore,
  counts: Counts,
): { unknown?: number } & SlotAmounts {
  if (slot === null) return { unknown: counts.conversations };
  const amounts: SlotAmounts = {
    [`v${slot}`]: counts.conversations,
    [`m${slot}`]: counts.messages,
    [`d${slot}`]: counts.durationSeconds,
  };
  if (value === undefined) return amounts;
  const whole = Math.trunc(value);
  return { ...amounts, [`w${slot}`]: whole, [`n${slot}`]: Math.round((value - whole) * billion) };
}

/** A score: the names of its slots, and whether its values are numbers. */
export type ScoreSlots = { keys: readonly string[]; isNumber: boolean };

/** What a sum has of a score. */
type ScoreAmounts = { conversations: number; unknown?: number } & SlotAmounts;

export function showScore(scored: ScoreAmounts, { keys, isNumber }: ScoreSlots): ScoreStats {
  const counts = keys.map((_, slot) => scored[`v${slot}`] ?? 0);
  const { conversations, unknown = 0 } = scored;
  const count = conversations - unknown;
  const sum = keys.reduce(
    (all, _, slot) => all + (scored[`w${slot}`] ?? 0) + (scored[`n${slot}`] ?? 0) / billion,
    0,
  );
  return {
    count,
    unknown,
    mean: isNumber && count > 0 ? round(sum / count) : null,
    shares: keys.map((value, slot) => {
      const slotCount = counts[slot] ?? 0;
      return { value, count: slotCount, share: count === 0 ? 0 : round(slotCount / count) };
    }),
  };
}

/** Rounds to six decimals. */
const round = (number: number) => Number(number.toFixed(6));
