import * as z from 'zod';
import { Conversation } from '../../lib/conversations/schema/conversation.ts';
import { conversationInPath } from '../../lib/conversations/store/conversations.ts';
import { showConversation } from '../../lib/conversations/store/state.ts';
import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { id } from '../../lib/schema/common.ts';

export default defineEndpoint({
  id: 'conversations.get',
  method: 'GET',
  path: '/projects/{project_id}/conversations/{conversation_id}',
  summary: 'Get a conversation',
  description: 'Returns the conversation without its messages. `GET …/transcript` returns the messages.',
  auth: 'conversations:read',
  project: 'existing',
  loads: { conversation: conversationInPath },
  request: { params: z.strictObject({ project_id: id('project'), conversation_id: id('conversation') }) },
  responses: { 200: Conversation },

  async handle({ loaded }) {
    return { status: 200, data: showConversation(loaded.conversation) };
  },
});
