/** What POST …/replies reads: the open reply of the conversation, the reply that `retryOf` names, and that of a repeated `clientMessageId`. */

import { ApiError } from '../base/errors.ts';
import { minuteMs, timestamp } from '../base/time.ts';
import type { Message } from '../conversations/schema/message.ts';
import type { Write } from '../workers/worker.ts';
import { isOpen, replyAt } from './reply.ts';
import {
  changeReply,
  endDrops,
  getReply,
  type ProjectStore,
  type StoredConversation,
  type StoredReply,
} from './store/replies.ts';

/** A reply that no worker has taken for this time does not keep the user from asking something else. Nothing was asked yet. */
const supersededAfterMs = minuteMs;

const superseded = {
  code: 'superseded',
  message: 'The reply waited for a minute, and the user asked something else.',
};

/** The reply that the conversation names as open. It may have lost its worker: then it is written as unknown. */
export type OpenReply = {
  reply: StoredReply;
  isOpen: boolean;
  /** What the call of the lost worker may have cost. */
  spentMicroUsd: number;
  writes: readonly Write<never>[];
};

export async function openReplyOf(
  store: ProjectStore,
  { id, replyId }: Pick<StoredConversation, 'id' | 'replyId'>,
  nowMs: number,
): Promise<OpenReply | undefined> {
  const stored = replyId === undefined ? undefined : await getReply(store, id, replyId);
  if (!stored) return undefined;
  const reply = replyAt(stored, nowMs);
  if (reply.status === 'queued' && nowMs - Date.parse(reply.createdAt) > supersededAfterMs) {
    const finishedAt = timestamp(nowMs);
    const cancelled = {
      ...reply,
      status: 'cancelled' as const,
      failure: superseded,
      finishedAt,
      microUsd: 0,
    };
    return { reply: cancelled, isOpen: false, spentMicroUsd: 0, writes: writeEnd(store, stored, cancelled) };
  }
  if (isOpen(reply)) return { reply, isOpen: true, spentMicroUsd: 0, writes: [] };
  return { reply, isOpen: false, spentMicroUsd: reply.microUsd ?? 0, writes: writeEnd(store, stored, reply) };
}

/** Stores the end of a reply that was open, if the reply is unchanged since it was read. */
export function writeEnd(store: ProjectStore, stored: StoredReply, ended: StoredReply): Write<never>[] {
  if (!isOpen(stored)) return [];
  const { status, failure, finishedAt, microUsd } = ended;
  return [changeReply(store, stored, { status, failure, finishedAt, microUsd }, endDrops)];
}

const retryable = ['failed', 'cancelled', 'unknown'];

/**
 * @returns the reply whose message is answered again
 * @throws ApiError reply_not_retryable, or not_found if it is not of the conversation
 */
export async function retriedReply(
  store: ProjectStore,
  { id, lastReplyId, messageCount }: Pick<StoredConversation, 'id' | 'lastReplyId' | 'messageCount'>,
  retryOf: string,
  nowMs: number,
): Promise<StoredReply> {
  const stored = await getReply(store, id, retryOf);
  if (!stored) throw new ApiError('not_found', 'The conversation has no such reply.');
  const reply = replyAt(stored, nowMs);
  const isLast = lastReplyId === retryOf && reply.inputSeq === messageCount;
  if (isLast && retryable.includes(reply.status)) return reply;
  throw new ApiError('reply_not_retryable');
}

/** @returns the first reply to a message that is sent again; undefined for a message that did not ask for a reply */
export async function answeredBy(
  store: ProjectStore,
  { id }: Pick<StoredConversation, 'id'>,
  { replyId }: Message & { replyId?: string },
): Promise<StoredReply | undefined> {
  return replyId === undefined ? undefined : getReply(store, id, replyId);
}
