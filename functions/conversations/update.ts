import * as z from 'zod';
import { timestamp } from '../../lib/base/time.ts';
import { tags } from '../../lib/conversations/schema/conversation.ts';
import { ScoredConversation } from '../../lib/conversations/schema/score.ts';
import { changeConversation } from '../../lib/conversations/store/changes.ts';
import { conversationInPath } from '../../lib/conversations/store/conversations.ts';
import { scoresInPath, withScores } from '../../lib/conversations/store/scores.ts';
import { showConversation } from '../../lib/conversations/store/state.ts';
import { defineEndpoint, optional } from '../../lib/http/endpoint.ts';
import { atLeastOneField, id } from '../../lib/schema/common.ts';
import { metadata } from '../../lib/schema/metadata.ts';

export default defineEndpoint({
  id: 'conversations.update',
  method: 'PATCH',
  path: '/projects/{project_id}/conversations/{conversation_id}',
  summary: 'Update a conversation',
  description:
    'Replaces the fields in the body, also after the conversation has ended. An update does not count as ' +
    'activity, so it does not delay the timeout.',
  auth: 'conversations:write',
  project: 'active',
  loads: { conversation: conversationInPath, scores: optional(scoresInPath) },
  environments: ({ loaded }) => [loaded.conversation.deploymentId],
  request: {
    params: z.strictObject({ project_id: id('project'), conversation_id: id('conversation') }),
    body: atLeastOneField(z.strictObject({ tags: tags.exactOptional(), metadata: metadata.exactOptional() })),
  },
  causes: ['conversation.updated'],
  responses: { 200: ScoredConversation },
  access: { conversations: ['UpdateItem', 'PutItem', 'DeleteItem'] },

  async handle({ loaded: { conversation, scores }, body, store, nowMs }) {
    const changes = { ...body, updatedAt: timestamp(nowMs) };
    return {
      status: 200,
      data: showConversation(withScores({ ...conversation, ...changes }, scores)),
      writes: changeConversation(store, conversation, changes),
    };
  },
});
