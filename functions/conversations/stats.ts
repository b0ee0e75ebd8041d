import * as z from 'zod';
import { ConversationStats, statsGroups } from '../../lib/conversations/schema/stats.ts';
import { groupCounters } from '../../lib/conversations/stats.ts';
import { getCounters } from '../../lib/conversations/store/counters.ts';
import { currentGeneration, generationsOfProject } from '../../lib/conversations/store/generations.ts';
import { retentionCutoffMs } from '../../lib/conversations/store/state.ts';
import { defineEndpoint, fail, optional } from '../../lib/http/endpoint.ts';
import { id } from '../../lib/schema/common.ts';
import { dayRange, daysOf } from '../../lib/schema/day-range.ts';

export default defineEndpoint({
  id: 'conversations.stats',
  method: 'GET',
  path: '/projects/{project_id}/conversations/stats',
  summary: 'Count conversations',
  description:
    'Counts conversations by the day (UTC) on which they started. The range is extended to whole days. Changes ' +
    'are counted in the background, usually within seconds. Erased conversations are not counted. Conversations ' +
    'older than `retentionDays` are not counted either, except on the day on which the retention period ' +
    'begins.\n\nA range with more than 10 000 combinations of day, avatar and channel is refused with ' +
    '`stats_too_large`. Request shorter ranges.',
  auth: 'conversations:read',
  project: 'existing',
  loads: { generations: optional(generationsOfProject) },
  request: {
    params: z.strictObject({ project_id: id('project') }),
    query: z.strictObject({
      groupBy: z
        .enum(statsGroups)
        .default('day')
        .meta({ description: 'The property that groups the counts. Items are sorted by key.' }),
      ...dayRange(),
    }),
  },
  responses: { 200: ConversationStats },
  errors: ['stats_too_large'],
  access: { conversationStats: ['Query'] },

  async handle({ loaded: { generations }, query, project, store, nowMs }) {
    const { from, to } = query;
    const range = daysOf({ from, to }, nowMs, retentionCutoffMs(project, nowMs));
    const counters = await getCounters(store, currentGeneration(generations), range);
    if (!counters) return fail('stats_too_large');
    return { status: 200, data: groupCounters(counters, query.groupBy) };
  },
});
