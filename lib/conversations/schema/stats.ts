import * as z from 'zod';
import { shownCount, shownTime } from '../../schema/common.ts';

export const statsGroups = ['day', 'avatar', 'channel'] as const;
export type StatsGroup = (typeof statsGroups)[number];

const sums = {
  conversations: shownCount().meta({ description: 'How many started in that time.', example: 2 }),
  messages: shownCount().meta({ description: 'How many messages they have.', example: 14 }),
  meanDurationSeconds: shownCount().meta({
    description: 'The mean of their `durationSeconds`; 0 without a conversation.',
    example: 95,
  }),
};

export const ConversationStats = z
  .object({
    items: z.array(
      z.object({
        key: z.string().nullable().meta({
          description:
            "The day (`2026-03-01`), the avatar's id or the channel; null for those without a channel.",
          example: '2026-03-01',
        }),
        ...sums,
      }),
    ),
    totals: z.object(sums),
    countedThrough: shownTime().nullable().meta({
      description: 'When the latest change took effect that is counted here, to the second; null for none.',
    }),
  })
  .meta({ id: 'ConversationStats' });

export type ConversationStats = z.infer<typeof ConversationStats>;
