/** Times in tables, as people say them. --json and --utc show them exactly. */

const units = [
  ['s', 60],
  ['min', 60],
  ['h', 24],
  ['d', 365],
  ['y', Number.POSITIVE_INFINITY],
] as const;

/** Whether a text is a time of the API: ISO 8601 in UTC. */
export const isTime = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/.test(text) && !Number.isNaN(Date.parse(text));

/** @returns `2 h ago`, `in 3 d` or `now`, rounded down */
export function relativeTime(time: string, nowMs: number): string {
  const ms = nowMs - Date.parse(time);
  let count = Math.floor(Math.abs(ms) / 1000);
  // Clocks differ a little.
  if (count < 2) return 'now';
  for (const [unit, next] of units) {
    if (count < next) return ms > 0 ? `${count} ${unit} ago` : `in ${count} ${unit}`;
    count = Math.floor(count / next);
  }
  return time;
}
