/** When conversations, and all that belongs to them, go by TTL; and how far a change of that has come. */

import type { Page, Store, Within } from '../../dynamodb/store.ts';
import type { TableName } from '../../dynamodb/tables.ts';
import type { Condition, Item, Write } from '../../dynamodb/write.ts';
import { idRangeOf } from '../../ids.ts';
import type { StoredConversation } from './conversations.ts';
import { indexEntries, partitionOf } from './list-index.ts';

/** Epoch seconds; undefined for never. */
type Ttl = number | undefined;

/** Has the item go at that time, or never. */
const setTtl = (
  store: Store,
  table: TableName,
  id: string,
  ttl: Ttl,
  options: { within: Within; condition: Condition },
): Write<never> =>
  ttl === undefined
    ? store.update(table, id, {}, { ...options, drop: ['ttl'] })
    : store.update(table, id, { ttl }, options);

const present: Condition = { kind: 'present' };

/** Unless somebody has changed the conversation since it was read, and so may have added to what belongs to it. */
export const setConversationTtl = (
  store: Store,
  projectId: string,
  { id, changedIn }: StoredConversation,
  ttl: Ttl,
): Write<never> =>
  setTtl(store, 'conversations', id, ttl, {
    within: [projectId],
    condition: { kind: 'unchanged', changedIn },
  });

/** @returns a write for each entry of an index that goes at another time */
export async function setEntriesTtl(
  store: Store,
  projectId: string,
  conversation: StoredConversation,
  ttl: Ttl,
): Promise<Write<never>[]> {
  const { id } = conversation;
  const places = indexEntries(conversation).map((entry) => ({ id, within: partitionOf(projectId, entry) }));
  const items = await store.getMany('conversations', places);
  return places
    .filter(({ within }) => items.some((item) => item.tenant.endsWith(within.join('#')) && item.ttl !== ttl))
    .map(({ within }) => setTtl(store, 'conversations', id, ttl, { within, condition: present }));
}

/** @returns a write for each of the items, of one partition, that goes at another time */
export const setMessagesTtl = (
  store: Store,
  within: Within,
  items: readonly Item[],
  ttl: Ttl,
): Write<never>[] =>
  items
    .filter((item) => item.ttl !== ttl)
    .map(({ id }) => setTtl(store, 'messages', id, ttl, { within, condition: present }));

const idRange = idRangeOf('conversation');

/** Some of a project's conversations as they are stored, all of them in the end. */
export const pageStoredConversations = (
  store: Store,
  projectId: string,
  after: string | undefined,
  limit: number,
): Promise<Page> =>
  store.page('conversations', {
    within: [projectId],
    from: idRange.first,
    to: idRange.last,
    order: 'oldest',
    after,
    limit,
  });

const checkpoints = (projectId: string): Within => [projectId, 'retention'];
const checkpointId = 'rewritten';

/** @returns the conversation up to which this change of the project is worked off, if any */
export async function getCheckpoint(
  store: Store,
  projectId: string,
  change: string,
): Promise<string | undefined> {
  const checkpoint = await store.get('conversations', checkpointId, checkpoints(projectId));
  return checkpoint?.change === change ? (checkpoint.upTo as string) : undefined;
}

export const putCheckpoint = (store: Store, projectId: string, change: string, upTo: string): Write<never> =>
  store.put(
    'conversations',
    { id: checkpointId, change, upTo },
    { within: checkpoints(projectId), condition: { kind: 'any' } },
  );

export const removeCheckpoint = (store: Store, projectId: string): Write<never> =>
  store.remove('conversations', checkpointId, {
    within: checkpoints(projectId),
    condition: { kind: 'any' },
  });
