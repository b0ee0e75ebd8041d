/** The time in the header Retry-After of a response. */

import { dayMs, secondMs } from '../base/time.ts';

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

/** The form of RFC 850, until its year: `Sunday, 06-Nov-94 08:49:37 GMT`. */
const shortYear = /^(?=(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)(...)\w+, (\d\d)-(...)-(\d\d)/;
/** The form of asctime: `Sun Nov  6 08:49:37 1994`. */
const asctime = /^(...) (...) (\d\d) (\S+) (\d{4})$/;

/**
 * A date in HTTP has three forms (RFC 9110, section 5.6.7). `Date.parse` would also take `40.5` for a day of the year 2040. The
 * clients have the same rules, and a test runs the same table against all of them.
 *
 * @param nowMs the present, because a year of two digits is at most 50 years in the future
 * @returns epoch milliseconds; undefined if the text is no date of HTTP, or if its day does not exist
 */
export function httpDateMs(text: string, nowMs: number): number | undefined {
  const now = new Date(nowMs);
  const year = now.getUTCFullYear();
  const latestMs = shortYear.test(text) ? now.setUTCFullYear(year + 50) : Number.POSITIVE_INFINITY;
  return [100, 0, -100]
    .map((later) => `$1, $2 $3 ${Math.floor((year + later) / 100)}$4`)
    .map((form) => parseFixed(text.replace(shortYear, form)))
    .find((ms) => ms <= latestMs);
}

/**
 * @returns NaN unless the text, in the form of asctime or RFC 1123, is what `Date` writes: `Sun, 06 Nov 1994 08:49:37 GMT`
 *   (ECMA-262, Date.prototype.toUTCString)
 */
function parseFixed(text: string): number {
  const fixedText = text.replace(/^(... ...) {2}/, '$1 0').replace(asctime, '$1, $3 $2 $5 $4 GMT');
  const ms = Date.parse(fixedText);
  return new Date(ms).toUTCString() === fixedText ? ms : Number.NaN;
}
