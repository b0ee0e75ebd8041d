/** Times that clients send of what has happened. */

import { invalidField } from '../errors.ts';
import { minuteMs } from '../time.ts';

/** A client's clock may be ahead by so much. */
const maxAheadMs = 5 * minuteMs;

/** @throws ApiError validation_error for a time that has not come */
export function assertNotFuture(path: string, sentMs: number | undefined, nowMs: number): void {
  if (sentMs !== undefined && sentMs > nowMs + maxAheadMs) {
    throw invalidField(path, 'must be at most 5 minutes in the future');
  }
}
