import * as z from 'zod';
import { Conversation, tags } from '../../lib/conversations/schema/conversation.ts';
import {
  changeConversation,
  getConversation,
  showConversation,
} from '../../lib/conversations/store/conversations.ts';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { id } from '../../lib/schema/common.ts';
import { metadata } from '../../lib/schema/metadata.ts';
import { atLeastOneField } from '../../lib/schema/patch.ts';
import { timestamp } from '../../lib/time.ts';

export default defineEndpoint({
  id: 'conversations.update',
  method: 'PATCH',
  path: '/projects/{project_id}/conversations/{conversation_id}',
  summary: 'Update a conversation',
  description:
    'Replaces the fields in the body, also after the conversation has ended. This does not count as ' +
    'activity, so it does not delay the timeout.',
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
