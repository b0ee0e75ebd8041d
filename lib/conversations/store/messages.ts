/**
 * The messages of a conversation, in a partition of their own. The id of a message is its `seq`. Each `clientMessageId` has
 * a pointer to its message. They are written in one transaction with the conversation, which counts them in `messageCount`.
 * So they are numbered without gaps, and a reader of the conversation knows how many messages there are.
 */

import { hash } from 'node:crypto';
import { dayMs, ttlSeconds } from '../../base/time.ts';
import { type Items, projectCollection, type Stored } from '../../dynamodb/collection.ts';
import type { Page } from '../../dynamodb/store.ts';
import type { Write } from '../../dynamodb/write.ts';
import type { RecordRef } from '../../idempotency/store.ts';
import type { Message } from '../schema/message.ts';
import { conversations, type ProjectStore, type StoredConversation } from './conversations.ts';

export type { Items };

/**
 * `messageId` is the id that the API shows. `recordRef` names the idempotency record that contains the text too. Without metadata,
 * a message does not have the attribute.
 */
type StoredMessage = Stored<
  Omit<Message, 'id' | 'metadata'> & {
    id: string;
    messageId: string;
    metadata?: Message['metadata'];
    recordRef?: string;
    /** The reply that was requested with the message of a user. */
    replyId?: string;
    ttl?: number;
  }
>;
type MessagePointer = Stored<{ id: string; seq: number; ttl?: number }>;
/** An idempotency record that no message names, but whose response contains data of a conversation. */
type RecordNote = Stored<{ id: string; recordRef: string; ttl: number }>;

type InConversation = [conversationId: string];
export const messages = projectCollection<StoredMessage, InConversation>('messages', (conversationId) => [
  conversationId,
]);
export const messagePointers = projectCollection<MessagePointer, InConversation>(
  'messages',
  (conversationId) => [conversationId, 'client'],
);
export const recordNotes = projectCollection<RecordNote, InConversation>('messages', (conversationId) => [
  conversationId,
  'records',
]);

/** Ten digits, so that text sorts as the number does. */
const messageKey = (seq: number) => String(seq).padStart(10, '0');
const pointerKey = (clientMessageId: string) => hash('sha256', clientMessageId, 'base64url');

const showMessage = ({ messageId, metadata = {}, ...message }: StoredMessage): Message => ({
  ...message,
  metadata,
  id: messageId,
});

/** TTL may remove a record some days late. Until then the note must exist. */
const notesOutliveMs = 7 * dayMs;

/**
 * Notes that the response in a record contains data of a conversation. So erasing the conversation also removes that
 * response. Each note is a separate item, because a list in one item could grow too large. The caller commits the note
 * together with a write that fails if the conversation was erased.
 */
export const noteRecord = (
  store: ProjectStore,
  conversationId: string,
  record: RecordRef | undefined,
): Write<never>[] => {
  if (record === undefined) return [];
  const { ref, expiresAtMs } = record;
  const note = { id: ref, recordRef: ref, ttl: ttlSeconds(expiresAtMs + notesOutliveMs) };
  return [recordNotes.at(store, conversationId).put(note, { condition: { kind: 'any' } })];
};

export async function getByClientIds(
  store: ProjectStore,
  conversationId: string,
  clientMessageIds: readonly string[],
): Promise<Map<string, Message>> {
  const keys = [...new Set(clientMessageIds.map(pointerKey))];
  const pointers = await messagePointers.at(store, conversationId).getMany(keys);
  const items = await messages
    .at(store, conversationId)
    .getMany([...new Set(pointers.map(({ seq }) => messageKey(seq)))]);
  return new Map(items.map((message) => [message.clientMessageId ?? '', showMessage(message)]));
}

/** Fails if another request has stored a message with the same `seq` or client id. */
export function addMessages(
  store: ProjectStore,
  { id: conversationId, ttl }: Pick<StoredConversation, 'id' | 'ttl'>,
  added: readonly Message[],
  recordRef: RecordRef | undefined,
  replyId?: string,
): Write<never>[] {
  const expiry = ttl === undefined ? {} : { ttl };
  return added.flatMap(({ id: messageId, metadata, ...message }) => {
    const { seq, clientMessageId } = message;
    const record = recordRef === undefined ? {} : { recordRef: recordRef.ref };
    const own = {
      ...(Object.keys(metadata).length > 0 && { metadata }),
      ...(replyId !== undefined && { replyId }),
    };
    const put = messages
      .at(store, conversationId)
      .put({ ...message, ...own, messageId, id: messageKey(seq), ...record, ...expiry });
    if (clientMessageId === null) return [put];
    const pointer = { id: pointerKey(clientMessageId), seq, ...expiry };
    return [put, messagePointers.at(store, conversationId).put(pointer)];
  });
}

export type MessagePosition = { conversationId: string; seq: number };
export type PlacedMessage = StoredMessage & MessagePosition;

/** @returns the messages that exist, as they are stored, in no particular order */
export async function getStoredMessagesAt(
  store: ProjectStore,
  positions: readonly MessagePosition[],
): Promise<PlacedMessage[]> {
  const keys = positions.map(({ conversationId, seq }) => [messageKey(seq), conversationId] as const);
  const items = await messages.getMany(store, keys);
  return items.map((message) => ({
    ...message,
    conversationId: message.tenant.slice(message.tenant.lastIndexOf('#') + 1),
  }));
}

export async function pageStoredMessages(
  store: ProjectStore,
  conversationId: string,
  after: string | undefined,
  limit: number,
): Promise<Page<PlacedMessage>> {
  const { items, next } = await messages.at(store, conversationId).page({ order: 'oldest', after, limit });
  return { items: items.map((message) => ({ ...message, conversationId })), next };
}

/** @returns the messages that exist, in no particular order */
export const getMessagesAt = async (
  store: ProjectStore,
  positions: readonly MessagePosition[],
): Promise<(Message & MessagePosition)[]> =>
  (await getStoredMessagesAt(store, positions)).map(({ conversationId, ...message }) => ({
    ...showMessage(message),
    conversationId,
  }));

/**
 * @param conversation the conversation as it was read. Messages that were added after that are not returned
 * @returns the messages after `afterSeq`, in order; fewer than `limit` if they are large
 */
export async function getMessages(
  store: ProjectStore,
  { id, messageCount }: StoredConversation,
  { afterSeq, limit }: { afterSeq: number; limit: number },
): Promise<Message[]> {
  if (afterSeq >= messageCount) return [];
  const { items } = await messages.at(store, id).page({
    from: messageKey(afterSeq + 1),
    to: messageKey(messageCount),
    order: 'oldest',
    limit,
  });
  return items.map(showMessage);
}

type TranscriptStart = {
  messages: Message[];
  isTruncated: boolean;
  /** When the conversation expires: epoch seconds. */
  ttl: number | undefined;
};

const pageSize = 100;

/**
 * @param maxBytes the size of the messages as JSON
 * @returns the first messages, in order, for webhooks; undefined if the conversation is erased. Write data that is derived from
 *   these messages only within the time that lib/runtime/fence.ts allows
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
