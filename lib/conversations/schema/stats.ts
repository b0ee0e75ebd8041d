import * as z from 'zod';
import { shownCount, shownTime } from '../../schema/common.ts';

export const statsGroups = ['day', 'avatar', 'channel'] as const;
export type StatsGroup = (typeof statsGroups)[number];

const sums = {
  conversations: shownCount().meta({
    description: 'The number of conversations that started in this period.',
    example: 2,
  }),
  messages: shownCount().meta({ description: 'The number of their messages.', example: 14 }),
  meanDurationSeconds: shownCount().meta({
    description: 'The mean of their `durationSeconds`; 0 without conversations.',
    example: 95,
  }),
};

export const ConversationStats = z
  .object({
    items: z
      .array(
        z
          .object({
            key: z.string().nullable().meta({
              description:
                "The day (`2026-03-01`), the avatar's id, or the channel; null for conversations without a channel.",
              example: '2026-03-01',
            }),
            ...sums,
          })
          .meta({
            id: 'ConversationStatsItem',
            description: 'The counts of a day, an avatar or a channel.',
          }),
      )
      .meta({ description: 'The counts of each day, avatar or channel.' }),
    totals: z
      .object(sums)
      .meta({ id: 'ConversationStatsTotals', description: 'The counts of the whole range.' }),
    countedThrough: shownTime().nullable().meta({
      description: 'The time of the latest counted change, to the second; null if no change is counted.',
    }),
  })
  .meta({ id: 'ConversationStats', description: 'Counts of conversations and messages.' });

export type ConversationStats = z.infer<typeof ConversationStats>;
