import * as z from 'zod';
import { timestamp } from '../../lib/base/time.ts';
import { eraseConversation } from '../../lib/conversations/store/changes.ts';
import { conversationOrTombstoneInPath } from '../../lib/conversations/store/conversations.ts';
import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { id, shownTime } from '../../lib/schema/common.ts';

export default defineEndpoint({
  id: 'conversations.delete',
  method: 'DELETE',
  path: '/projects/{project_id}/conversations/{conversation_id}',
  summary: 'Erase a conversation',
  description:
    'Erases the conversation permanently. From this response on, nobody can read or find the conversation or its ' +
    'messages. The stored data is removed afterwards, usually within seconds; `purgedAt` is null until then. ' +
    'Repeat the request to get `purgedAt`: an erased conversation returns 200.\n\nBefore `purgedAt`, a POST that ' +
    'is repeated with its `Idempotency-Key` still gets the stored response. After `purgedAt`, it gets ' +
    '404.\n\nThis also works in an archived project.',
  auth: 'conversations:write',
  project: 'existing',
  loads: { target: conversationOrTombstoneInPath },
  environments: ({ loaded: { target } }) => ('erasedAt' in target ? [] : [target.deploymentId]),
  request: { params: z.strictObject({ project_id: id('project'), conversation_id: id('conversation') }) },
  causes: ['conversation.deleted'],
  responses: {
    200: z
      .object({
        id: id('conversation'),
        status: z.literal('erased').meta({ description: 'Always `erased`.' }),
        erasedAt: shownTime().meta({ description: 'When it was erased.' }),
        purgedAt: shownTime()
          .nullable()
          .meta({
            description:
              'When the last stored data was removed: messages, search index, statistics, and stored responses. ' +
              'Null until then.',
          }),
      })
      .meta({ id: 'ErasedConversation', description: 'The remaining data of an erased conversation.' }),
  },
  access: { conversations: ['GetItem', 'PutItem', 'DeleteItem'] },

  async handle({ loaded: { target }, store, nowMs }) {
    if ('erasedAt' in target) {
      const { id, erasedAt, purgedAt = null } = target;
      return { status: 200, data: { id, status: 'erased', erasedAt, purgedAt } };
    }
    const erasedAt = timestamp(nowMs);
    return {
      status: 200,
      data: { id: target.id, status: 'erased', erasedAt, purgedAt: null },
      writes: await eraseConversation(store, target, erasedAt),
    };
  },
});
