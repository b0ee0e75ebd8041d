/** Past times that clients send. */

import { invalidField } from '../errors.ts';
import { minuteMs } from '../time.ts';

/** The clock of a client may be ahead by this much. */
const maxAheadMs = 5 * minuteMs;

/** @throws ApiError validation_error for a time in the future */
export function assertNotFuture(path: string, sentMs: number | undefined, nowMs: number): void {
  if (sentMs !== undefined && sentMs > nowMs + maxAheadMs) {
    throw invalidField(path, 'must be at most 5 minutes in the future');
  }
}
