import * as z from 'zod';
import { conversationFilters, startTimes } from '../../lib/conversations/schema/query-filters.ts';
import { ScoredConversation } from '../../lib/conversations/schema/score.ts';
import { conversationExternalId } from '../../lib/conversations/schema/values.ts';
import { listConversations } from '../../lib/conversations/store/list.ts';
import { showConversation } from '../../lib/conversations/store/state.ts';
import { readScoreFilters } from '../../lib/evaluations/score-filters.ts';
import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { id, listOf } from '../../lib/schema/common.ts';
import { defaultLimit, pageQuery } from '../../lib/schema/query.ts';

export default defineEndpoint({
  id: 'conversations.list',
  method: 'GET',
  path: '/projects/{project_id}/conversations',
  summary: 'List conversations',
  description:
    'Returns the current state with the effective scores, ordered by start. All filters can be combined.\n\nWith selective ' +
    'filters, a page may have fewer than `limit` items, or no items. Continue until `nextCursor` is null. A ' +
    'cursor is valid only with the same filters and order.',
  auth: 'conversations:read',
  project: 'existing',
  environments: 'left_out',
  request: {
    params: z.strictObject({ project_id: id('project') }),
    query: z.strictObject({
      ...pageQuery,
      ...conversationFilters,
      externalId: conversationExternalId
        .optional()
        .meta({ description: 'Only the conversation with this externalId.' }),
      order: z
        .enum(['newest', 'oldest'])
        .default('newest')
        .meta({ description: 'The order of their start.' }),
    }),
  },
  responses: { 200: listOf(ScoredConversation).meta({ id: 'ConversationList' }) },
  access: { conversations: ['GetItem', 'Query', 'BatchGetItem'], deployments: ['BatchGetItem'] },

  async handle({ query, caller, project, store, nowMs, cursor }) {
    const { limit, cursor: cursorText, score, ...filters } = query;
    const list = {
      ...filters,
      ...startTimes(query),
      scores: await readScoreFilters(store, score),
      status: query.status,
      environments: caller.environments,
      after: cursor.position(cursorText),
      limit: limit ?? defaultLimit,
    };
    const page = await listConversations(store, project, list, nowMs);
    return {
      status: 200,
      data: { items: page.items.map(showConversation), nextCursor: cursor.next(page.next) },
    };
  },
});
