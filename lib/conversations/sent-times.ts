/** Past times that clients send. */

import { invalidField } from '../base/errors.ts';
import { minuteMs } from '../base/time.ts';
import type { Conversation } from './schema/conversation.ts';

/** The clock of a client may be ahead by this much. */
export const maxClockSkewMs = 5 * minuteMs;

/** @throws ApiError validation_error for a time in the future */
export function assertNotFuture(path: string, sentMs: number | undefined, nowMs: number): void {
  if (sentMs !== undefined && sentMs > nowMs + maxClockSkewMs) {
    throw invalidField(path, 'must be at most 5 minutes in the future');
  }
}

/**
 * @param toleranceMs the end may be earlier by this much
 * @throws ApiError validation_error for an end before the start or the last message
 */
export function assertOrder(
  endedAtMs: number | undefined,
  { startedAt, lastMessageAt }: Pick<Conversation, 'startedAt' | 'lastMessageAt'>,
  toleranceMs = 0,
): void {
  if (endedAtMs === undefined) return;
  const latestMs = endedAtMs + toleranceMs;
  if (latestMs < Date.parse(startedAt)) throw invalidField('endedAt', 'must not be before `startedAt`');
  if (lastMessageAt !== null && latestMs < Date.parse(lastMessageAt)) {
    throw invalidField('endedAt', 'must not be before the last message');
  }
}
