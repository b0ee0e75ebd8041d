/** The range from `from` to `to` in query parameters is extended to whole days (UTC). */

import { invalidField } from '../base/errors.ts';
import { dayMs, timestamp } from '../base/time.ts';
import { sentTime } from './common.ts';

const maxDays = 366;
const usualDays = 30;

export const dayRange = () => ({
  from: sentTime()
    .optional()
    .meta({ description: `Start of the range. Default: ${usualDays} days, including the last day.` }),
  to: sentTime()
    .optional()
    .meta({
      description: `End of the range, exclusive. Default: now. At most ${maxDays} days after \`from\`.`,
    }),
});

const day = (ms: number) => timestamp(ms).slice(0, 10);

/**
 * @param query `to` is exclusive
 * @param cutoffMs data of this time or earlier has expired
 * @returns the first and the last day (UTC) that the range touches and that have not expired; by default the last 30 days
 * @throws ApiError validation_error
 */
export function daysOf(
  query: { from: number | undefined; to: number | undefined },
  nowMs: number,
  cutoffMs?: number,
): { first: string; last: string } {
  // The range includes data of this millisecond.
  const toMs = query.to ?? nowMs + 1;
  const fromMs = query.from ?? toMs - 1 - (usualDays - 1) * dayMs;
  if (fromMs >= toMs) throw invalidField('from', 'must be before `to`');
  if (toMs - fromMs > maxDays * dayMs)
    throw invalidField('from', `must be at most ${maxDays} days before \`to\``);
  const keptFromMs = cutoffMs === undefined ? fromMs : cutoffMs + 1;
  return { first: day(Math.max(fromMs, keptFromMs)), last: day(toMs - 1) };
}
