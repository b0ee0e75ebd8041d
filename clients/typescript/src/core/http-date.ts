/**
 * The three forms of a date in HTTP (RFC 9110, section 5.6.7), and nothing else: `Date.parse` would also take `40.5` for a day of
 * the year 2040. The service has the same rules, and a test runs the same table against both.
 */

/** `Sunday, 06-Nov-94 08:49:37 GMT` (RFC 850), until its year. */
const shortYear = /^(?=(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)(...)\w+, (\d\d)-(...)-(\d\d)/;
/** `Sun Nov  6 08:49:37 1994` (asctime) */
const asctime = /^(...) (...) (\d\d) (\S+) (\d{4})$/;

/**
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
