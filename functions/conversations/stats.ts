import * as z from 'zod';
import { ConversationStats, statsGroups } from '../../lib/conversations/schema/stats.ts';
import { daysOf, groupCounters } from '../../lib/conversations/stats.ts';
import { goneUntilMs } from '../../lib/conversations/store/conversations.ts';
import { getCounters } from '../../lib/conversations/store/counters.ts';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { id, sentTime } from '../../lib/schema/common.ts';

export default defineEndpoint({
  id: 'conversations.stats',
  method: 'GET',
  path: '/projects/{project_id}/conversations/stats',
  summary: 'Count conversations',
  description:
    'Counted by the day (UTC) of their start: a range counts every day that it touches, as a whole. Changes are counted ' +
    'behind the answers to them, usually within seconds. What was erased is counted no longer; what is older than ' +
    "the project's `retentionDays` is not either, but for the day on which that begins.\n\n" +
    'A range with more than 10 000 combinations of day, avatar and channel is refused with `stats_too_large`: ask for it ' +
    'in parts.',
  auth: 'conversations:read',
  project: 'existing',
  request: {
    params: z.strictObject({ project_id: id('project') }),
    query: z.strictObject({
      groupBy: z
        .enum(statsGroups)
        .default('day')
        .meta({ description: 'What is counted by itself. Items come in the order of their keys.' }),
      from: sentTime()
        .optional()
        .meta({ description: 'The start of the range: 30 days, with the last one, when left out.' }),
      to: sentTime()
        .optional()
        .meta({ description: 'Its end, not included; now when left out. At most 366 days later.' }),
    }),
  },
  responses: { 200: ConversationStats },
  errors: ['stats_too_large'],
  access: { conversationStats: ['Query'] },

  async handle({ query, project, store, nowMs }) {
    const range = daysOf({ fromMs: query.from, toMs: query.to }, nowMs, goneUntilMs(project, nowMs));
    const counters = await getCounters(store, project.id, range);
    if (!counters) return fail('stats_too_large');
    return { status: 200, data: groupCounters(counters, query.groupBy) };
  },
});
