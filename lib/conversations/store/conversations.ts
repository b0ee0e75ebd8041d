/**
 * Conversations, and the tombstones of erased conversations. Their ids sort by the start of the conversation. changes.ts writes
 * them, list-index.ts has the entries that filters use, messages.ts the messages.
 *
 * A tombstone takes precedence: an erased conversation is not found, even if a restore has brought it back.
 */

import type { Caller } from '../../base/caller.ts';
import { type ItemQuery, projectCollection, type Stored, type Unstored } from '../../dynamodb/collection.ts';
import { type Get, load } from '../../dynamodb/load.ts';
import { type ExpiringPointer, externalPart, getPointer, getPointers } from '../../dynamodb/pointers.ts';
import type { Page, ProjectStore } from '../../dynamodb/store.ts';
import type { DayUsesText } from '../../limits/store/day-uses.ts';
import type { StoredProject } from '../../projects/store.ts';
import type { Conversation } from '../schema/conversation.ts';
import { type ConversationScope, mayUse } from './ownership.ts';
import { conversationAt, retentionCutoffMs } from './state.ts';

export type { ProjectStore };

export type StoredConversation = Stored<
  Omit<Conversation, 'durationSeconds' | 'assignment' | 'counted' | 'test'> & {
    /** Set by each activity, from the setting of the project at that time. So a later change of the setting has no effect. */
    timesOutAt: string;
    /** Epoch seconds. Everything that belongs to the conversation has the same value, so it expires as a whole. */
    ttl?: number;
    /** The amounts that were stored of it on the day of its last messages. */
    dayUses: DayUsesText;
    /** Whether an import has stored it. Then it is not evaluated by itself when it ends. */
    imported?: true;
    /** Only with an assignment. */
    assignment?: string;
    counted?: true;
    /** It came too long after the end of the span of its assignment, so it is in no sum of the rollout. */
    late?: true;
    test?: true;
    /** Its deployment was set after it was created: it is that of its first reply. */
    deployedLater?: true;
    /** The reply that is queued or running. */
    replyId?: string;
    lastReplyId?: string;
    /** The cost of the models of its replies, in millionths of a US dollar. */
    replyMicroUsd?: number;
  }
>;
export type NewConversation = Unstored<StoredConversation>;

/**
 * `purgedAt` is set when nothing else of the conversation is stored. A tombstone has no `createdBy` if an access token had created
 * the conversation, or if an earlier version of the service erased it.
 */
export type Tombstone = Stored<{ id: string; erasedAt: string; purgedAt?: string; createdBy?: string }>;

export const conversations = projectCollection<StoredConversation>('conversations');
export const tombstones = projectCollection<Tombstone>('conversations', () => ['erased']);

type Pair = readonly [StoredConversation | undefined, Tombstone | undefined];
type Context = { project: StoredProject; nowMs: number };

const readPair = (get: Get, { conversation_id: id }: { conversation_id: string }): Promise<Pair> =>
  Promise.all([get(conversations, id), get(tombstones, id)]);

function findConversation([stored, tombstone]: Pair, { project, nowMs }: Context) {
  if (!stored || tombstone) return undefined;
  const cutoffMs = retentionCutoffMs(project, nowMs);
  const isExpired = cutoffMs !== undefined && Date.parse(stored.startedAt) <= cutoffMs;
  return isExpired ? undefined : conversationAt(stored, nowMs);
}

/** @param scope without this scope, a caller finds only the conversations that it has created */
const foundWith = (scope: ConversationScope) => ({
  from: [conversations, tombstones],
  read: readPair,
  find(pair: Pair, { caller, ...context }: Context & { caller: Caller }) {
    const conversation = findConversation(pair, context);
    return conversation && mayUse(caller, scope, conversation) ? conversation : undefined;
  },
});

/** The conversation as it is now, unless it was erased or has expired. */
export const conversationInPath = load(foundWith('conversations:read'));

/** The same for a change that a runtime may make. A runtime that may read all conversations changes only those that it has created. */
export const changedConversationInPath = load(foundWith('conversations:write'));

/** The conversation as it is now, or its tombstone if it was erased. */
export const conversationOrTombstoneInPath = load({
  from: [conversations, tombstones],
  read: readPair,
  find: (pair: Pair, context: Context) => pair[1] ?? findConversation(pair, context),
});

