/** Decides whether and when a failed attempt is repeated. */

import { ApiError, ConnectionError, type PlatformError } from './errors.ts';
import { httpDateMs } from './http-date.ts';

const firstDelayMs = 300;
const maxDelayMs = 10_000;

const retriedStatuses = [429, 500, 502, 503, 504];

/** Whether another attempt may succeed. It does no harm, because every request of this client takes effect once. */
export const isRetryable = (error: PlatformError): boolean =>
  error instanceof ConnectionError || (error instanceof ApiError && retriedStatuses.includes(error.status));

/**
 * Full jitter: callers that failed together do not come back together. `Retry-After` is a minimum, so the jitter is added.
 * @see https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
 * @param attempt the number of the failed attempt: 1, 2, 3 …
 * @param random from 0 (inclusive) to 1 (exclusive)
 */
export function delayMs(attempt: number, retryAfterSeconds: number | undefined, random: number): number {
  const jitterMs = random * Math.min(maxDelayMs, firstDelayMs * 2 ** (attempt - 1));
  return (retryAfterSeconds ?? 0) * 1000 + jitterMs;
}

/**
 * The longest pause. A longer time means "not soon" in any case. No period of the service is longer than a month.
 */
const maxRetryAfterSeconds = 31 * 86_400;

/**
 * Reads `Retry-After`: a whole number of seconds, or a date of HTTP (RFC 9110, section 10.2.3). Anything else is ignored.
 * @param nowMs the time of the client's clock. A date counts from the server's `Date`, so the two clocks need not agree
 */
export function retryAfterSeconds(headers: Headers, nowMs: number): number | undefined {
  const text = headers.get('retry-after')?.trim() ?? '';
  const fromMs = httpDateMs(headers.get('date') ?? '', nowMs) ?? nowMs;
  const atMs = /^\d+$/.test(text) ? fromMs + Number(text) * 1000 : httpDateMs(text, fromMs);
  return atMs === undefined ? undefined : Math.min(Math.max(0, atMs - fromMs) / 1000, maxRetryAfterSeconds);
}
