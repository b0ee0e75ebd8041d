import * as z from 'zod';
import { defineEndpoint, fail } from '../../lib/endpoint.ts';
import { defaultLimit, id, pageQuery, sentNumber, shownCount } from '../../lib/models/common.ts';
import { Message } from '../../lib/models/message.ts';
import { getConversation } from '../../lib/store/conversations.ts';
import { getMessages } from '../../lib/store/messages.ts';
import { secondMs } from '../../lib/time.ts';

const pollEveryMs = secondMs;

export default defineEndpoint({
  id: 'conversations.transcript',
  method: 'GET',
  path: '/projects/{project_id}/conversations/{conversation_id}/transcript',
  summary: "Get a conversation's messages",
  description:
    'In their order, also while the conversation goes on. Read on with `afterSeq` until `final` is true. A page of large ' +
    'messages may hold fewer than `limit`.\n\n' +
    'With `waitSeconds` the answer comes as soon as there is a message or the conversation has ended, or with none when ' +
    'the time is over.',
  auth: 'conversations:read',
  project: 'existing',
  request: {
    params: z.strictObject({ project_id: id('project'), conversation_id: id('conversation') }),
    query: z.strictObject({
      afterSeq: sentNumber(/^\d{1,10}$/, [0, 9_999_999_999], 0).meta({
        description: 'Only messages behind this one: the `nextAfterSeq` of the page before.',
      }),
      limit: pageQuery.limit.meta({ description: 'How many messages a page holds.' }),
      waitSeconds: sentNumber(/^(\d|1\d|20)$/, [0, 20], 0).meta({
        description: 'How long to wait while the conversation goes on and there is nothing to answer yet.',
      }),
    }),
  },
  responses: {
    200: z
      .object({
        messages: z.array(Message).meta({ description: 'In the order of `seq`.' }),
        nextAfterSeq: shownCount().meta({ description: 'Send it as `afterSeq` to go on.', example: 2 }),
        final: z.boolean().meta({
          description: 'The conversation has ended and there is nothing behind this.',
          example: true,
        }),
      })
      .meta({ id: 'Transcript' }),
  },
  errors: ['not_found'],
  access: { conversations: ['GetItem'], messages: ['Query'] },

  async handle({ params, query, project, store, nowMs, wait }) {
    const { afterSeq = 0, limit = defaultLimit, waitSeconds = 0 } = query;
    const read = () => getConversation(store, project, params.conversation_id, nowMs + wait.elapsedMs());
    const leftMs = () => waitSeconds * secondMs - wait.elapsedMs();
    let conversation = await read();
    // Nothing to answer yet, and somebody may still say something.
    while (conversation?.status === 'active' && conversation.messageCount <= afterSeq && leftMs() > 0) {
      await wait.sleep(Math.min(pollEveryMs, leftMs()));
      conversation = await read();
    }
    if (!conversation) return fail('not_found');
    const messages = await getMessages(store, project.id, conversation, { afterSeq, limit });
    const nextAfterSeq = messages.at(-1)?.seq ?? afterSeq;
    const final = conversation.status === 'ended' && nextAfterSeq >= conversation.messageCount;
    return { status: 200, data: { messages, nextAfterSeq, final } };
  },
});
