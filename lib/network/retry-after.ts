import { dayMs, secondMs } from '../base/time.ts';
import { httpDateMs } from './http-date.ts';

/**
 * Longer pauses are cut. A longer pause means "not soon" in any case, and clocks and timers have limits. No period of the
 * service is longer than a month.
 */
export const maxRetryAfterMs = 31 * dayMs;

/**
 * @param value a whole number of seconds, or a date of HTTP (RFC 9110, section 10.2.3)
 * @returns milliseconds from now, 0 for a date in the past; undefined if the value has another form
 */
export function retryAfterMs(value: string | undefined, nowMs: number): number | undefined {
  const text = value?.trim() ?? '';
  const atMs = /^\d+$/.test(text) ? nowMs + Number(text) * secondMs : httpDateMs(text, nowMs);
  return atMs === undefined ? undefined : Math.min(Math.max(atMs - nowMs, 0), maxRetryAfterMs);
}
