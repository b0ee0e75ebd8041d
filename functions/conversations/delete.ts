import * as z from 'zod';
import {
  eraseConversation,
  getConversation,
  getTombstone,
} from '../../lib/conversations/store/conversations.ts';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { id, shownTime } from '../../lib/schema/common.ts';
import { timestamp } from '../../lib/time.ts';

export default defineEndpoint({
  id: 'conversations.delete',
  method: 'DELETE',
  path: '/projects/{project_id}/conversations/{conversation_id}',
  summary: 'Erase a conversation',
  description:
    'For good: neither the conversation nor any of its messages can be read or found from then on. What is stored of ' +
    'them is removed after the response, usually within seconds. `purgedAt` is null until then. Repeat the request to ' +
    'learn when it is done: the response to an erased conversation is 200, with the time. Until then a request that is ' +
    'repeated with its `Idempotency-Key` still shows its caller the stored response; after that it is a 404.\n\n' +
    'It also works in an archived project.',
  auth: 'conversations:write',
  project: 'existing',
  request: { params: z.strictObject({ project_id: id('project'), conversation_id: id('conversation') }) },
  responses: {
    200: z
      .object({
        id: id('conversation'),
        status: z.literal('erased'),
        erasedAt: shownTime(),
        purgedAt: shownTime()
          .nullable()
          .meta({
            description:
              'When nothing else was stored of it any more: no message, no word in the search, no sum of statistics and ' +
              'no response of an Idempotency-Key. Null until then.',
          }),
      })
      .meta({ id: 'ErasedConversation', description: 'All that is left of a conversation that was erased.' }),
  },
  errors: ['not_found'],
  access: { conversations: ['GetItem', 'PutItem', 'DeleteItem'] },

  async handle({ params, project, store, nowMs }) {
    const conversation = await getConversation(store, project, params.conversation_id, nowMs);
    if (!conversation) {
      const tombstone = await getTombstone(store, project.id, params.conversation_id);
      if (!tombstone) return fail('not_found');
      const { id, erasedAt, purgedAt = null } = tombstone;
      return { status: 200, data: { id, status: 'erased', erasedAt, purgedAt } };
    }
    const erasedAt = timestamp(nowMs);
    return {
      status: 200,
      data: { id: conversation.id, status: 'erased', erasedAt, purgedAt: null },
      writes: eraseConversation(store, project.id, conversation, erasedAt),
    };
  },
});
