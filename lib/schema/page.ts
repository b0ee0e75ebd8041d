/** The query parameters of lists are a separate file, because unneeded schemas cost time in a cold start. */

import * as z from 'zod';
import { sentNumber } from './common.ts';

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
