/**
 * Replies, the parts of their texts, and the requests of dry runs. All are beside the messages of their conversation, so they go with
 * it. The conversation names its open reply (`replyId`). So at most one is open, and a write for a reply that the conversation no longer
 * names fails.
 */

import { pagesOf } from '../../base/pages.ts';
import { dayMs, hourMs, secondMs, ttlSeconds } from '../../base/time.ts';
import {
  conversations,
  type ProjectStore,
  type StoredConversation,
} from '../../conversations/store/conversations.ts';
import { projectCollection, type Stored, unchanged } from '../../dynamodb/collection.ts';
import { load } from '../../dynamodb/load.ts';
import type { Page } from '../../dynamodb/store.ts';
import type { Write } from '../../dynamodb/write.ts';
import type { ListedReply, ModelRequest } from '../schema/reply.ts';

export type { ProjectStore, StoredConversation };

/** The public fields have the names of the API. Amounts are in millionths of a US dollar. */
export type ReplyItem = Omit<ListedReply, 'dryRun' | 'maxCostUsd' | 'costUsd'> & {
  dryRun?: true;
  maxMicroUsd: number | null;
  microUsd: number | null;
  /** The `seq` of the message that it answers. For a dry run: of the last message. */
  inputSeq: number;
  /** The question of a dry run, which no message has. */
  question?: string;
  /** The `seq` of the message with the answer. */
  messageSeq?: number;
  /** Until when a worker owns it: epoch milliseconds. */
  leaseUntilMs?: number;
  /** The highest cost of the call. */
  reservedMicroUsd?: number;
  ttl?: number;
};
export type StoredReply = Stored<ReplyItem>;

type StoredPart = Stored<{ id: string; text: string; ttl: number }>;
/** The id is that of the reply. */
type StoredRequest = Stored<{ id: string; request: ModelRequest; documentIds: string[]; ttl: number }>;

type InConversation = [conversationId: string];
export const replies = projectCollection<StoredReply, InConversation>('messages', (conversationId) => [
  conversationId,
  'replies',
]);
export const replyParts = projectCollection<StoredPart, InConversation>('messages', (conversationId) => [
  conversationId,
  'parts',
]);
/** In one partition for a project, so that an expunge finds those that have a document. They are there for an hour. */
export const replyRequests = projectCollection<StoredRequest>('messages', () => ['replies', 'requests']);

type InPath = { conversation_id: string; reply_id: string };

export const replyInPath = load({
  from: [replies],
  read: (get, { conversation_id, reply_id }: InPath) => get(replies, reply_id, conversation_id),
});

export const getReply = (
  store: ProjectStore,
  conversationId: string,
  id: string,
): Promise<StoredReply | undefined> => replies.at(store, conversationId).get(id);

export const listReplies = (
  store: ProjectStore,
  conversationId: string,
  query: { after: string | undefined; limit: number },
): Promise<Page<StoredReply>> => replies.at(store, conversationId).page(query);

export const addReply = (
  store: ProjectStore,
  { ttl }: Pick<StoredConversation, 'ttl'>,
  reply: ReplyItem,
): Write<never> =>
  replies.at(store, reply.conversationId).put({ ...reply, ...(ttl !== undefined && { ttl }) });

/** A clock may be so much ahead of the clock that reads a lease. */
export const skewMs = secondMs;

type Drop = 'leaseUntilMs' | 'question';
/** The attributes that a reply does not have after its end. */
export const endDrops: readonly Drop[] = ['leaseUntilMs', 'question'];

/** Fails if the reply was changed after it was read. */
export const changeReply = <Changes extends Partial<Omit<ReplyItem, 'id'>>>(
  store: ProjectStore,
  reply: StoredReply,
  changes: Changes,
  drop: readonly Drop[] = [],
): Write<never> =>
  replies
    .at(store, reply.conversationId)
    .update(reply.id, changes as Partial<ReplyItem>, { condition: unchanged(reply), drop });

