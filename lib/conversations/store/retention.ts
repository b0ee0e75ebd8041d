/** Changes when conversations and everything that belongs to them expire, and the progress of such a change. */

import { idRangeOf } from '../../base/ids.ts';
import { projectCollection, type Stored, unchanged } from '../../dynamodb/collection.ts';
import { getPointer } from '../../dynamodb/pointers.ts';
import type { Page, Partition, ProjectStore } from '../../dynamodb/store.ts';
import type { TableName } from '../../dynamodb/tables.ts';
import type { Condition, Item, Write } from '../../dynamodb/write.ts';
import { rolloutUnits, unitOf } from '../../rollouts/units/store.ts';
import { conversationPointers, conversations, type StoredConversation } from './conversations.ts';
import { conversationEntries, type IndexedValue, indexedValues } from './list-index.ts';
import { messagePointers, messages } from './messages.ts';
import { scored, scores, valuesOfScores } from './scores.ts';

/** A time in epoch seconds; undefined for never. */
type Ttl = number | undefined;

type ItemCollection = { readonly table: TableName; readonly partition: Partition };

const setTtl = (
  store: ProjectStore,
  { table, partition, id }: ItemCollection & { id: string },
  { ttl, condition }: { ttl: Ttl; condition: Condition },
): Write<never> =>
  ttl === undefined
    ? store.update(table, id, {}, { partition, condition, drop: ['ttl'] })
    : store.update(table, id, { ttl }, { partition, condition });

const present: Condition = { kind: 'present' };

/** Fails if the conversation was changed after it was read: the change may have added messages or entries. */
export const setConversationTtl = (
  store: ProjectStore,
  { id, changedIn }: StoredConversation,
  ttl: Ttl,
): Write<never> => {
  const { table, partition } = conversations.at(store);
  return setTtl(store, { table, partition, id }, { ttl, condition: { kind: 'unchanged', changedIn } });
};

/** @returns a write for each entry of the conversation that has another `ttl`, for its pointer, and for its unit */
export async function setEntriesTtl(
  store: ProjectStore,
  conversation: StoredConversation,
  ttl: Ttl,
): Promise<Write<never>[]> {
  const ofEntries = await setTtlOfEntries(store, conversation.id, indexedValues(conversation), ttl);
  const setOne = (
    { table, partition }: ItemCollection,
    item: { id: string; changedIn: string; ttl?: number } | undefined,
  ) =>
    item && item.ttl !== ttl
      ? [setTtl(store, { table, partition, id: item.id }, { ttl, condition: unchanged(item) })]
      : [];
  return [
    ...ofEntries,
    ...setOne(conversationPointers.at(store), await pointerOf(store, conversation)),
    ...setOne(rolloutUnits.at(store), await unitOf(store, conversation)),
  ];
}

async function setTtlOfEntries(
  store: ProjectStore,
  id: string,
  values: readonly IndexedValue[],
  ttl: Ttl,
): Promise<Write<never>[]> {
  const keys = values.map((value) => [id, ...value] as const);
  const entries = await conversationEntries.getMany(store, keys);
  return values
    .map((value) => conversationEntries.at(store, ...value))
    .filter(({ partition }) =>
      entries.some((entry) => entry.tenant.endsWith(partition.join('#')) && entry.ttl !== ttl),
    )
    .map(({ table, partition }) => setTtl(store, { table, partition, id }, { ttl, condition: present }));
}

/** @returns the pointer from its externalId. A newer conversation may have the externalId of an expired conversation */
async function pointerOf(store: ProjectStore, { id, externalId }: StoredConversation) {
  const pointer =
    externalId === null ? undefined : await getPointer(conversationPointers.at(store), externalId);
  return pointer?.resourceId === id ? pointer : undefined;
}

/** The partitions of a conversation whose items expire with it. */
export const messageContents = (store: ProjectStore, conversationId: string) => ({
  messages: messages.at(store, conversationId),
  pointers: messagePointers.at(store, conversationId),
});

export const scoreContents = (store: ProjectStore, conversationId: string): ItemCollection =>
  scores.at(store, conversationId);

/** @returns a write for the summary of the scores and for each of its entries, if it has another `ttl` */
export async function setSummaryTtl(store: ProjectStore, id: string, ttl: Ttl): Promise<Write<never>[]> {
  const summary = await scored.at(store).get(id);
  if (!summary) return [];
  const { table, partition } = scored.at(store);
  return [
    ...(await setTtlOfEntries(store, id, valuesOfScores(summary), ttl)),
    ...(summary.ttl === ttl
      ? []
      : [setTtl(store, { table, partition, id }, { ttl, condition: unchanged(summary) })]),
  ];
}

export const pageContents = (
  store: ProjectStore,
  { table, partition }: ItemCollection,
  after: string | undefined,
): Promise<Page> => store.page(table, { partition, from: ' ', to: '~', order: 'oldest', after, limit: 100 });

/** @returns a write for each of the items that has another `ttl` */
export const setItemsTtl = (
  store: ProjectStore,
  { table, partition }: ItemCollection,
  items: readonly Item[],
  ttl: Ttl,
): Write<never>[] =>
  items
    .filter((item) => item.ttl !== ttl)
    .map(({ id }) => setTtl(store, { table, partition, id }, { ttl, condition: present }));

const idRange = idRangeOf('conversation');

export const pageStoredConversations = (
  store: ProjectStore,
  after: string | undefined,
  limit: number,
): Promise<Page<StoredConversation>> =>
  conversations.at(store).page({ from: idRange.first, to: idRange.last, order: 'oldest', after, limit });

const checkpointId = 'rewritten';

/** How far a change of the setting is applied. */
export type RetentionPosition = {
  /** The last conversation that has the new `ttl`. Empty for none. */
  upTo: string;
  /** The last message that has the new `ttl`, of conversations after `upTo`. */
  within?: Readonly<Record<string, string>>;
};

/** `change` is the call that changed the setting. */
export const retentionCheckpoints = projectCollection<
  Stored<RetentionPosition & { id: typeof checkpointId; change: string }>
>('conversations', () => ['retention']);

/** @returns where to continue this change of the setting; undefined at the begin */
export async function getCheckpoint(
  store: ProjectStore,
  change: string,
): Promise<RetentionPosition | undefined> {
  const checkpoint = await retentionCheckpoints.at(store).get(checkpointId);
  return checkpoint?.change === change ? checkpoint : undefined;
}

/** Fails if a later change of the setting has begun: it applies to all conversations, too. */
export const putCheckpoint = (
  store: ProjectStore,
  change: string,
  { upTo, within }: RetentionPosition,
): Write<never> =>
  retentionCheckpoints.at(store).put(
    { id: checkpointId, change, upTo, ...(within && { within }) },
    // Ids of calls sort by time.
    { condition: { kind: 'absent_or_before', attribute: 'change', value: `${change}~` } },
  );

export const removeCheckpoint = (store: ProjectStore, change: string): Write<never> =>
  retentionCheckpoints
    .at(store)
    .remove(checkpointId, { condition: { kind: 'equals', attribute: 'change', value: change } });
