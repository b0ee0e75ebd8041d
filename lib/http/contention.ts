/**
 * Requests that change the same item at the same time run in separate processes, so they communicate through the item. A change
 * that had to wait stores the length of its wait (`changedAfterMs`). A request that finds such a change waits about as long
 * before it writes. So earlier requests finish first, and few requests write at once. When no change had to wait, no request
 * waits.
 */

import { timeOfId } from '../base/ids.ts';
import type { Write } from '../dynamodb/write.ts';

/** A request waits for most of the time that earlier requests waited. With all of it, the queue would never end. */
const share = 0.75;
/** A shorter wait is not worth another read. */
const leastMs = 15;

type Moment = {
  nowMs: number;
  /** The time since the start of the request. */
  waitedMs: number;
  /** A random number from 0 to 1, so that requests that collided once do not collide again. */
  fraction: number;
};

/**
 * @param writes the writes of the request; the condition `unchanged` has the version that it read
 * @returns how long to wait before the retry; 0 to write now
 */
export function contentionPauseMs(writes: readonly Write[], { nowMs, waitedMs, fraction }: Moment): number {
  const waits = writes.map(({ condition }) => {
    if (condition.kind !== 'unchanged' || condition.changedAfterMs === undefined) return 0;
    const { changedIn, changedAfterMs } = condition;
    // The id of that request contains its start. Clocks of two machines may differ slightly.
    const agoMs = Math.max(nowMs - timeOfId(changedIn) - changedAfterMs, 0);
    return changedAfterMs - agoMs;
  });
  const leftMs = share * Math.max(0, ...waits) - waitedMs;
  return leftMs < leastMs ? 0 : leftMs * (0.8 + 0.4 * fraction);
}

/** @returns how long to wait after a number of lost races: up to 20 ms, doubling to at most 160 ms */
export const backoffMs = (losses: number, fraction: number): number =>
  fraction * 20 * 2 ** Math.min(losses - 1, 3);
