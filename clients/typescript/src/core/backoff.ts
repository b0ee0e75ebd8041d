/** Decides whether and when a failed attempt is repeated. */

import { ApiError, ConnectionError, type PlatformError } from './errors.ts';

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

/** `Sunday, 06-Nov-94 08:49:37 GMT` (RFC 850), until its year. */
const shortYear = /^(?=(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)(...)\w+, (\d\d)-(...)-(\d\d)/;
/** `Sun Nov  6 08:49:37 1994` (asctime) */
const asctime = /^(...) (...) (\d\d) (\S+) (\d{4})$/;

/**
 * The three forms of a date in HTTP (RFC 9110, section 5.6.7), and nothing else: `Date.parse` would also take `40.5` for a day of
 * the year 2040. The service has the same rules, and a test runs the same table against both.
 *
 * @param nowMs decides about a year of two digits: it is at most 50 years in the future
 * @returns epoch milliseconds; undefined if the text is no date of HTTP, or no day that exists
 */
export function httpDateMs(text: string, nowMs: number): number | undefined {
  const now = new Date(nowMs);
  const year = now.getUTCFullYear();
  const latestMs = shortYear.test(text) ? now.setUTCFullYear(year + 50) : Number.POSITIVE_INFINITY;
  return [100, 0, -100]
    .map((years) => `$1, $2 $3 ${Math.floor((year + years) / 100)}$4`)
    .map((form) => parsePreferredForm(text.replace(shortYear, form)))
    .find((ms) => ms <= latestMs);
}

/**
 * Parses `Sun, 06 Nov 1994 08:49:37 GMT`: the form that `Date` writes (ECMA-262, Date.prototype.toUTCString).
 * @returns NaN if the text has another form
 */
function parsePreferredForm(text: string): number {
  const whole = text.replace(/^(... ...) {2}/, '$1 0').replace(asctime, '$1, $3 $2 $5 $4 GMT');
  const ms = Date.parse(whole);
  return new Date(ms).toUTCString() === whole ? ms : Number.NaN;
}
