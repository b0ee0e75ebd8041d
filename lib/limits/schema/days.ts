import * as z from 'zod';
import { shownCount, shownTime } from '../../schema/common.ts';

const sums = {
  documents: shownCount().meta({
    description: 'Contents of documents that were stored: created or replaced.',
    example: 3,
  }),
  bytes: shownCount().meta({
    description: 'Bytes, in UTF-8, of these contents and of the texts of messages.',
    example: 12_400,
  }),
  conversations: shownCount().meta({ description: 'Conversations that were started.', example: 40 }),
  messages: shownCount().meta({ description: 'Messages that were added.', example: 310 }),
};

export const DailyUsage = z
  .object({
    items: z
      .array(
        z
          .object({
            day: z.string().meta({ description: 'The day (UTC).', example: '2026-03-01' }),
            ...sums,
          })
          .meta({ id: 'UsageDay', description: 'How much was stored on a day.' }),
      )
      .meta({ description: 'The days on which something was stored, oldest first.' }),
    totals: z
      .object(sums)
      .meta({ id: 'UsageDaysTotals', description: 'How much was stored in the whole range.' }),
    countedThrough: shownTime().nullable().meta({
      description: 'The time of the latest counted change. Null if no change is counted.',
    }),
  })
  .meta({ id: 'DailyUsage', description: 'How much an organisation has stored, by day.' });

export type DailyUsage = z.infer<typeof DailyUsage>;
