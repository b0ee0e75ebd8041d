/** When a failed delivery is attempted again. */

import { dayMs, hourMs, minuteMs, secondMs } from '../time.ts';

/** The pause after each failed attempt. After the last one, the delivery has failed. */
export const retryDelaysMs = [
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  10 * hourMs,
] as const;

export const maxAttempts = retryDelaysMs.length + 1;

/** A pause is up to this share longer, so that retries of many deliveries do not come at once. */
const maxJitter = 0.2;
/** A receiver may ask for a longer pause, but not for any. */
export const maxRetryAfterMs = dayMs;

/**
 * @param failures the number of failed attempts, at least 1
 * @param retryAfterMs what the receiver asks for
 * @param fraction a random number from 0 to below 1
 * @returns the pause before the next attempt; undefined if there is none
 */
export function retryDelayMs(
  failures: number,
  retryAfterMs: number | undefined,
  fraction: number,
): number | undefined {
  const delayMs = retryDelaysMs[failures - 1];
  if (delayMs === undefined) return undefined;
  const asked = Math.min(retryAfterMs ?? 0, maxRetryAfterMs);
  return Math.round(Math.max(delayMs, asked) * (1 + maxJitter * fraction));
}

/**
 * @param value of the header `Retry-After`: seconds or a date (RFC 9110 section 10.2.3)
 * @returns milliseconds from now; undefined if it is neither or in the past
 */
export function parseRetryAfterMs(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined) return undefined;
  const ms = /^\d{1,9}$/.test(value) ? Number(value) * secondMs : Date.parse(value) - nowMs;
  return ms > 0 ? ms : undefined;
}
