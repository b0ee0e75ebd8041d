/**
 * What a request does where others change the same item at the same time. They run in processes of their own, so all that
 * they know of each other is on the item: a change that had to wait says how long (`changedAfterMs`). A request that finds
 * such a change waits about as long before it tries, also a new one. So those who came first get through first, and only
 * a few try at once. Where nobody waits any longer, nobody stands back.
 */

import type { Write } from '../dynamodb/write.ts';
import { timeOfId } from '../ids.ts';

/** A request stands back for most of the time that those before it waited: for all of it, the queue would never end. */
const share = 0.75;
/** A shorter wait is not worth reading the item again. */
const leastMs = 15;

type Moment = {
  nowMs: number;
  /** Since the request began. */
  waitedMs: number;
  /** At random, from 0 to 1: those that tried together once must not do so again. */
  fraction: number;
};

/**
 * @param writes what the request wants to write; the condition `unchanged` says what it has seen of the item
 * @returns how long to wait before it is decided again; 0 to write now
 */
export function standBackMs(writes: readonly Write[], { nowMs, waitedMs, fraction }: Moment): number {
  const queues = writes.map(({ condition }) => {
    if (condition.kind !== 'unchanged' || condition.changedAfterMs === undefined) return 0;
    const { changedIn, changedAfterMs } = condition;
    // The id has the time when that request began. Clocks of two machines may differ a little.
    const agoMs = Math.max(nowMs - timeOfId(changedIn) - changedAfterMs, 0);
    return changedAfterMs - agoMs;
  });
  const leftMs = share * Math.max(0, ...queues) - waitedMs;
  return leftMs < leastMs ? 0 : leftMs * (0.8 + 0.4 * fraction);
}

/** @returns how long to wait after a lost race: up to 20 ms, doubling to 160 ms at most */
export const backoffMs = (lost: number, fraction: number): number =>
  fraction * 20 * 2 ** Math.min(lost - 1, 3);
