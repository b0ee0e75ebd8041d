/** Times are in milliseconds, points in time in epoch milliseconds, unless a name says otherwise. The clock is passed in. */

export const secondMs = 1000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

const unitMs = { h: hourMs, d: dayMs, w: 7 * dayMs } as const;

/** @returns ISO 8601 in UTC with milliseconds and `Z`, which is the only form of times in responses */
export const timestamp = (epochMs: number): string => new Date(epochMs).toISOString();

/** @returns a TTL attribute in epoch seconds, rounded up so that nothing expires early */
export const ttlSeconds = (epochMs: number): number => Math.ceil(epochMs / secondMs);

/** @returns the time to compare with a TTL attribute, in epoch seconds */
export const nowSeconds = (nowMs: number): number => Math.floor(nowMs / secondMs);

/**
 * Parses a duration such as `12h`, `90d` or `4w`.
 * @returns milliseconds, or undefined unless the text is a whole number of at least 1 and a unit
 */
export function parseDurationMs(text: string): number | undefined {
  const match = /^([1-9]\d{0,5})([hdw])$/.exec(text);
  if (!match) return undefined;
  return Number(match[1]) * unitMs[match[2] as keyof typeof unitMs];
}
