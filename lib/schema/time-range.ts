/** In the query parameters of a time range, `…From` is inclusive, and `…Before` exclusive. */

import { invalidField } from '../base/errors.ts';
import { sentTime } from './common.ts';

/** @param what the end of "Only …", such as `projects created` */
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
 *
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
