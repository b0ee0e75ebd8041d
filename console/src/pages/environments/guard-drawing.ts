/** Where the parts of the drawing of a guard are. Pure: places are percents of the width, from 0 to 100. */

import type { ComparedGuard, RolloutGuard } from '../../../../clients/typescript/src/index.ts';

export type GuardDrawing = {
  /** No difference. */
  zero: number;
  /** The difference that the guard still allows. */
  limit: number;
  /** What is worse than the guard allows. */
  harm: { from: number; to: number };
  /** The present difference; null without values. */
  difference: number | null;
  /** The band of the difference; null without bounds. */
  band: { from: number; to: number } | null;
};

/** The room at each end, as a part of what is drawn. */
const margin = 0.12;

/** @returns the places of the zero, the limit, the difference and its band: worse is on the left if higher is better */
export function drawingOf(
  { better, maxHarm }: Pick<RolloutGuard, 'better' | 'maxHarm'>,
  { difference, low, high }: Pick<ComparedGuard, 'difference' | 'low' | 'high'>,
): GuardDrawing {
  const limit = better === 'higher' ? -maxHarm : maxHarm;
  const values = [0, limit, difference, low, high].filter((value) => value !== null);
  const [min, max] = [Math.min(...values), Math.max(...values)];
  // Without any extent, there is nothing but the zero in the middle.
  const room = max === min ? 1 : (max - min) * margin;
  const [start, end] = [min - room, max + room];
  const place = (value: number) => Math.round(((value - start) / (end - start)) * 1000) / 10;
  return {
    zero: place(0),
    limit: place(limit),
    harm: better === 'higher' ? { from: 0, to: place(limit) } : { from: place(limit), to: 100 },
    difference: difference === null ? null : place(difference),
    band: low === null || high === null ? null : { from: place(low), to: place(high) },
  };
}

/** @returns how a text at a place stays within the drawing */
export const anchorOf = (place: number): 'start' | 'middle' | 'end' =>
  place < 20 ? 'start' : place > 80 ? 'end' : 'middle';
