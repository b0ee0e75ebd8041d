/**
 * The three forms of a date in HTTP (RFC 9110, section 5.6.7), and nothing else: `Date.parse` would also take `40.5` for a day of
 * the year 2040. The service has the same rules, and a test runs the same table against both.
 */

const months = 'Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec';
const shortDays = 'Mon|Tue|Wed|Thu|Fri|Sat|Sun';
const longDays = 'Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday';
const clock = String.raw`(?<time>\d\d:\d\d:\d\d)`;

const forms = [
  // IMF-fixdate: Sun, 06 Nov 1994 08:49:37 GMT
  String.raw`(?:${shortDays}), (?<day>\d\d) (?<month>${months}) (?<year>\d{4}) ${clock} GMT`,
  // RFC 850: Sunday, 06-Nov-94 08:49:37 GMT
  String.raw`(?:${longDays}), (?<day>\d\d)-(?<month>${months})-(?<year>\d\d) ${clock} GMT`,
  // asctime: Sun Nov  6 08:49:37 1994
  String.raw`(?:${shortDays}) (?<month>${months}) (?<day>\d\d| \d) ${clock} (?<year>\d{4})`,
].map((form) => new RegExp(`^${form}$`));

/** A year of two digits is at most so far in the future (RFC 9110, section 5.6.7). */
const maxYearsAhead = 50;

/**
 * @param nowMs decides about a year of two digits
 * @returns epoch milliseconds; undefined if the text is no date of HTTP. The name of the day of the week is not compared
 */
export function httpDateMs(text: string, nowMs: number): number | undefined {
  for (const form of forms) {
    const { day, month, year = '', time = '' } = form.exec(text)?.groups ?? {};
    if (!month) continue;
    const at = (full: number) => timeOf(full, months.split('|').indexOf(month), Number(day), time);
    if (year.length === 4) return at(Number(year));
    const now = new Date(nowMs);
    const latestMs = now.setUTCFullYear(now.getUTCFullYear() + maxYearsAhead);
    const nextCentury = Math.ceil(new Date(nowMs).getUTCFullYear() / 100) * 100 + Number(year);
    return [0, 100, 200]
      .map((before) => at(nextCentury - before))
      .find((ms) => ms !== undefined && ms <= latestMs);
  }
  return undefined;
}

/** A second of 60 is a leap second (RFC 9110): the next minute. */
function timeOf(year: number, month: number, day: number, time: string): number | undefined {
  const [hour = 0, minute = 0, second = 0] = time.split(':').map(Number);
  const date = new Date(Date.UTC(year, month, day));
  // `Date` would count on from a day that does not exist, and adds 1900 to the years before 100.
  const exists = date.getUTCDate() === day && date.getUTCFullYear() === year;
  if (!exists || hour > 23 || minute > 59 || second > 60) return undefined;
  return date.getTime() + ((hour * 60 + minute) * 60 + second) * 1000;
}
