import * as z from 'zod';
import { invalidField } from '../../lib/base/errors.ts';
import { readSums } from '../../lib/conversations/read-sums.ts';
import {
  ConversationStats,
  readGrouping,
  statsGrouping,
  statsGroups,
} from '../../lib/conversations/schema/stats.ts';
import { groupCounters } from '../../lib/conversations/stats.ts';
import { maxCounters } from '../../lib/conversations/store/counters.ts';
import { currentGeneration, generationsOfProject } from '../../lib/conversations/store/generations.ts';
import { retentionCutoffMs } from '../../lib/conversations/store/state.ts';
import { evaluatorNames } from '../../lib/evaluations/store/evaluators.ts';
import { defineEndpoint, fail, optional } from '../../lib/http/endpoint.ts';
import { id, sentFlag } from '../../lib/schema/common.ts';
import { scoreName } from '../../lib/schema/names.ts';
import { dayRange, daysOf } from '../../lib/schema/query.ts';
import { slotKeys } from '../../lib/scores/value.ts';

export default defineEndpoint({
  id: 'conversations.stats',
  method: 'GET',
  path: '/projects/{project_id}/conversations/stats',
  summary: 'Count conversations',
  description:
    'Counts conversations by the day (UTC) on which they started. The range is extended to whole days. Changes ' +
    'are counted in the background, usually within seconds. Erased conversations are not counted. Test ' +
    'conversations are counted apart: `test=true` returns their counts. Conversations ' +
    'older than `retentionDays` are not counted either, except on the day on which the retention period ' +
    'begins.\n\n`score=csat` adds the values of this score to each item and to the totals. ' +
    '`groupBy=score:csat` has an item for each value: `true` and `false`, the categories, the whole numbers if ' +
    'there are at most eleven, or else ten ranges of numbers. Only the effective score of a conversation ' +
    'counts.\n\nA range with more than 10 000 combinations of ' +
    'day, avatar, deployment and channel, or more than 10 000 items and shares, is refused with ' +
    '`stats_too_large`. Request shorter ranges. For a credential that is bound to environments, `groupBy=avatar` and ' +
    '`groupBy=channel` count at most 10 000 conversations of the project.',
  auth: 'conversations:read',
  project: 'existing',
  environments: 'left_out',
  loads: { generations: optional(generationsOfProject) },
  request: {
    params: z.strictObject({ project_id: id('project') }),
    query: z.strictObject({
      groupBy: statsGrouping.default('day').meta({
        description:
          'The property that groups the counts: `day`, `avatar`, `channel`, `deployment`, or `score:` and the ' +
          'name of an evaluator. Items are sorted by key, and those of a score by value.',
        'x-extensible-enum': statsGroups,
        example: 'day',
      }),
      score: scoreName.optional().meta({
        description:
          'The name of an evaluator whose scores are counted. With `groupBy=score:…`, only the same name.',
        example: 'csat',
      }),
      test: sentFlag().meta({
        description: 'Whether to count test conversations instead of the others.',
        documentedAs: { type: 'boolean', default: false },
      }),
      ...dayRange(),
    }),
  },
  responses: { 200: ConversationStats },
  errors: ['stats_too_large'],
  access: { conversationStats: ['Query'], conversations: ['GetItem'], deployments: ['BatchGetItem'] },

  async handle({ loaded: { generations }, query, caller, project, store, nowMs }) {
    const { from, to, test: isTest = false } = query;
    const range = { ...daysOf({ from, to }, nowMs, retentionCutoffMs(project, nowMs)), isTest };
    const grouping = readGrouping(query.groupBy);
    const name = grouping.groupBy === 'score' ? grouping.name : query.score;
    if (query.score !== undefined && query.score !== name) {
      throw invalidField('score', `must be \`${name}\`, as in \`groupBy\``);
    }
    const generation = currentGeneration(generations);
    const { groupBy } = grouping;
    const [sums, evaluator] = await Promise.all([
      readSums(store, generation, caller, { groupBy, name, range }),
      name === undefined ? undefined : evaluatorNames.at(store).get(name),
    ]);
    if (name !== undefined && !evaluator) {
      const field = grouping.groupBy === 'score' ? 'groupBy' : 'score';
      throw invalidField(field, `no evaluator has the name \`${name}\``);
    }
    if (!sums) return fail('stats_too_large');
    const slots = {
      keys: evaluator ? slotKeys(evaluator.output) : [],
      isNumber: evaluator?.output.type === 'number',
    };
    const isShown = query.score !== undefined;
    const data = groupCounters(sums, { groupBy, slots, isShown });
    if (data.items.length * (1 + slots.keys.length) > maxCounters) return fail('stats_too_large');
    return { status: 200, data };
  },
});
