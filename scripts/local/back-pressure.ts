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

/** @returns the time between two writes: little until the workers are a second late, and then so much that they catch up */
export const spacingMs = (behindMs: number): number => behindMs ** 2 / scaleMs;

/**
 * @returns a listener that passes reads on at once, and the writes of a caller one after the other, however many wait. The writes of
 *   another caller do not wait for them
 */
export function slowingWrites(behindMs: () => number, next: RequestListener): RequestListener {
  const lastMsByCaller = new Map<string, number>();
  return async (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      const caller = request.headers.authorization ?? '';
      const lastMs = () => lastMsByCaller.get(caller) ?? Number.NEGATIVE_INFINITY;
      const endMs = performance.now() + maxHoldMs;
      while (performance.now() < Math.min(endMs, lastMs() + spacingMs(behindMs()))) await sleep(pollMs);
      lastMsByCaller.set(caller, performance.now());
    }
    next(request, response);
  };
}
