/** Reads, follows and stores messages. */

import type { PostOptions, RequestOptions } from '../core/options.ts';
import { ApiPromise } from '../core/promise.ts';
import { url } from '../core/resource.ts';
import { pause } from '../core/timing.ts';
import { randomId } from '../core/transport.ts';
import { ConversationsMethods } from '../generated/methods.ts';
import type { AppendedMessages, Message, Transcript } from '../generated/types.ts';
import { longPoll } from './long-poll.ts';

export type MessagesOptions = RequestOptions & {
  /** Begins after this message: the `seq` of the last one that you have. Default: 0. */
  afterSeq?: number | undefined;
};

const pageSize = 100;

export class Conversations extends ConversationsMethods {
  /**
   * Adds all messages or none, in their order. A message without a `clientMessageId` gets a random one, so that the retries of
   * this call store it once. Pass your own, so that this also holds after a restart of your process.
   */
  override append(
    conversationId: string,
    body: Parameters<ConversationsMethods['append']>[1],
    options?: PostOptions,
  ): ApiPromise<AppendedMessages> {
    const messages = body.messages.map((message) => ({
      ...message,
      clientMessageId: message.clientMessageId ?? randomId(),
    }));
    return new ApiPromise(
      this.send({
        method: 'POST',
        path: url`/conversations/${conversationId}/messages`,
        body: { ...body, messages },
        options,
        isIdempotent: true,
      }),
    );
  }

  /** The messages that are stored now, in order. */
  async *messages(
    conversationId: string,
    options: MessagesOptions = {},
  ): AsyncGenerator<Message, void, undefined> {
    let { afterSeq = 0, ...rest } = options;
    for (;;) {
      const page = await this.transcript(conversationId, { afterSeq, limit: pageSize }, rest);
      yield* page.messages;
      // A page of large messages has fewer than `limit`: only an empty one is the last, unless the conversation has ended.
      if (page.final || page.messages.length === 0) return;
      afterSeq = page.nextAfterSeq;
    }
  }

  /**
   * The messages in order, as soon as they are stored, until the conversation has ended. A lost connection is opened again,
   * and continues after the last message. Stop with `break`, or with `signal`, which rejects with its reason.
   */
  async *follow(
    conversationId: string,
    options: MessagesOptions = {},
  ): AsyncGenerator<Message, void, undefined> {
    let { afterSeq = 0, ...rest } = options;
    for (;;) {
      const { data, pauseMs } = await longPoll<Transcript>(
        (request) =>
          this.send({ method: 'GET', path: url`/conversations/${conversationId}/transcript`, ...request }),
        { afterSeq, limit: pageSize },
        rest,
      );
      for (const message of data.messages) {
        yield message;
        afterSeq = message.seq;
      }
      if (data.final) return;
      if (data.messages.length === 0) await pause(pauseMs, rest.signal);
    }
  }
}
