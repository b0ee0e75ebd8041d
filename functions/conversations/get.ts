import * as z from 'zod';
import { anyOf } from '../../lib/base/scopes.ts';
import { ScoredConversation } from '../../lib/conversations/schema/score.ts';
import { conversationInPath } from '../../lib/conversations/store/conversations.ts';
import { scoresInPath, withScores } from '../../lib/conversations/store/scores.ts';
import { showConversation } from '../../lib/conversations/store/state.ts';
import { defineEndpoint, optional } from '../../lib/http/endpoint.ts';
import { id } from '../../lib/schema/common.ts';

export default defineEndpoint({
  id: 'conversations.get',
  method: 'GET',
  path: '/projects/{project_id}/conversations/{conversation_id}',
  summary: 'Get a conversation',
  description:
    'Returns the conversation with its effective scores, without its messages. `GET …/transcript` returns the messages, ' +
    '`GET …/scores` all scores.',
  auth: anyOf('conversations:read', 'runtime:write'),
  project: 'existing',
  loads: { conversation: conversationInPath, scores: optional(scoresInPath) },
  environments: ({ loaded }) => [loaded.conversation.deploymentId],
  request: { params: z.strictObject({ project_id: id('project'), conversation_id: id('conversation') }) },
  responses: { 200: ScoredConversation },

  async handle({ loaded }) {
    return { status: 200, data: showConversation(withScores(loaded.conversation, loaded.scores)) };
  },
});
