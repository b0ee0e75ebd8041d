import * as z from 'zod';
import { Conversation } from '../../lib/conversations/schema/conversation.ts';
import { getConversation, showConversation } from '../../lib/conversations/store/conversations.ts';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { id } from '../../lib/schema/common.ts';

export default defineEndpoint({
  id: 'conversations.get',
  method: 'GET',
  path: '/projects/{project_id}/conversations/{conversation_id}',
  summary: 'Get a conversation',
  description: 'Returns the conversation without its messages. Use its transcript for those.',
  auth: 'conversations:read',
  project: 'existing',
  request: { params: z.strictObject({ project_id: id('project'), conversation_id: id('conversation') }) },
  responses: { 200: Conversation },
  errors: ['not_found'],
  access: { conversations: ['GetItem'] },

  async handle({ params, project, store, nowMs }) {
    const conversation = await getConversation(store, project, params.conversation_id, nowMs);
    return conversation ? { status: 200, data: showConversation(conversation) } : fail('not_found');
  },
});
