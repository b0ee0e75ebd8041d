import * as z from 'zod';
import { defineEndpoint, fail } from '../../lib/endpoint.ts';
import { id } from '../../lib/models/common.ts';
import { Conversation, tags } from '../../lib/models/conversation.ts';
import { metadata } from '../../lib/models/metadata.ts';
import { atLeastOneField } from '../../lib/models/patch.ts';
import { changeConversation, getConversation, showConversation } from '../../lib/store/conversations.ts';
import { timestamp } from '../../lib/time.ts';

export default defineEndpoint({
  id: 'conversations.update',
  method: 'PATCH',
  path: '/projects/{project_id}/conversations/{conversation_id}',
  summary: 'Change a conversation',
  description:
    'Changes the fields that are sent, each as a whole, also of a conversation that has ended. That is no activity: it ' +
    'keeps no conversation from ending by itself.',
  auth: 'conversations:write',
  project: 'active',
  request: {
    params: z.strictObject({ project_id: id('project'), conversation_id: id('conversation') }),
    body: atLeastOneField(z.strictObject({ tags: tags.exactOptional(), metadata: metadata.exactOptional() })),
  },
  responses: { 200: Conversation },
  errors: ['not_found'],
  access: { conversations: ['GetItem', 'UpdateItem', 'PutItem', 'DeleteItem'] },

  async handle({ params, body, project, store, nowMs }) {
    const conversation = await getConversation(store, project, params.conversation_id, nowMs);
    if (!conversation) return fail('not_found');
    const changes = { ...body, updatedAt: timestamp(nowMs) };
    return {
      status: 200,
      data: showConversation({ ...conversation, ...changes }),
      writes: changeConversation(store, project, conversation, changes),
    };
  },
});
