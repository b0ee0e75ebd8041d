import * as z from 'zod';
import { shownCount, shownTime } from '../../schema/common.ts';
import { ScoreStats } from '../../scores/stats.ts';

export const statsGroups = ['day', 'avatar', 'channel', 'deployment'] as const;
export type StatsGroup = (typeof statsGroups)[number];

/** This prefix is in the pattern of `statsGrouping`. */
const scorePrefix = 'score:';

export const statsGrouping = z
  .string()
  .regex(
    /^(day|avatar|channel|deployment|score:[a-z0-9_-]{1,40})$/,
    'must be `day`, `avatar`, `channel`, `deployment`, or `score:` and the name of an evaluator',
  );

/** @param sent a value that `statsGrouping` accepts */
export function readGrouping(sent: string): { groupBy: StatsGroup } | { groupBy: 'score'; name: string } {
  const group = statsGroups.find((one) => one === sent);
  return group ? { groupBy: group } : { groupBy: 'score', name: sent.slice(scorePrefix.length) };
}

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
  score: ScoreStats.optional().meta({
    description: 'Their scores. Only in responses to requests with `score`.',
  }),
};

export const ConversationStats = z
  .object({
    items: z
      .array(
        z
          .object({
            key: z
              .string()
              .nullable()
              .meta({
                description:
                  "The day (`2026-03-01`), the avatar's id, the channel, the deployment's id, or the value of the " +
                  'score as in `shares`; null for conversations without a channel, deployment or value.',
                example: '2026-03-01',
              }),
            ...sums,
          })
          .meta({
            id: 'ConversationStatsItem',
            description: 'The counts of a day, an avatar, a channel, a deployment or a value of a score.',
          }),
      )
      .meta({ description: 'The counts of each day, avatar, channel, deployment or value.' }),
    totals: z
      .object(sums)
      .meta({ id: 'ConversationStatsTotals', description: 'The counts of the whole range.' }),
    countedThrough: shownTime().nullable().meta({
      description: 'The time of the latest counted change, to the second; null if no change is counted.',
    }),
  })
  .meta({ id: 'ConversationStats', description: 'Counts of conversations, messages and scores.' });

export type ConversationStats = z.infer<typeof ConversationStats>;
