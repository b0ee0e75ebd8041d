/**
 * Slows writes while the workers are late, so that what a reader sees of a change is at most seconds old. DynamoDB Local has the
 * capacity of one machine, which the workers share with the writes. On AWS, the workers scale on their own.
 */

import type { RequestListener } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const pollMs = 50;
/** A write never waits longer. Work that keeps failing does not stop the server. */
const maxHoldMs = 5000;

/** @returns a listener that passes reads on at once, and writes when the workers are not late */
export const slowingWrites =
  (isBehind: () => boolean, next: RequestListener): RequestListener =>
  async (request, response) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    for (let heldMs = 0; !isRead && heldMs < maxHoldMs && isBehind(); heldMs += pollMs) await sleep(pollMs);
    next(request, response);
  };
