import * as z from 'zod';
import { Score } from '../../../lib/conversations/schema/score.ts';
import { conversationInPath } from '../../../lib/conversations/store/conversations.ts';
import {
  listScores,
  scoreIdPattern,
  scoresInPath,
  showScore,
} from '../../../lib/conversations/store/scores.ts';
import { defineEndpoint, optional } from '../../../lib/http/endpoint.ts';
import { id, listOf } from '../../../lib/schema/common.ts';
import { defaultLimit, pageQuery } from '../../../lib/schema/query.ts';

export default defineEndpoint({
  id: 'conversations.scores.list',
  method: 'GET',
  path: '/projects/{project_id}/conversations/{conversation_id}/scores',
  summary: 'List the scores of a conversation',
  description:
    'Returns all scores: one for each evaluator, version, source and number of messages. They are sorted by name in ' +
    'descending order. The effective score of each name comes first.',
  auth: 'conversations:read',
  project: 'existing',
  loads: { conversation: conversationInPath, summary: optional(scoresInPath) },
  environments: ({ loaded }) => [loaded.conversation.deploymentId],
  request: {
    params: z.strictObject({ project_id: id('project'), conversation_id: id('conversation') }),
    query: z.strictObject(pageQuery),
  },
  responses: { 200: listOf(Score).meta({ id: 'ScoreList' }) },
  access: { conversations: ['Query'] },

  async handle({ loaded: { conversation, summary }, query, store, cursor }) {
    const page = await listScores(store, conversation.id, {
      after: cursor.position(query.cursor, scoreIdPattern),
      limit: query.limit ?? defaultLimit,
    });
    return {
      status: 200,
      data: {
        items: page.items.map((score) => showScore(score, conversation, summary)),
        nextCursor: cursor.next(page.next),
      },
    };
  },
});
