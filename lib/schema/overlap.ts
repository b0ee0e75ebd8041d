/** The secrets of API keys and of webhooks are rotated in the same way. */

import * as z from 'zod';
import type { ErrorDetail } from '../base/errors.ts';
import { dayMs, parseDurationMs } from '../base/time.ts';

const maxOverlapMs = 7 * dayMs;
const defaultOverlapMs = dayMs;

/** @returns milliseconds; undefined if it is not `0` and not a duration */
const parseOverlapMs = (overlap: 0 | string): number | undefined =>
  overlap === 0 || overlap === '0' || overlap === '0s' ? 0 : parseDurationMs(overlap);

const overlap = z
  .union([
    z.literal(0),
    z
      .string()
      .refine((value) => {
        const overlapMs = parseOverlapMs(value);
        return overlapMs !== undefined && overlapMs <= maxOverlapMs;
      }, 'must be 0s, or a whole number and a unit (h, d or w), such as 1h or 7d, at most 7d')
      .meta({ pattern: '^(0s?|([1-9]\\d?|1[0-5]\\d|16[0-8])h|[1-7]d|1w)$' }),
  ])
  .meta({
    description:
      'How long the old secret stays valid: `0s` (or `0`), or a whole number of hours, days or weeks, at most 7 days. ' +
      'Default: `24h`.',
    example: '24h',
  });

const endPrevious = z.boolean().meta({
  description:
    'Whether the secret from before the last rotation ends at once, although its end was announced for later. ' +
    'Default: false. Then the rotation is refused while that secret is valid.',
  example: false,
});

export const Rotation = z.strictObject({ overlap: overlap.optional(), endPrevious: endPrevious.optional() });

export const overlapMsOf = ({ overlap }: z.infer<typeof Rotation>): number =>
  overlap === undefined ? defaultOverlapMs : (parseOverlapMs(overlap) ?? 0);

/** @returns the details of `previous_secret_valid`: the time from which another rotation needs no `endPrevious` */
export const previousSecretEnd = (expiresAt: string): ErrorDetail[] => [
  { path: 'previousSecretExpiresAt', message: expiresAt },
];
