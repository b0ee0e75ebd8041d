/** A reply with its text, as the API shows it. */

import { getMessagesAt } from '../conversations/store/messages.ts';
import { replyAt, showReply } from './reply.ts';
import type { Reply } from './schema/reply.ts';
import { getRequest, type ProjectStore, type ReplyItem, readParts } from './store/replies.ts';

/** @param after the offset of the text, in UTF-16 code units. Beyond the end, there is no text */
export async function readReply(
  store: ProjectStore,
  stored: ReplyItem,
  after: number,
  nowMs: number,
): Promise<Reply> {
  const reply = replyAt(stored, nowMs);
  const [text, request] = await Promise.all([
    textOf(store, reply, after, nowMs),
    reply.dryRun ? getRequest(store, reply, nowMs) : null,
  ]);
  return { ...showReply(reply), ...text, request };
}

async function textOf(
  store: ProjectStore,
  reply: ReplyItem,
  after: number,
  nowMs: number,
): Promise<{ text: string; nextAfter: number }> {
  const { conversationId, messageSeq, dryRun } = reply;
  if (dryRun || reply.status === 'queued') return { text: '', nextAfter: 0 };
  if (messageSeq === undefined) return readParts(store, reply, after, nowMs);
  const [message] = await getMessagesAt(store, [{ conversationId, seq: messageSeq }]);
  const { text = '' } = message ?? {};
  return { text: text.slice(after), nextAfter: text.length };
}
