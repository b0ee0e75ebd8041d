/** When a failed attempt is repeated. */

import { ApiError, ConnectionError, type PlatformError } from './errors.ts';

const firstDelayMs = 300;
const maxDelayMs = 10_000;

const retriedStatuses = [429, 500, 502, 503, 504];

/** Every request of this client takes effect once, so only what another attempt can change matters. */
export const isRetryable = (error: PlatformError): boolean =>
  error instanceof ConnectionError || (error instanceof ApiError && retriedStatuses.includes(error.status));

/**
 * Full jitter: callers that failed together do not come back together. `Retry-After` is a minimum, so the jitter is added.
 * @see https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
 * @param attempt the one that failed: 1, 2, 3 …
 * @param random from 0 (inclusive) to 1 (exclusive)
 */
export function delayMs(attempt: number, retryAfterSeconds: number | undefined, random: number): number {
  const most = Math.min(maxDelayMs, firstDelayMs * 2 ** (attempt - 1));
  return (retryAfterSeconds ?? 0) * 1000 + random * most;
}

/**
 * `Retry-After` in seconds or as a date (RFC 9110, section 10.2.3).
 * @param nowMs what the responding server's clock says, so that the clocks need not agree
 */
export function retryAfterSeconds(value: string | null, nowMs: number): number | undefined {
  if (value === null || value.trim() === '') return undefined;
  const seconds = /^\s*\d+\s*$/.test(value) ? Number(value) : (Date.parse(value) - nowMs) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}
