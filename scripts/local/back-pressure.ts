/**
 * Slows writes while the workers are late, so that a reader sees a change after some seconds at most. DynamoDB Local has the
 * capacity of one machine, which the workers share with the writes. On AWS, the workers scale on their own.
 */

import type { RequestListener } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const pollMs = 20;
/** Writes are this far apart while the workers are this late. */
const scaleMs = 4000;
/** A write never waits longer. Work that keeps failing does not stop the server. */
const maxHoldMs = 5000;
/** So many writes of a caller go on at once: only a caller of many writes makes the workers late. */
export const burst = 5;

/** @returns the time between two writes: little until the workers are a second late, and then so much that they catch up */
export const spacingMs = (behindMs: number): number => behindMs ** 2 / scaleMs;

/**
 * @returns a listener that passes reads on at once, and the writes of a caller after the first few one after the other, however many wait. The writes of
 *   another caller do not wait for them
 */
export function slowingWrites(behindMs: () => number, next: RequestListener): RequestListener {
  /** The writes of a caller whose spacing was not over at that time. */
  const recentByCaller = new Map<string, { writes: number; atMs: number }>();
  return async (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      const caller = request.headers.authorization ?? '';
      const recent = () => {
        const { writes, atMs } = recentByCaller.get(caller) ?? { writes: 0, atMs: 0 };
        const spacing = spacingMs(behindMs());
        return spacing === 0 ? 0 : Math.max(0, writes - (performance.now() - atMs) / spacing);
      };
      const endMs = performance.now() + maxHoldMs;
      while (recent() > burst - 1 && performance.now() < endMs) await sleep(pollMs);
      recentByCaller.set(caller, { writes: Math.min(recent(), burst - 1) + 1, atMs: performance.now() });
    }
    next(request, response);
  };
}
