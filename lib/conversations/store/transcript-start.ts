/** The beginning of a transcript, for webhooks. */

import type { Message } from '../schema/message.ts';
import { conversations, type ProjectStore } from './conversations.ts';
import { getMessages } from './messages.ts';

type TranscriptStart = {
  messages: Message[];
  isTruncated: boolean;
  /** When the conversation expires: epoch seconds. */
  ttl: number | undefined;
};

const pageSize = 100;

/**
 * @param maxBytes the size of the messages as JSON
 * @returns the first messages, in order; undefined if the conversation is erased. Write data that is derived from these
 *   messages only within the time that
 *   lib/runtime/fence.ts allows
 */
export async function readTranscriptStart(
  store: ProjectStore,
  id: string,
  maxBytes: number,
): Promise<TranscriptStart | undefined> {
  const [conversation] = await conversations.at(store).getMany([id]);
  if (!conversation) return undefined;
  const { ttl } = conversation;
  const messages: Message[] = [];
  let bytesLeft = maxBytes;
  for (let afterSeq = 0; ; ) {
    const page = await getMessages(store, conversation, { afterSeq, limit: pageSize });
    for (const message of page) {
      bytesLeft -= Buffer.byteLength(JSON.stringify(message)) + 1;
      if (bytesLeft < 0) return { messages, isTruncated: true, ttl };
      messages.push(message);
      afterSeq = message.seq;
    }
    if (page.length === 0) return { messages, isTruncated: false, ttl };
  }
}
