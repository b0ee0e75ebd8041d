/**
 * Conversations, in their project's partition, by the time of their start. An erased one leaves its id and that time in the
 * project's `erased` partition. What finds them by a filter is in conversation-index.ts, what was said in messages.ts.
 */

import type { Page, PageQuery, Store, Within } from '../../dynamodb/store.ts';
import type { Item, Write } from '../../dynamodb/write.ts';
import type { StoredProject } from '../../projects/store.ts';
import { dayMs, minuteMs, secondMs, timestamp, ttlSeconds } from '../../time.ts';
import type { Conversation } from '../schema/conversation.ts';
import { addEntries, indexEntries, removeEntries } from './list-index.ts';

/** A conversation as it is stored, or as it is by now (see `asOf`). */
export type StoredConversation = Omit<Conversation, 'durationSeconds'> & {
  /**
   * When it ends by itself. Set by each activity, from the project's setting at that time: so what has ended stays so,
   * whatever becomes of the setting.
   */
  timesOutAt: string;
  /** Epoch seconds; all that belongs to the conversation has the same, so that it goes as a whole. */
  ttl?: number;
  changedIn: string;
  /** How long the call that changed it last had waited for others. */
  changedAfterMs?: number;
};

/** What is left of an erased one. `purgedAt` is set once nothing else is stored of it. */
export type Tombstone = { id: string; erasedAt: string; purgedAt?: string };

/** What a new one is made of, before it is stored. */
export type UnstoredConversation = Omit<StoredConversation, 'changedIn' | 'changedAfterMs'>;

export const timesOutAt = (project: StoredProject, lastActivityMs: number): string =>
  timestamp(lastActivityMs + project.settings.conversationTimeoutMinutes * minuteMs);

/**
 * What started at this time or before is gone by now.
 * @returns epoch milliseconds, or undefined when everything is kept
 */
export function retentionCutoffMs({ settings }: StoredProject, nowMs: number): number | undefined {
  return settings.retentionDays === null ? undefined : nowMs - settings.retentionDays * dayMs;
}

/** @returns the attribute that takes a conversation away, by the project's setting as it is now */
export const ttlOf = ({ settings }: StoredProject, startedAtMs: number): { ttl?: number } =>
  settings.retentionDays === null ? {} : { ttl: ttlSeconds(startedAtMs + settings.retentionDays * dayMs) };

/** @returns the conversation as it is at this time: one that nobody went on with has ended */
export function asOf<C extends UnstoredConversation>(conversation: C, nowMs: number): C {
  if (conversation.status === 'ended' || Date.parse(conversation.timesOutAt) > nowMs) return conversation;
  return { ...conversation, status: 'ended', endedAt: conversation.timesOutAt, endReason: 'timeout' };
}

/** @returns the conversation as the API shows it; the response's schema drops what is only stored */
export function showConversation<C extends UnstoredConversation>(conversation: C) {
  const { startedAt, lastMessageAt } = conversation;
  const durationMs = lastMessageAt === null ? 0 : Date.parse(lastMessageAt) - Date.parse(startedAt);
  return { ...conversation, durationSeconds: Math.max(0, Math.round(durationMs / secondMs)) };
}

/** @returns the conversation as it is stored; `asOf` says what it is by now */
export const getStoredConversation = (
  store: Store,
  projectId: string,
  id: string,
): Promise<StoredConversation | undefined> =>
  store.get('conversations', id, [projectId]) as Promise<StoredConversation | undefined>;

/**
 * An erased conversation is erased whatever is stored: a restored table may have brought it back.
 * @returns the conversation as it is stored, unless it was erased
 */
export async function getUnerased(
  store: Store,
  projectId: string,
  id: string,
): Promise<StoredConversation | undefined> {
  const [conversation, tombstone] = await Promise.all([
    getStoredConversation(store, projectId, id),
    getTombstone(store, projectId, id),
  ]);
  return tombstone ? undefined : conversation;
}

/** @returns those of the conversations that are there and not erased, as they are stored, in no order */
export async function getManyUnerased(
  store: Store,
  projectId: string,
  ids: readonly string[],
): Promise<Item[]> {
  const [conversations, tombstones] = await Promise.all([
    store.getMany('conversations', ids, [projectId]),
    store.getMany('conversations', ids, erasedPartitionOf(projectId)),
  ]);
  return without(conversations, tombstones);
}

const without = (conversations: readonly Item[], tombstones: readonly Item[]): Item[] => {
  const erasedIds = new Set(tombstones.map(({ id }) => id));
  return conversations.filter(({ id }) => !erasedIds.has(id));
};

/**
 * A page of conversations as `store.page` reads it, without those that were erased. Their tombstones are read side by
 * side with the page; there are few.
 */
export async function pageUnerased(store: Store, projectId: string, query: PageQuery): Promise<Page> {
  const { from, to, order, after, limit } = query;
  const range = { from, to, after, limit, ...(order && { order }) };
  const [page, tombstones] = await Promise.all([
    store.page('conversations', { ...query, within: [projectId] }),
    store.page('conversations', { ...range, within: erasedPartitionOf(projectId) }),
  ]);
  const { next } = tombstones;
  const isBehind = (id: string) => next !== null && (order === 'oldest' ? id > next : id < next);
  const behind = page.items.map(({ id }) => id).filter(isBehind);
  const others =
    behind.length > 0 ? await store.getMany('conversations', behind, erasedPartitionOf(projectId)) : [];
  return { ...page, items: without(page.items, [...tombstones.items, ...others]) };
}

