import * as z from 'zod';
import { timestamp } from '../../lib/base/time.ts';
import { changedConversationInPath } from '../../lib/conversations/store/conversations.ts';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { isOpen, replyAt, showReply } from '../../lib/replies/reply.ts';
import { ListedReply } from '../../lib/replies/schema/reply.ts';
import { replyWriters } from '../../lib/replies/scopes.ts';
import { changeReply, closeReply, endDrops, replyInPath } from '../../lib/replies/store/replies.ts';
import { id } from '../../lib/schema/common.ts';

export default defineEndpoint({
  id: 'replies.cancel',
  method: 'POST',
  path: '/projects/{project_id}/conversations/{conversation_id}/replies/{reply_id}/cancel',
  summary: 'Cancel a reply',
  description:
    'Cancels a reply that is `queued` or `running`. Nothing more of it is stored. Cancelling a cancelled reply changes nothing; any ' +
    'other end is 409 `reply_ended`. The highest cost of a call that has begun stays counted.',
  auth: replyWriters,
  project: 'active',
  loads: { conversation: changedConversationInPath, reply: replyInPath },
  environments: ({ loaded }) => [loaded.conversation.deploymentId],
  request: {
    params: z.strictObject({
      project_id: id('project'),
      conversation_id: id('conversation'),
      reply_id: id('reply'),
    }),
  },
  causes: ['conversation.updated'],
  removes: 'It ends the reply. No answer is stored.',
  responses: { 200: ListedReply },
  errors: ['reply_ended'],
  access: { conversations: ['UpdateItem'], messages: ['UpdateItem'] },

  async handle({ loaded: { reply: stored, conversation }, store, nowMs }) {
    const reply = replyAt(stored, nowMs);
    if (reply.status === 'cancelled') return { status: 200, data: showReply(reply) };
    if (!isOpen(reply)) return fail('reply_ended');
    const microUsd = reply.reservedMicroUsd ?? 0;
    const changes = {
      status: 'cancelled' as const,
      finishedAt: timestamp(nowMs),
      microUsd,
      totalMs: nowMs - Date.parse(reply.createdAt),
    };
    const isLast = conversation.replyId === reply.id;
    return {
      status: 200,
      data: showReply({ ...reply, ...changes }),
      writes: [
        changeReply(store, stored, changes, endDrops),
        ...(isLast ? [closeReply(store, reply, microUsd)] : []),
      ],
    };
  },
});
