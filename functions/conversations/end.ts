import * as z from 'zod';
import { anyOf } from '../../lib/base/scopes.ts';
import { timestamp } from '../../lib/base/time.ts';
import { endReason } from '../../lib/conversations/schema/conversation.ts';
import { ScoredConversation } from '../../lib/conversations/schema/score.ts';
import { assertNotFuture, assertOrder } from '../../lib/conversations/sent-conversation.ts';
import { changeConversation, requireConversation } from '../../lib/conversations/store/changes.ts';
import { changedConversationInPath } from '../../lib/conversations/store/conversations.ts';
import { noteRecord } from '../../lib/conversations/store/messages.ts';
import { scoresInPath, withScores } from '../../lib/conversations/store/scores.ts';
import { showConversation } from '../../lib/conversations/store/state.ts';
import { defineEndpoint, optional } from '../../lib/http/endpoint.ts';
import { id, pastTime } from '../../lib/schema/common.ts';

export default defineEndpoint({
  id: 'conversations.end',
  method: 'POST',
  path: '/projects/{project_id}/conversations/{conversation_id}/end',
  summary: 'End a conversation',
  description:
    'Ends the conversation: new messages are refused. A conversation that has already ended, also by timeout, is ' +
    'returned unchanged.',
  auth: anyOf('conversations:write', 'runtime:write'),
  project: 'active',
  loads: { conversation: changedConversationInPath, scores: optional(scoresInPath) },
  environments: ({ loaded }) => [loaded.conversation.deploymentId],
  request: {
    params: z.strictObject({ project_id: id('project'), conversation_id: id('conversation') }),
    body: z.strictObject({
      reason: endReason,
      endedAt: pastTime()
        .optional()
        .meta({
          description:
            'When the conversation ended: not before its start or its last message, and at most 5 minutes in the future. ' +
            'Default: now. Send it for an import.',
        }),
    }),
  },
  causes: ['conversation.ended'],
  removes: 'It ends the conversation, which then takes no messages.',
  responses: { 200: ScoredConversation },
  access: { conversations: ['UpdateItem', 'ConditionCheckItem'], messages: ['PutItem'] },

  async handle({ loaded: { conversation, scores }, body, store, nowMs, recordRef }) {
    assertNotFuture('endedAt', body.endedAt, nowMs);
    const note = noteRecord(store, conversation.id, recordRef);
    if (conversation.status === 'ended') {
      const writes = recordRef ? [requireConversation(store, conversation.id), ...note] : [];
      return { status: 200, data: showConversation(withScores(conversation, scores)), writes };
    }
    assertOrder(body.endedAt, conversation);
    const changes = {
      status: 'ended',
      endedAt: timestamp(body.endedAt ?? nowMs),
      endReason: body.reason,
      updatedAt: timestamp(nowMs),
    } as const;
    return {
      status: 200,
      data: showConversation(withScores({ ...conversation, ...changes }, scores)),
      writes: [...changeConversation(store, conversation, changes), ...note],
    };
  },
});
