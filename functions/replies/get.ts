import * as z from 'zod';
import { conversationInPath } from '../../lib/conversations/store/conversations.ts';
import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { bindWait } from '../../lib/http/waiting.ts';
import { readReply } from '../../lib/replies/read.ts';
import { isOpen } from '../../lib/replies/reply.ts';
import { Reply } from '../../lib/replies/schema/reply.ts';
import { draftReaders, replyReaders } from '../../lib/replies/scopes.ts';
import { replyInPath } from '../../lib/replies/store/replies.ts';
import { id, sentNumber } from '../../lib/schema/common.ts';
import { waitLimits, waitSeconds } from '../../lib/schema/query.ts';

const retryAfterSeconds = 1;

export default defineEndpoint({
  id: 'replies.get',
  method: 'GET',
  path: '/projects/{project_id}/conversations/{conversation_id}/replies/{reply_id}',
  summary: 'Get a reply',
  description:
    'Returns a reply with its text. While it is `queued` or `running`, send `nextAfter` as `after` to get the following text: with ' +
    '`waitSeconds`, the response is sent when there is more text, or when the reply has ended.\n\nA reply whose worker has ' +
    'stopped is `unknown` after 30 seconds.',
  auth: replyReaders,
  project: 'existing',
  loads: { conversation: conversationInPath, reply: replyInPath },
  scopesForLoaded: ({ reply }) => (reply.dryRun ? draftReaders : replyReaders),
  environments: ({ loaded }) => [loaded.conversation.deploymentId],
  waits: bindWait,
  request: {
    params: z.strictObject({
      project_id: id('project'),
      conversation_id: id('conversation'),
      reply_id: id('reply'),
    }),
    query: z.strictObject({
      after: sentNumber(/^(0|[1-9]\d{0,6})$/, [0, 9_999_999], 0).meta({
        description:
          'Only the text after this offset: `nextAfter` of the response before. Beyond the end, there is no text.',
      }),
      waitSeconds: waitSeconds.meta({
        description: `How long to wait for text after \`after\` while the reply has not ended. ${waitLimits}`,
      }),
    }),
  },
  responses: { 200: Reply },
  headers: {
    'Retry-After': {
      description: 'Seconds to wait before the next request, while the reply has not ended.',
      value: (reply) => (isOpen(reply) ? String(retryAfterSeconds) : undefined),
    },
  },
  access: { messages: ['GetItem', 'BatchGetItem', 'Query'] },

  async handle({ query, store, wait }) {
    const { after = 0, waitSeconds = 0 } = query;
    const data = await wait.until(
      (nowMs, { reply }) => readReply(store, reply, after, nowMs),
      (reply) => !isOpen(reply) || reply.text !== '',
      waitSeconds,
    );
    return { status: 200, data };
  },
});
