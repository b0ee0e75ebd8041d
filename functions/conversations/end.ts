import * as z from 'zod';
import { defineEndpoint, fail } from '../../lib/endpoint.ts';
import { id } from '../../lib/models/common.ts';
import { Conversation, endReason } from '../../lib/models/conversation.ts';
import {
  changeConversation,
  getConversation,
  requireConversation,
  showConversation,
} from '../../lib/store/conversations.ts';
import { noteRecord } from '../../lib/store/messages.ts';
import { timestamp } from '../../lib/time.ts';

export default defineEndpoint({
  id: 'conversations.end',
  method: 'POST',
  path: '/projects/{project_id}/conversations/{conversation_id}/end',
  summary: 'End a conversation',
  description:
    'It takes no more messages from then on. One that has ended already, also by itself, stays as it is and is answered.',
  auth: 'conversations:write',
  project: 'active',
  request: {
    params: z.strictObject({ project_id: id('project'), conversation_id: id('conversation') }),
    body: z.strictObject({ reason: endReason }),
  },
  responses: { 200: Conversation },
  errors: ['not_found'],
  access: { conversations: ['GetItem', 'UpdateItem', 'ConditionCheckItem'], messages: ['PutItem'] },

  async handle({ params, body, project, store, nowMs, recordRef }) {
    const conversation = await getConversation(store, project, params.conversation_id, nowMs);
    if (!conversation) return fail('not_found');
    const note = noteRecord(store, project.id, conversation.id, recordRef);
    if (conversation.status === 'ended') {
      const writes = recordRef ? [requireConversation(store, project.id, conversation.id), ...note] : [];
      return { status: 200, data: showConversation(conversation), writes };
    }
    const endedAt = timestamp(nowMs);
    const changes = {
      status: 'ended',
      endedAt,
      endReason: body.reason,
      updatedAt: endedAt,
    } as const;
    return {
      status: 200,
      data: showConversation({ ...conversation, ...changes }),
      writes: [...changeConversation(store, project, conversation, changes), ...note],
    };
  },
});
