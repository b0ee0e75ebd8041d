/**
 * What finds conversations by a filter: for each of a conversation's values an entry with its id, in a partition of that
 * value, written in the same transaction. So a list by a filter is as strongly consistent as any, and stays within its
 * tenant; an index of DynamoDB's own would be neither.
 */

import { hash } from 'node:crypto';
import type { Page, Store, Within } from '../../dynamodb/store.ts';
import type { Item, Write } from '../../dynamodb/write.ts';
import { idRangeOf } from '../../ids.ts';
import type { Conversation } from '../schema/conversation.ts';

/** The values that conversations are found by, the most selective first: a list goes by the first that is asked for. */
const indexes = ['externalUserId', 'deploymentId', 'tag', 'avatarId', 'channel'] as const;

type Index = (typeof indexes)[number];
type Entry = readonly [index: Index, value: string];
type Fixed = Pick<Conversation, 'avatarId' | 'externalUserId' | 'channel' | 'deploymentId'>;

export type Filters = { readonly [Name in Index]?: string | undefined };

/** @returns the index that a list with these filters goes by, if any */
export function chooseIndex(filters: Filters): Entry | undefined {
  for (const index of indexes) {
    const value = filters[index];
    if (value !== undefined) return [index, value];
  }
  return undefined;
}

/** @returns every entry that these values of a conversation have */
export const indexEntries = ({
  tags,
  ...values
}: Partial<Fixed> & Pick<Conversation, 'tags'>): readonly Entry[] => [
  ...tags.map((tag): Entry => ['tag', tag]),
  ...indexes.flatMap((index): Entry[] => {
    const value = index === 'tag' ? undefined : values[index];
    return value ? [[index, value]] : [];
  }),
];

/** Values can be of any length and hold any character; their hashes fit into a key. */
export const partitionOf = (projectId: string, [index, value]: Entry): Within => [
  projectId,
  'by',
  index,
  hash('sha256', value, 'base64url'),
];

/** An entry has what never changes in its conversation, so that most of what a filter drops is dropped here. */
export const addEntries = (
  store: Store,
  projectId: string,
  conversation: Fixed & { id: string; ttl?: number },
  entries: readonly Entry[],
): Write<never>[] => {
  const { id, avatarId, externalUserId, channel, deploymentId, ttl } = conversation;
  const item = { id, avatarId, externalUserId, channel, deploymentId, ...(ttl !== undefined && { ttl }) };
  return entries.map((entry) =>
    store.put('conversations', item, { within: partitionOf(projectId, entry), condition: { kind: 'any' } }),
  );
};

/** Whether they are there or TTL was faster. */
export const removeEntries = (
  store: Store,
  projectId: string,
  { id }: { id: string },
  entries: readonly Entry[],
): Write<never>[] =>
  entries.map((entry) =>
    store.remove('conversations', id, { within: partitionOf(projectId, entry), condition: { kind: 'any' } }),
  );

/** Some of the conversations that have this value, oldest first. */
export const pageEntries = (
  store: Store,
  projectId: string,
  entry: Entry,
  after: string | undefined,
  limit: number,
): Promise<Page> => {
  const { first: from, last: to } = idRangeOf('conversation');
  const within = partitionOf(projectId, entry);
  return store.page('conversations', { within, from, to, order: 'oldest', after, limit });
};

/**
 * Removes the entries of a conversation that is gone, as far as one of them tells the others: those of its tags stay until
 * TTL takes them.
 */
export const removeEntriesOf = (store: Store, projectId: string, entry: Item): Write<never>[] =>
  removeEntries(store, projectId, entry, indexEntries({ ...(entry as Item & Fixed), tags: [] }));

/** @returns whether an entry, or a conversation, has the fixed values that are asked for */
export const hasFixed = (item: Item, { avatarId, externalUserId, channel, deploymentId }: Filters): boolean =>
  Object.entries({ avatarId, externalUserId, channel, deploymentId }).every(
    ([name, wanted]) => wanted === undefined || item[name] === wanted,
  );
