import * as z from 'zod';
import { defineEndpoint, fail } from '../../lib/endpoint.ts';
import { id, shownTime } from '../../lib/models/common.ts';
import { eraseConversation, getConversation } from '../../lib/store/conversations.ts';
import { timestamp } from '../../lib/time.ts';

export default defineEndpoint({
  id: 'conversations.delete',
  method: 'DELETE',
  path: '/projects/{project_id}/conversations/{conversation_id}',
  summary: 'Erase a conversation',
  description:
    'For good: neither the conversation nor any of its messages can be read or found from then on. What is stored of ' +
    'them is removed behind the answer, usually within seconds. Until then a request that is repeated with its ' +
    '`Idempotency-Key` still shows its caller what it answered; after that it is a 404.',
  auth: 'conversations:write',
  project: 'active',
  request: { params: z.strictObject({ project_id: id('project'), conversation_id: id('conversation') }) },
  responses: {
    200: z
      .object({ id: id('conversation'), status: z.literal('erased'), erasedAt: shownTime() })
      .meta({ id: 'ErasedConversation', description: 'All that is left of a conversation that was erased.' }),
  },
  errors: ['not_found'],
  access: { conversations: ['GetItem', 'PutItem', 'DeleteItem'] },

  async handle({ params, project, store, nowMs }) {
    const conversation = await getConversation(store, project, params.conversation_id, nowMs);
    if (!conversation) return fail('not_found');
    const erasedAt = timestamp(nowMs);
    return {
      status: 200,
      data: { id: conversation.id, status: 'erased', erasedAt },
      writes: eraseConversation(store, project, conversation, erasedAt),
    };
  },
});