/** @returns the conversation as it is now, unless it was erased or the project no longer keeps it */
export async function getConversation(
  store: Store,
  project: StoredProject,
  id: string,
  nowMs: number,
): Promise<StoredConversation | undefined> {
  const conversation = await getUnerased(store, project.id, id);
  if (!conversation) return undefined;
  const goneMs = retentionCutoffMs(project, nowMs);
  if (goneMs !== undefined && Date.parse(conversation.startedAt) <= goneMs) return undefined;
  return asOf(conversation, nowMs);
}

/** @returns the writes of a new conversation and of what finds it */
export const createConversation = (
  store: Store,
  project: StoredProject,
  conversation: UnstoredConversation,
): Write<never>[] => [
  store.put('conversations', conversation, { within: [project.id], condition: { kind: 'absent' } }),
  ...addEntries(store, project.id, conversation, indexEntries(conversation)),
];

/** What changes in a conversation; what it was created as stays. */
export type ConversationChanges = Partial<
  Pick<
    StoredConversation,
    | 'tags'
    | 'metadata'
    | 'status'
    | 'endedAt'
    | 'endReason'
    | 'messageCount'
    | 'messageCountByRole'
    | 'firstMessageAt'
    | 'lastMessageAt'
    | 'lastActivityAt'
    | 'timesOutAt'
    | 'updatedAt'
  >
>;

/** Holds while the conversation is there and not erased, at the moment of the write. */
export const requireConversation = (store: Store, projectId: string, id: string): Write<never> =>
  store.check('conversations', id, { within: [projectId], condition: { kind: 'present' } });

/**
 * Changes a conversation, unless somebody else has since it was read.
 * @param conversation as it is now: that it has ended by itself is written down with whatever else changes
 */
export function changeConversation(
  store: Store,
  project: Pick<StoredProject, 'id'>,
  conversation: StoredConversation,
  changes: ConversationChanges,
): Write<never>[] {
  const { status, endedAt, endReason, changedIn, changedAfterMs } = conversation;
  const attributes = { status, endedAt, endReason, ...changes };
  const tags = new Set(changes.tags ?? conversation.tags);
  const before = indexEntries({ tags: conversation.tags.filter((tag) => !tags.has(tag)) });
  const after = indexEntries({ tags: [...tags].filter((tag) => !conversation.tags.includes(tag)) });
  return [
    store.update('conversations', conversation.id, attributes, {
      within: [project.id],
      condition: { kind: 'unchanged', changedIn, changedAfterMs },
    }),
    ...removeEntries(store, project.id, conversation, before),
    ...addEntries(store, project.id, conversation, after),
  ];
}

export const erasedPartitionOf = (projectId: string): Within => [projectId, 'erased'];

/**
 * Leaves nothing of a conversation but its id and the time. Its messages can be reached through it alone, so they cannot
 * be read from then on; the worker that removes them finds them by that id.
 */
export function eraseConversation(
  store: Store,
  projectId: string,
  conversation: StoredConversation,
  erasedAt: string,
): Write<never>[] {
  const tombstone: Tombstone = { id: conversation.id, erasedAt };
  return [
    ...removeConversation(store, projectId, conversation),
    store.put('conversations', tombstone, {
      within: erasedPartitionOf(projectId),
      condition: { kind: 'absent' },
    }),
  ];
}

/** Removes a conversation and all that finds it, unless somebody has changed it since it was read. */
export const removeConversation = (
  store: Store,
  projectId: string,
  conversation: StoredConversation,
): Write<never>[] => [
  store.remove('conversations', conversation.id, {
    within: [projectId],
    condition: { kind: 'unchanged', changedIn: conversation.changedIn },
  }),
  ...removeEntries(store, projectId, conversation, indexEntries(conversation)),
];

export const getTombstone = (store: Store, projectId: string, id: string): Promise<Tombstone | undefined> =>
  store.get('conversations', id, erasedPartitionOf(projectId)) as Promise<Tombstone | undefined>;

/** Notes that nothing is left of an erased conversation but this. The first time stays. */
export const notePurged = (store: Store, projectId: string, id: string, purgedAt: string): Write<never> =>
  store.update(
    'conversations',
    id,
    { purgedAt },
    { within: erasedPartitionOf(projectId), condition: { kind: 'lacks', attribute: 'purgedAt' } },
  );

/** Asks for another run of the erasure. Refused where one has not ended yet. */
export const reopenErasure = (
  store: Store,
  projectId: string,
  { id, purgedAt = '' }: Tombstone,
): Write<never> =>
  store.update(
    'conversations',
    id,
    {},
    {
      within: erasedPartitionOf(projectId),
      condition: { kind: 'equals', attribute: 'purgedAt', value: purgedAt },
      drop: ['purgedAt'],
    },
  );
