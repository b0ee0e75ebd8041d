/**
 * What was said in a conversation, in a partition of its own: each message under its `seq`, and for each
 * `clientMessageId` a pointer to it. They are written together with the conversation, whose `messageCount` says how many
 * there are; so they are numbered without a gap, and a reader who has the conversation knows what to expect.
 */

import { hash } from 'node:crypto';
import type { Page, Store, Within } from '../../dynamodb/store.ts';
import type { Item, Write } from '../../dynamodb/write.ts';
import type { RecordRef } from '../../idempotency/store.ts';
import { dayMs, ttlSeconds } from '../../time.ts';
import type { Message } from '../schema/message.ts';
import type { StoredConversation } from './conversations.ts';

export type { Store };

/** Ids are text, and sort as such. */
const idOfSeq = (seq: number) => String(seq).padStart(10, '0');
const idOfPointer = (clientMessageId: string) => hash('sha256', clientMessageId, 'base64url');

const messagesOf = (projectId: string, conversationId: string): Within => [projectId, conversationId];
const pointersOf = (projectId: string, conversationId: string): Within => [
  projectId,
  conversationId,
  'client',
];

/** Where idempotency records are noted that repeat something of a conversation and that none of its messages names. */
const recordNotesOf = (projectId: string, conversationId: string): Within => [
  projectId,
  conversationId,
  'records',
];

/** The id that a message has outside is no key here; `recordRef` names the record that has its text too. */
type MessageItem = Omit<Message, 'id'> & { messageId: string; recordRef?: string };
const messageOf = ({ messageId, ...message }: MessageItem): Message => ({ ...message, id: messageId });

/** All partitions that hold something of a conversation's messages. */
export const messagePartitions = (projectId: string, conversationId: string): readonly Within[] => [
  messagesOf(projectId, conversationId),
  pointersOf(projectId, conversationId),
];

/** All partitions that have to be empty once a conversation is erased. */
export const erasedPartitions = (projectId: string, conversationId: string): readonly Within[] => [
  ...messagePartitions(projectId, conversationId),
  recordNotesOf(projectId, conversationId),
];

/** TTL removes a record up to some days late. Until then its response must be found. */
const notesOutliveMs = 7 * dayMs;

/**
 * Notes that a record repeats something of a conversation, so that the conversation's erasure empties it. Each note is an
 * item of its own: a list inside an item could grow beyond what an item can hold. It commits only together with a write
 * that fails when the conversation is erased.
 */
export const noteRecord = (
  store: Store,
  projectId: string,
  conversationId: string,
  record: RecordRef | undefined,
): Write<never>[] =>
  record === undefined
    ? []
    : [
        store.put(
          'messages',
          { id: record.ref, recordRef: record.ref, ttl: ttlSeconds(record.expiresAtMs + notesOutliveMs) },
          { within: recordNotesOf(projectId, conversationId), condition: { kind: 'any' } },
        ),
      ];

/** @returns the messages that are stored under these ids of clients, by that id */
export async function getByClientIds(
  store: Store,
  projectId: string,
  conversationId: string,
  clientMessageIds: readonly string[],
): Promise<Map<string, Message>> {
  const ids = [...new Set(clientMessageIds.map(idOfPointer))];
  const pointers = await store.getMany('messages', ids, pointersOf(projectId, conversationId));
  const seqs = [...new Set(pointers.map(({ seq }) => idOfSeq(seq as number)))];
  const items = await store.getMany('messages', seqs, messagesOf(projectId, conversationId));
  const messages = items.map((item) => messageOf(item as unknown as MessageItem));
  return new Map(messages.map((message) => [message.clientMessageId ?? '', message]));
}

/** @returns the writes of new messages and their pointers; refused where a number or a client's id was taken meanwhile */
export function addMessages(
  store: Store,
  projectId: string,
  { id: conversationId, ttl }: StoredConversation,
  messages: readonly Message[],
  recordRef: RecordRef | undefined,
): Write<never>[] {
  const condition = { kind: 'absent' } as const;
  const expiry = ttl === undefined ? {} : { ttl };
  return messages.flatMap(({ id: messageId, ...message }) => {
    const { seq, clientMessageId } = message;
    const record = recordRef !== undefined && { recordRef: recordRef.ref };
    const item = { ...message, messageId, id: idOfSeq(seq), ...record, ...expiry };
    const written = store.put('messages', item, { within: messagesOf(projectId, conversationId), condition });
    if (clientMessageId === null) return [written];
    const pointer = { id: idOfPointer(clientMessageId), seq, ...expiry };
    return [
      written,
      store.put('messages', pointer, { within: pointersOf(projectId, conversationId), condition }),
    ];
  });
}

/** Where a message is: the `seq`-th of its conversation. */
export type MessagePlace = { conversationId: string; seq: number };

/** @returns those of the messages that are there, in no order, each with its conversation */
export async function getMessagesAt(
  store: Store,
  projectId: string,
  places: readonly MessagePlace[],
): Promise<(Message & MessagePlace)[]> {
  const keys = places.map(({ conversationId, seq }) => ({
    id: idOfSeq(seq),
    within: messagesOf(projectId, conversationId),
  }));
  const items = await store.getMany('messages', keys);
  return items.map((item) => ({
    ...messageOf(item as unknown as MessageItem),
    conversationId: item.tenant.slice(item.tenant.lastIndexOf('#') + 1),
  }));
}

/**
 * @param conversation as it was read: nothing behind its last message is shown
 * @returns the messages behind `afterSeq`, in order; fewer than `limit` also where they are large
 */
export async function getMessages(
  store: Store,
  projectId: string,
  { id, messageCount }: StoredConversation,
  { afterSeq, limit }: { afterSeq: number; limit: number },
): Promise<Message[]> {
  if (afterSeq >= messageCount) return [];
  const { items } = await store.page('messages', {
    within: messagesOf(projectId, id),
    from: idOfSeq(afterSeq + 1),
    to: idOfSeq(messageCount),
    order: 'oldest',
    after: undefined,
    limit,
  });
  return items.map((item) => messageOf(item as unknown as MessageItem));
}

/** What is stored in one of the partitions, as it is stored, in an order of its own. */
export const pageMessageItems = (
  store: Store,
  within: Within,
  after: string | undefined,
): Promise<Page<Item & Pick<MessageItem, 'recordRef'>>> =>
  store.page('messages', { within, from: ' ', to: '~', order: 'oldest', after, limit: 100 });

/** Whether an item of one of the partitions is a message, and no pointer or note. */
export const isMessage = (item: Item): boolean => typeof item.text === 'string';

/** Whether it is there or TTL was faster. */
export const removeMessageItem = (store: Store, within: Within, { id }: { id: string }): Write<never> =>
  store.remove('messages', id, { within, condition: { kind: 'any' } });
