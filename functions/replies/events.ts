import * as z from 'zod';
import { ApiError, invalidField } from '../../lib/base/errors.ts';
import { conversationInPath } from '../../lib/conversations/store/conversations.ts';
import { defineEndpoint } from '../../lib/http/endpoint.ts';
import type { StreamedEvents } from '../../lib/http/handler-result.ts';
import { maxStreamSeconds } from '../../lib/http/stream-times.ts';
import { bindWait } from '../../lib/http/waiting.ts';
import { readReply } from '../../lib/replies/read.ts';
import { replyReaders } from '../../lib/replies/scopes.ts';
import { getReply, replyInPath } from '../../lib/replies/store/replies.ts';
import {
  failedStream,
  hasEnded,
  isNew,
  type ReplyView,
  streamHeaders,
  uiMessageStream,
} from '../../lib/replies/ui-message-stream.ts';
import { id } from '../../lib/schema/common.ts';

const isFunction = (value: unknown) => typeof value === 'function';

export default defineEndpoint({
  id: 'replies.events',
  method: 'GET',
  path: '/projects/{project_id}/conversations/{conversation_id}/replies/{reply_id}/events',
  summary: 'Stream a reply',
  description:
    'Streams the text of a reply while it is written, as server-sent events in the UI message stream of the AI SDK: `start`, ' +
    '`text-start`, `text-delta`, `text-end`, a `source-document` for each citation, and `finish`. A reply that was cancelled ends with ' +
    '`abort`, one without an answer with `error`. `data: [DONE]` follows when the reply has ended. A client that ' +
    'loses its connection can read the rest later.\n\n' +
    `A stream ends by itself after ${maxStreamSeconds} seconds, without \`[DONE]\`. To resume it, send the id of the last event as ` +
    '`Last-Event-ID`: an offset in the text, as `after` of `GET …/replies/{reply_id}`. A resumed stream has the text from there, ' +
    'and begins with `start` and `text-start` again.\n\nAn open stream counts as a request that waits. If the key is revoked or the ' +
    'project is deleted, the stream ends with an `error`. An error before the first event is an ordinary response.',
  auth: replyReaders,
  project: 'existing',
  loads: { conversation: conversationInPath, reply: replyInPath },
  environments: ({ loaded }) => [loaded.conversation.deploymentId],
  waits: bindWait,
  request: {
    params: z.strictObject({
      project_id: id('project'),
      conversation_id: id('conversation'),
      reply_id: id('reply'),
    }),
  },
  responses: {
    200: z.object({
      events: z.custom<StreamedEvents['events']>(isFunction),
      failure: z.custom<StreamedEvents['failure']>(isFunction),
    }),
  },
  headers: {
    'Content-Type': {
      description: 'The type of server-sent events.',
      value: () => streamHeaders['Content-Type'],
    },
    'x-vercel-ai-ui-message-stream': {
      description: 'The version of the UI message stream.',
      value: () => streamHeaders['x-vercel-ai-ui-message-stream'],
    },
    'X-Accel-Buffering': {
      description: 'Proxies must not hold the events back.',
      value: () => streamHeaders['X-Accel-Buffering'],
    },
  },
  raw: 'events',
  access: { messages: ['GetItem', 'BatchGetItem', 'Query'] },

  async handle({ params, store, wait, headerValues, elapsedMs }) {
    let after = offsetIn(headerValues('last-event-id'));
    const follow = await wait.follow(
      async (nowMs): Promise<ReplyView> => {
        const reply = await getReply(store, params.conversation_id, params.reply_id);
        if (!reply) throw new ApiError('not_found');
        return readReply(store, reply, after, nowMs);
      },
      { isDone: hasEnded, isNew, seconds: maxStreamSeconds },
    );
    async function* views(signal: AbortSignal) {
      for await (const view of follow(signal)) {
        after = view.nextAfter;
        yield view;
      }
    }
    const events = (signal: AbortSignal) => uiMessageStream(views(signal), elapsedMs);
    return { status: 200, data: { events, failure: failedStream } };
  },
});

/** @throws ApiError validation_error */
function offsetIn(values: readonly string[]): number {
  const value = values.at(-1) ?? '0';
  if (!/^(0|[1-9]\d{0,6})$/.test(value)) throw invalidField('Last-Event-ID', 'must be the id of an event');
  return Number(value);
}
