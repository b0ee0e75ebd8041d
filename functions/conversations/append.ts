import * as z from 'zod';
import { anyOf } from '../../lib/base/scopes.ts';
import { countMessages, numberMessages } from '../../lib/conversations/append.ts';
import { AppendedMessages, newMessages } from '../../lib/conversations/schema/message.ts';
import { assertNotFuture } from '../../lib/conversations/sent-conversation.ts';
import { changeConversation, requireConversation } from '../../lib/conversations/store/changes.ts';
import { changedConversationInPath } from '../../lib/conversations/store/conversations.ts';
import { addMessages, getByClientIds, noteRecord } from '../../lib/conversations/store/messages.ts';
import { activityOf } from '../../lib/conversations/store/state.ts';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { countUses } from '../../lib/limits/store/quotas.ts';
import { id } from '../../lib/schema/common.ts';

export default defineEndpoint({
  id: 'conversations.append',
  method: 'POST',
  path: '/projects/{project_id}/conversations/{conversation_id}/messages',
  summary: 'Add messages to a conversation',
  description:
    'Adds all messages or no message. Messages are numbered in the order of the request, even if several requests ' +
    'add messages at the same time.\n\nA message with a `clientMessageId` that is already stored, or that is ' +
    'repeated in the request, adds nothing. The response has the stored message with `"duplicate": true`. If the ' +
    'role, text, citations or metadata differ, the request is refused. Such a repeated message is accepted even after the ' +
    'conversation has ended, so that a late retry succeeds.\n\nTo read messages, use `GET …/transcript`.',
  otherMethods: { GET: 'Read messages with GET …/conversations/{conversation_id}/transcript.' },
  auth: anyOf('conversations:write', 'runtime:write'),
  project: 'active',
  loads: { conversation: changedConversationInPath },
  environments: ({ loaded }) => [loaded.conversation.deploymentId],
  request: {
    params: z.strictObject({ project_id: id('project'), conversation_id: id('conversation') }),
    body: z.strictObject({ messages: newMessages }),
  },
  causes: ['conversation.updated'],
  responses: { 201: AppendedMessages },
  errors: ['conversation_ended', 'quota_exceeded'],
  access: {
    conversations: ['UpdateItem', 'ConditionCheckItem'],
    messages: ['BatchGetItem', 'PutItem'],
  },

  async handle({ loaded: { conversation }, body, project, limits, store, nowMs, newId, recordRef }) {
    for (const [index, { at }] of body.messages.entries()) assertNotFuture(`messages.${index}.at`, at, nowMs);
    const clientIds = body.messages.flatMap(({ clientMessageId }) => clientMessageId ?? []);
    const storedMessages = await getByClientIds(store, conversation.id, clientIds);
    const messages = numberMessages(body.messages, storedMessages, conversation, { nowMs, newId });
    const data = { messages };
    const additions = messages
      .filter(({ duplicate }) => !duplicate)
      .map(({ duplicate: _, ...message }) => message);
    if (additions.length === 0) {
      // The idempotency record will contain the texts, too, but no message names the record.
      const note = noteRecord(store, conversation.id, recordRef);
      const writes = recordRef ? [requireConversation(store, conversation.id), ...note] : [];
      return { status: 201, data, writes };
    }
    if (conversation.status === 'ended') return fail('conversation_ended');
    const bytes = additions.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
    const uses = { messages: additions.length, bytes };
    const changes = {
      ...countMessages(conversation, additions),
      ...activityOf(conversation, project, nowMs),
    };
    return {
      status: 201,
      data,
      writes: [
        ...changeConversation(store, conversation, changes),
        ...addMessages(store, conversation, additions, recordRef),
        ...countUses(store, limits.quotas, uses, nowMs),
      ],
    };
  },
});
