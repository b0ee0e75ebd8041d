import * as z from 'zod';
import { anyOf } from '../../lib/base/scopes.ts';
import { Message } from '../../lib/conversations/schema/message.ts';
import { conversationInPath, type StoredConversation } from '../../lib/conversations/store/conversations.ts';
import { getMessages } from '../../lib/conversations/store/messages.ts';
import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { bindWait } from '../../lib/http/waiting.ts';
import { id, sentNumber, shownCount } from '../../lib/schema/common.ts';
import { defaultLimit, pageQuery, waitLimits, waitSeconds } from '../../lib/schema/query.ts';

/** The pause before the next request if this request did not wait, because too many other requests wait. */
const retryAfterSeconds = 2;

export default defineEndpoint({
  id: 'conversations.transcript',
  method: 'GET',
  path: '/projects/{project_id}/conversations/{conversation_id}/transcript',
  summary: 'Get the messages of a conversation',
  description:
    'Returns messages in order, also while the conversation is active. To read all messages, send `afterSeq=0`, ' +
    'and then `nextAfterSeq` of each response as `afterSeq`, until `final` is true. A page of large messages may ' +
    'have fewer than `limit`.\n\nLists have `items`, newest first, and end with `nextCursor: null`. A transcript ' +
    'has `messages`, oldest first, and grows while it is read. So `nextAfterSeq` is always a number, also on a ' +
    'page without messages, and `final` says that no message follows.\n\nWith `waitSeconds`, the response is sent ' +
    'when there is a new message or the conversation ends, or without messages when the time is up. If the key ' +
    'is revoked or the project is deleted, the wait ends with the error that a new request would get.',
  auth: anyOf('conversations:read', 'runtime:write'),
  project: 'existing',
  loads: { conversation: conversationInPath },
  environments: ({ loaded }) => [loaded.conversation.deploymentId],
  waits: bindWait,
  request: {
    params: z.strictObject({ project_id: id('project'), conversation_id: id('conversation') }),
    query: z.strictObject({
      afterSeq: sentNumber(/^(0|[1-9]\d{0,9})$/, [0, 9_999_999_999], 0).meta({
        description: 'Only messages with a higher `seq`: `nextAfterSeq` of the previous page.',
      }),
      limit: pageQuery.limit.meta({ description: 'The maximum number of messages in the page.' }),
      waitSeconds: waitSeconds.meta({
        description: `How long to wait for a message after \`afterSeq\` while the conversation is active. ${waitLimits}`,
      }),
    }),
  },
  responses: {
    200: z
      .object({
        messages: z.array(Message).meta({ description: 'The messages of the page, sorted by `seq`.' }),
        nextAfterSeq: shownCount().meta({
          description: 'Send it as `afterSeq` to get the next page.',
          example: 2,
        }),
        final: z.boolean().meta({
          description: 'Whether the conversation has ended and this page has its last message.',
          example: true,
        }),
      })
      .meta({ id: 'Transcript', description: 'A page of the messages of a conversation.' }),
  },
  headers: {
    'Retry-After': {
      description:
        'Seconds to wait before the next request. Sent if the request did not wait because too many other requests ' +
        'are waiting.',
      value: (_, { isWaitLimited }) => (isWaitLimited ? String(retryAfterSeconds) : undefined),
    },
  },
  access: { messages: ['Query'] },

  async handle({ query, store, wait }) {
    const { afterSeq = 0, limit = defaultLimit, waitSeconds = 0 } = query;
    const read = async (_: number, { conversation }: { conversation: StoredConversation }) => ({
      conversation,
      messages: await getMessages(store, conversation, { afterSeq, limit }),
    });
    const isDone = ({ conversation, messages }: Awaited<ReturnType<typeof read>>) =>
      conversation.status !== 'active' || messages.length > 0;
    const { conversation, messages } = await wait.until(read, isDone, waitSeconds);
    const nextAfterSeq = messages.at(-1)?.seq ?? afterSeq;
    const final = conversation.status === 'ended' && nextAfterSeq >= conversation.messageCount;
    return { status: 200, data: { messages, nextAfterSeq, final } };
  },
});
