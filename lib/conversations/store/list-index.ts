/**
 * The index that lists with filters use. A conversation has one entry for each of its values, in the partition of that value,
 * written in the same transaction. So a filtered list is strongly consistent and stays within its tenant. A secondary index of
 * DynamoDB would be eventually consistent and not bound to a tenant.
 */

import { hash } from 'node:crypto';
import { projectCollection, type Stored } from '../../dynamodb/collection.ts';
import type { ProjectStore } from '../../dynamodb/store.ts';
import type { Write } from '../../dynamodb/write.ts';
import type { Conversation } from '../schema/conversation.ts';

/** Sorted by selectivity, highest first. A list uses the first index for which it has a filter. */
const indexes = ['externalUserId', 'deploymentId', 'tag', 'avatarId', 'channel'] as const;
type Index = (typeof indexes)[number];

/** The values of a conversation that never change. */
const fixedNames = ['externalUserId', 'deploymentId', 'avatarId', 'channel'] as const;
type FixedValues = Pick<Conversation, (typeof fixedNames)[number]>;

/** An entry has the fixed values of its conversation, so a list can filter most conversations without reading them. */
export type StoredEntry = Stored<FixedValues & { id: string; ttl?: number }>;
export type IndexedValue = readonly [index: Index, value: string];

/** A value can have any length and any character. Its hash fits into a key. */
export const conversationEntries = projectCollection<StoredEntry, IndexedValue>(
  'conversations',
  (index, value) => ['by', index, hash('sha256', value, 'base64url')],
);

export type Filters = { readonly [Name in Index]?: string | undefined };

/** @returns the value by which a list with these filters is read; undefined if no filter has an index */
export function chooseIndex(filters: Filters): IndexedValue | undefined {
  for (const index of indexes) {
    const value = filters[index];
    if (value !== undefined) return [index, value];
  }
  return undefined;
}

export const indexedValues = ({
  tags,
  ...fixed
}: Partial<FixedValues> & Pick<Conversation, 'tags'>): readonly IndexedValue[] => [
  ...tags.map((tag): IndexedValue => ['tag', tag]),
  ...fixedNames.flatMap((name): IndexedValue[] => (fixed[name] ? [[name, fixed[name]]] : [])),
];

export const addEntries = (
  store: ProjectStore,
  conversation: FixedValues & { id: string; ttl?: number },
  values: readonly IndexedValue[],
): Write<never>[] => {
  const { id, avatarId, externalUserId, channel, deploymentId, ttl } = conversation;
  const entry = { id, avatarId, externalUserId, channel, deploymentId, ...(ttl !== undefined && { ttl }) };
  return values.map((value) =>
    conversationEntries.at(store, ...value).put(entry, { condition: { kind: 'any' } }),
  );
};

/** TTL may already have removed some. */
export const removeEntries = (
  store: ProjectStore,
  conversationId: string,
  values: readonly IndexedValue[],
): Write<never>[] =>
  values.map((value) =>
    conversationEntries.at(store, ...value).remove(conversationId, { condition: { kind: 'any' } }),
  );

/** @returns whether an entry or a conversation has the fixed values that the filters ask for */
export const hasFixedValues = (item: FixedValues, filters: Filters): boolean =>
  fixedNames.every((name) => filters[name] === undefined || item[name] === filters[name]);
