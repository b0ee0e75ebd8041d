import * as z from 'zod';
import { Conversation, endReason } from '../../lib/conversations/schema/conversation.ts';
import { assertNotFuture } from '../../lib/conversations/sent-times.ts';
import {
  changeConversation,
  getConversation,
  requireConversation,
  type StoredConversation,
  showConversation,
} from '../../lib/conversations/store/conversations.ts';
import { noteRecord } from '../../lib/conversations/store/messages.ts';
import { invalidField } from '../../lib/errors.ts';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { id, pastTime } from '../../lib/schema/common.ts';
import { timestamp } from '../../lib/time.ts';

export default defineEndpoint({
  id: 'conversations.end',
  method: 'POST',
  path: '/projects/{project_id}/conversations/{conversation_id}/end',
  summary: 'End a conversation',
  description:
    'Ends the conversation: new messages are refused. If it has already ended, also by timeout, it is ' +
    'returned unchanged.',
  auth: 'conversations:write',
  project: 'active',
  request: {
    params: z.strictObject({ project_id: id('project'), conversation_id: id('conversation') }),
    body: z.strictObject({
      reason: endReason,
      endedAt: pastTime()
        .optional()
        .meta({
          description:
            'Default: now. For an import, when the conversation ended: not before its start or its last ' +
            'message, and at most 5 minutes in the future.',
        }),
    }),
  },
  responses: { 200: Conversation },
  errors: ['not_found'],
  access: { conversations: ['GetItem', 'UpdateItem', 'ConditionCheckItem'], messages: ['PutItem'] },

  async handle({ params, body, project, store, nowMs, recordRef }) {
    assertNotFuture('endedAt', body.endedAt, nowMs);
    const conversation = await getConversation(store, project, params.conversation_id, nowMs);
    if (!conversation) return fail('not_found');
    const note = noteRecord(store, project.id, conversation.id, recordRef);
    if (conversation.status === 'ended') {
      const writes = recordRef ? [requireConversation(store, project.id, conversation.id), ...note] : [];
      return { status: 200, data: showConversation(conversation), writes };
    }
    requireOrder(body.endedAt, conversation);
    const changes = {
      status: 'ended',
      endedAt: timestamp(body.endedAt ?? nowMs),
      endReason: body.reason,
      updatedAt: timestamp(nowMs),
    } as const;
    return {
      status: 200,
      data: showConversation({ ...conversation, ...changes }),
      writes: [...changeConversation(store, project, conversation, changes), ...note],
    };
  },
});

/** @throws ApiError validation_error for an end before the start or the last message */
function requireOrder(endedAtMs: number | undefined, { startedAt, lastMessageAt }: StoredConversation): void {
  if (endedAtMs === undefined) return;
  if (endedAtMs < Date.parse(startedAt)) throw invalidField('endedAt', 'must not be before `startedAt`');
  if (lastMessageAt !== null && endedAtMs < Date.parse(lastMessageAt)) {
    throw invalidField('endedAt', 'must not be before the last message');
  }
}
