/** What statistics show of a score. */

import * as z from 'zod';
import { shownCount } from '../schema/common.ts';

export const ScoreStats = z
  .object({
    count: shownCount().meta({ description: 'The number of conversations with a value.', example: 20 }),
    unknown: shownCount().meta({
      description: 'The number of conversations whose value is unknown. `shares` leaves them out.',
      example: 1,
    }),
    mean: z.number().nullable().meta({
      description: 'The mean of numbers, to six decimals. Null for other outputs, and without values.',
      example: 4.25,
    }),
    shares: z
      .array(
        z
          .object({
            value: z.string().meta({
              description:
                '`true` or `false`, the category, the nearest whole number, or the range of numbers, such as `0-0.1`: ' +
                'a number between two ranges is in the higher one. `any` for texts and objects.',
              example: 'true',
            }),
            count: shownCount().meta({ description: 'The number of conversations.', example: 15 }),
            share: z
              .number()
              .meta({ description: 'The share of `count` above: 0 to 1, to six decimals.', example: 0.75 }),
          })
          .meta({ id: 'ScoreShare', description: 'The conversations with a value.' }),
      )
      .meta({ description: 'All values, in the order of the output of the evaluator.' }),
  })
  .meta({ id: 'ScoreStats', description: 'The effective scores of an evaluator.' });
export type ScoreStats = z.infer<typeof ScoreStats>;
