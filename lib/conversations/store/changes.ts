/** The writes that create, change, erase and remove conversations, with their entries in the list index. */

import { unchanged } from '../../dynamodb/collection.ts';
import { putPointer } from '../../dynamodb/pointers.ts';
import type { Write } from '../../dynamodb/write.ts';
import { putUnit, removeUnit } from '../../rollouts/units/store.ts';
import {
  conversationPointers,
  conversations,
  type NamedConversation,
  type NewConversation,
  type ProjectStore,
  type StoredConversation,
  type Tombstone,
  tombstones,
} from './conversations.ts';
import { addEntries, indexedValues, removeEntries } from './list-index.ts';
import { keptCreator } from './ownership.ts';

/** @param target the pointer of its externalId, which must not lead to a stored or an erased conversation */
export function createConversation(
  store: ProjectStore,
  conversation: NewConversation,
  target?: NamedConversation,
): Write<never>[] {
  const { externalId } = conversation;
  const pointers = conversationPointers.at(store);
  return [
    conversations.at(store).put(conversation),
    ...addEntries(store, conversation, indexedValues(conversation)),
    ...putUnit(store, conversation),
    ...(externalId === null ? [] : [putPointer(pointers, externalId, conversation, target?.pointer)]),
  ];
}

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
    | 'dayUses'
    | 'deploymentId'
    | 'replyId'
    | 'lastReplyId'
    | 'replyMicroUsd'
  >
>;

/** Fails if the conversation does not exist at the moment of the write. */
export const requireConversation = (store: ProjectStore, id: string): Write<never> =>
  conversations.at(store).check(id, { condition: { kind: 'present' } });

/**
 * Fails if the conversation was changed after it was read.
 * @param conversation its current state. If it has timed out, the timeout is stored together with the changes
 * @param changes a `deploymentId` can be set, but not changed
 * @param drop attributes that it has no longer
 */
export function changeConversation(
  store: ProjectStore,
  conversation: StoredConversation,
  changes: ConversationChanges,
  { drop = [] }: { drop?: readonly 'replyId'[] } = {},
): Write<never>[] {
  const { id, status, endedAt, endReason, changedAfterMs } = conversation;
  const { deploymentId = conversation.deploymentId } = changes;
  const isDeployed = deploymentId !== conversation.deploymentId;
  if (isDeployed && conversation.deploymentId !== null) throw new Error('the deployment is fixed');
  const tags = new Set(changes.tags ?? conversation.tags);
  const removedTags = conversation.tags.filter((tag) => !tags.has(tag));
  const addedTags = [...tags].filter((tag) => !conversation.tags.includes(tag));
  return [
    conversations
      .at(store)
      .update(
        id,
        { status, endedAt, endReason, ...changes, ...(isDeployed && { deployedLater: true as const }) },
        { condition: { ...unchanged(conversation), changedAfterMs }, drop },
      ),
    ...removeEntries(store, id, indexedValues({ tags: removedTags })),
    ...addEntries(
      store,
      { ...conversation, deploymentId },
      indexedValues({ tags: addedTags, ...(isDeployed && { deploymentId }) }),
    ),
  ];
}

/**
 * Replaces a conversation with its tombstone. This makes its messages unreadable, because they can be reached only through
 * the conversation. The worker that removes them finds them by the id of the tombstone.
 */
export const eraseConversation = async (
  store: ProjectStore,
  conversation: StoredConversation,
  erasedAt: string,
): Promise<Write<never>[]> => [
  ...(await removeConversation(store, conversation)),
  tombstones.at(store).put({ id: conversation.id, erasedAt, ...keptCreator(conversation) }),
];

/** Removes a conversation, its entries and its unit, but not its pointer. Fails if the conversation was changed after it was read. */
export const removeConversation = async (
  store: ProjectStore,
  conversation: StoredConversation,
): Promise<Write<never>[]> => [
  conversations.at(store).remove(conversation.id, { condition: unchanged(conversation) }),
  ...removeEntries(store, conversation.id, indexedValues(conversation)),
  ...(await removeUnit(store, conversation)),
];

/** Records when only the tombstone was left. A repetition keeps the first time. */
export const recordPurge = (store: ProjectStore, id: string, purgedAt: string): Write<never> =>
  tombstones.at(store).update(id, { purgedAt }, { condition: { kind: 'lacks', attribute: 'purgedAt' } });

/** Requests the erasure again. Fails if an erasure is in progress. */
export const reopenErasure = (store: ProjectStore, { id, purgedAt = '' }: Tombstone): Write<never> =>
  tombstones
    .at(store)
    .update(
      id,
      {},
      { condition: { kind: 'equals', attribute: 'purgedAt', value: purgedAt }, drop: ['purgedAt'] },
    );
