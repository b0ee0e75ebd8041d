/** Reads, follows and stores messages. */

import { gzippedLines } from '../core/lines.ts';
import type { PostOptions, RequestOptions } from '../core/options.ts';
import { ApiPromise } from '../core/promise.ts';
import { url } from '../core/resource.ts';
import { pause } from '../core/timing.ts';
import { randomId } from '../core/transport.ts';
import { type FileSource, upload } from '../core/upload.ts';
import { ConversationsMethods, UploadsMethods } from '../generated/methods.ts';
import type {
  AppendedMessages,
  ConversationEraseRequest,
  ConversationImportFileRequest,
  ConversationImportRequest,
  Message,
  Transcript,
} from '../generated/types.ts';
import type { JobOf } from './jobs.ts';
import { longPoll } from './long-poll.ts';

export type MessagesOptions = RequestOptions & {
  /** Begins after this message: the `seq` of the last message that you have. Default: 0. */
  afterSeq?: number | undefined;
};

/** A conversation with its messages, as in `import`, or a line of an export. */
export type ConversationLine =
  | ConversationImportRequest['conversations'][number]
  | { id: string; messages: readonly object[] };

const pageSize = 100;

export class ConversationsHelpers extends ConversationsMethods {
  /**
   * Adds all messages or no message, in their order. A message without a `clientMessageId` gets a random id, so that the retries of
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

  /**
   * Imports any number of conversations: uploads them, and starts a job. Each conversation is stored once, also if you import it
   * again.
   * Wait for the job with `jobs.wait`: its result counts the lines that failed.
   * @param source a file of JSON lines, plain or compressed with gzip, or the conversations
   */
  async importLines(
    source: FileSource | Iterable<ConversationLine> | AsyncIterable<ConversationLine>,
    options: RequestOptions = {},
  ): Promise<JobOf<'conversations.import'>> {
    const file = 'stream' in source ? source : await gzippedLines(source);
    const uploads = new UploadsMethods(...this.at);
    const create = () => uploads.create({ bytes: file.size }, options);
    const uploadId = await upload(create, file, this.at[0].settingsOf(options));
    return this.importFile({ uploadId }, options);
  }

  override importFile(
    body: ConversationImportFileRequest,
    options?: PostOptions,
  ): ApiPromise<JobOf<'conversations.import'>> {
    return super.importFile(body, options) as ApiPromise<JobOf<'conversations.import'>>;
  }

  override reindex(options?: PostOptions): ApiPromise<JobOf<'conversations.reindex'>> {
    return super.reindex(options) as ApiPromise<JobOf<'conversations.reindex'>>;
  }

  override erase(
    body: ConversationEraseRequest,
    options?: PostOptions,
  ): ApiPromise<JobOf<'conversations.erase'>> {
    return super.erase(body, options) as ApiPromise<JobOf<'conversations.erase'>>;
  }

  /** Yields the messages that are stored now, in order. */
  async *messages(
    conversationId: string,
    options: MessagesOptions = {},
  ): AsyncGenerator<Message, void, undefined> {
    let { afterSeq = 0, ...rest } = options;
    for (;;) {
      const page = await this.transcript(conversationId, { afterSeq, limit: pageSize }, rest);
      yield* page.messages;
      // A page of large messages has fewer than `limit`. While the conversation is active, only an empty page is the last page.
      if (page.final || page.messages.length === 0) return;
      afterSeq = page.nextAfterSeq;
    }
  }

  /**
   * Yields the messages in order, as soon as they are stored, until the conversation has ended. A lost connection is opened again,
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