/** Fails if the lease is over, or soon is, or if somebody has ended the reply. */
export const changeOwnReply = (
  store: ProjectStore,
  { id, conversationId }: Pick<ReplyItem, 'id' | 'conversationId'>,
  changes: Partial<Omit<ReplyItem, 'id'>>,
  nowMs: number,
  drop: readonly Drop[] = [],
): Write<never> =>
  replies.at(store, conversationId).update(id, changes, {
    condition: { kind: 'above', attribute: 'leaseUntilMs', value: nowMs + skewMs },
    drop,
  });

/** Fails if the reply of the conversation is not open any more. */
export const requireOpen = (
  store: ProjectStore,
  { id, conversationId }: Pick<ReplyItem, 'id' | 'conversationId'>,
): Write<never> =>
  conversations
    .at(store)
    .check(conversationId, { condition: { kind: 'equals', attribute: 'replyId', value: id } });

/** Ends the open reply of the conversation, without a message. Adds what it has cost. */
export const closeReply = (
  store: ProjectStore,
  { id, conversationId }: Pick<ReplyItem, 'id' | 'conversationId'>,
  microUsd: number,
): Write<never> =>
  conversations.at(store).update(
    conversationId,
    {},
    {
      condition: { kind: 'equals', attribute: 'replyId', value: id },
      drop: ['replyId'],
      add: { replyMicroUsd: microUsd },
    },
  );

const partMs = dayMs;
const offsetDigits = 7;
const partKey = (replyId: string, offset: number) =>
  `${replyId}#${String(offset).padStart(offsetDigits, '0')}`;

/** @param offset where the text begins, in UTF-16 code units */
export const addPart = (
  store: ProjectStore,
  { id, conversationId, ttl }: Pick<StoredReply, 'id' | 'conversationId' | 'ttl'>,
  { offset, text }: { offset: number; text: string },
  nowMs: number,
): Write<never> =>
  replyParts.at(store, conversationId).put({
    id: partKey(id, offset),
    text,
    ttl: Math.min(ttlSeconds(nowMs + partMs), ttl ?? Number.POSITIVE_INFINITY),
  });

const pageSize = 100;

/** @returns the text after an offset, and the offset of its end: at most that of the whole text */
export async function readParts(
  store: ProjectStore,
  { id, conversationId }: Pick<ReplyItem, 'id' | 'conversationId'>,
  after: number,
  nowMs: number,
): Promise<{ text: string; nextAfter: number }> {
  const parts = replyParts.at(store, conversationId);
  const range = { from: partKey(id, 0), to: `${id}#~`, order: 'oldest' as const, limit: pageSize };
  let text = '';
  // A text has at most 16 KB, so one query reads it all. Its parts expire within the time of its answer.
  for await (const page of pagesOf((cursor) => parts.page({ ...range, after: cursor })))
    for (const part of page) {
      if (part.ttl * secondMs <= nowMs) return { text: '', nextAfter: 0 };
      text += part.text;
    }
  return { text: text.slice(after), nextAfter: text.length };
}

const requestMs = hourMs;

export const addRequest = (
  store: ProjectStore,
  { id, conversationId, ttl }: Pick<StoredReply, 'id' | 'conversationId' | 'ttl'>,
  request: ModelRequest,
  documentIds: readonly string[],
  nowMs: number,
): Write<never> =>
  replyRequests.at(store).put(
    {
      id: requestKey(conversationId, id),
      request,
      documentIds: [...documentIds],
      ttl: Math.min(ttlSeconds(nowMs + requestMs), ttl ?? Number.POSITIVE_INFINITY),
    },
    { condition: { kind: 'any' } },
  );

const requestKey = (conversationId: string, id: string) => `${conversationId}#${id}`;
/** The first and the last id of the requests of a conversation. */
export const requestRange = (conversationId: string) => ({
  from: requestKey(conversationId, ''),
  to: requestKey(conversationId, '~'),
});

export async function getRequest(
  store: ProjectStore,
  { id, conversationId }: Pick<ReplyItem, 'id' | 'conversationId'>,
  nowMs: number,
): Promise<ModelRequest | null> {
  const stored = await replyRequests.at(store).get(requestKey(conversationId, id));
  return stored && stored.ttl * secondMs > nowMs ? stored.request : null;
}