/**
 * The pointers from their externalIds. The pointer of an erased conversation stays, so that nobody sends the conversation again
 * by mistake.
 */
export const conversationPointers = projectCollection<ExpiringPointer>('conversations', () => [externalPart]);

/** The item to which an externalId leads. */
export type NamedConversation = {
  pointer: ExpiringPointer | undefined;
  /** The conversation as it is now, unless it was erased or has expired. */
  conversation: StoredConversation | undefined;
  /** Its externalId cannot be used again. */
  isErased: boolean;
  /** The creator of the conversation, also after its erasure; undefined if no item names it. */
  createdBy: string | undefined;
};

export async function findByExternalId(
  store: ProjectStore,
  externalId: string,
  context: Context,
): Promise<NamedConversation> {
  const pointer = await getPointer(conversationPointers.at(store), externalId);
  if (!pointer) return { pointer, ...noConversation };
  const pair = await Promise.all([
    conversations.at(store).get(pointer.resourceId),
    tombstones.at(store).get(pointer.resourceId),
  ]);
  return { pointer, ...foundIn(pair, context) };
}

/** @returns the item to which each externalId leads, by externalId */
export async function findManyByExternalId(
  store: ProjectStore,
  externalIds: readonly string[],
  context: Context,
): Promise<Map<string, NamedConversation>> {
  const pointers = await getPointers(conversationPointers.at(store), externalIds);
  const found = await findMany(
    store,
    [...pointers.values()].map(({ resourceId }) => resourceId),
    context,
  );
  const targetOf = (externalId: string): NamedConversation => {
    const pointer = pointers.get(externalId);
    return { pointer, ...((pointer && found.get(pointer.resourceId)) ?? noConversation) };
  };
  return new Map(externalIds.map((externalId) => [externalId, targetOf(externalId)]));
}

/** The item to which an id leads. */
export type FoundConversation = Omit<NamedConversation, 'pointer'>;

const noConversation: FoundConversation = { conversation: undefined, isErased: false, createdBy: undefined };

function foundIn(pair: Pair, context: Context): FoundConversation {
  const conversation = findConversation(pair, context);
  const [, tombstone] = pair;
  return {
    conversation,
    isErased: tombstone !== undefined,
    createdBy: (conversation ?? tombstone)?.createdBy,
  };
}

/** @returns the item to which each id leads, by id */
export async function findMany(
  store: ProjectStore,
  ids: readonly string[],
  context: Context,
): Promise<Map<string, FoundConversation>> {
  const [storedConversations, storedTombstones] = await Promise.all([
    conversations.at(store).getMany(ids),
    tombstones.at(store).getMany(ids),
  ]);
  const find = (id: string): FoundConversation => {
    const tombstone = storedTombstones.find((one) => one.id === id);
    return foundIn([storedConversations.find((one) => one.id === id), tombstone], context);
  };
  return new Map(ids.map((id) => [id, find(id)]));
}

/** @returns the conversations that exist and are not erased, as they are stored, in no particular order */
export async function getManyUnerased(
  store: ProjectStore,
  ids: readonly string[],
): Promise<StoredConversation[]> {
  const [storedConversations, erased] = await Promise.all([
    conversations.at(store).getMany(ids),
    tombstones.at(store).getMany(ids),
  ]);
  return without(storedConversations, erased);
}

const without = (stored: readonly StoredConversation[], erased: readonly Tombstone[]) => {
  const erasedIds = new Set(erased.map(({ id }) => id));
  return stored.filter(({ id }) => !erasedIds.has(id));
};

/** Reads the tombstones of the range in parallel with the page. There are few of them. */
export async function pageUnerased(
  store: ProjectStore,
  query: ItemQuery<StoredConversation>,
): Promise<Page<StoredConversation>> {
  const { filter: _, ...range } = query;
  const [page, erased] = await Promise.all([
    conversations.at(store).page(query),
    tombstones.at(store).page(range),
  ]);
  // The page of tombstones may end before the page of conversations does.
  const { next } = erased;
  const isBeyond = (id: string) => next !== null && (query.order === 'oldest' ? id > next : id < next);
  const beyond = page.items.map(({ id }) => id).filter(isBeyond);
  const others = await tombstones.at(store).getMany(beyond);
  return { ...page, items: without(page.items, [...erased.items, ...others]) };
}
