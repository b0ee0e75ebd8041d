/** The query parameters that endpoints share: pages, ranges of time, and waiting. */

import * as z from 'zod';
import { invalidField } from '../base/errors.ts';
import { dayMs, timestamp } from '../base/time.ts';
import { sentNumber, sentTime } from './common.ts';

export const defaultLimit = 25;

export const pageQuery = {
  limit: sentNumber(/^([1-9]\d?|100)$/, [1, 100], defaultLimit).meta({
    description: 'The maximum number of items in the page.',
  }),
  cursor: z
    .string()
    .min(1, 'must not be empty')
    .max(512)
    .meta({ pattern: '^[A-Za-z0-9_-]+$' })
    .optional()
    .meta({ description: 'The `nextCursor` of the previous page. Send it with the same filters.' }),
};

/**
 * In the query parameters of a time range, `…From` is inclusive, and `…Before` exclusive.
 * @param what the end of "Only …", such as `projects created`
 */
export const rangeFrom = (what: string) =>
  sentTime()
    .optional()
    .meta({ description: `Only ${what} at this time or later.` });

export const rangeBefore = (what: string) =>
  sentTime()
    .optional()
    .meta({ description: `Only ${what} before this time.` });

/** The deprecated start of a range is exclusive. */
export const rangeAfter = (what: string, newName: string) =>
  sentTime()
    .optional()
    .meta({ description: `Only ${what} after this time. Use \`${newName}\` instead.`, deprecated: true });

/**
 * @param values the values of `…From` and `…After`
 * @returns the first millisecond of the range
 * @throws ApiError validation_error if both were sent
 */
export function rangeStartMs(
  name: 'created' | 'started' | 'updated',
  { from, after }: { from: number | undefined; after: number | undefined },
): number | undefined {
  if (from !== undefined && after !== undefined) {
    throw invalidField(`${name}After`, `must not be sent together with ${name}From`);
  }
  return from ?? (after === undefined ? undefined : after + 1);
}

const maxDays = 366;
const usualDays = 30;

/** The range from `from` to `to` is extended to whole days (UTC). */
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

/** The maximum number of requests that wait at the same time, per credential and per tenant. */
export const maxWaitsPerCaller = 10;
export const maxWaitsPerTenant = 50;

/** A waiting function is occupied, and the gateway gives up after 29 seconds. */
export const maxWaitSeconds = 20;

/** The schema of the time that a request waits for a change. Its description ends with `waitLimits`. */
export const waitSeconds = sentNumber(/^(\d|1\d|20)$/, [0, maxWaitSeconds], 0);

export const waitLimits =
  `At most ${maxWaitsPerCaller} requests per credential and ${maxWaitsPerTenant} per ` +
  'organisation and mode can wait. A further request gets its response at once, with `Retry-After`.';
