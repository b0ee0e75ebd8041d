/**
 * The index that lists with filters use. A conversation has one entry for each of its values, in the partition of that value,
 * written in the same transaction. So a filtered list is strongly consistent and stays within its tenant. A secondary index of
 * DynamoDB would be eventually consistent and not bound to a tenant.
 */

import { hash } from 'node:crypto';
import { projectCollection, type Stored } from '../../dynamodb/collection.ts';
import type { ProjectStore } from '../../dynamodb/store.ts';
import type { Write } from '../../dynamodb/write.ts';
import { type IndexedScore, matchesScore, type ScoreFilter } from '../../scores/comparison.ts';
import type { Conversation } from '../schema/conversation.ts';

/** The indexes by selectivity, highest first. A list uses the first index for which it has a filter. */
const indexes = [
  'externalUserId',
  'deploymentId',
  'tag',
  'scoreValue',
  'score',
  'test',
  'avatarId',
  'channel',
] as const;
type Index = (typeof indexes)[number];
type ScoreIndex = 'scoreValue' | 'score';

/** The values of a conversation that never change, except that a deployment that is null can be set. */
const fixedNames = ['externalUserId', 'deploymentId', 'avatarId', 'channel'] as const;
type FixedValues = Pick<Conversation, (typeof fixedNames)[number]>;

/**
 * An entry has the fixed values of its conversation, so a list can filter most conversations without reading them. If the deployment was
 * set later, entries still have null.
 */
export type StoredEntry = Stored<
  FixedValues & {
    id: string;
    /** The value. Only entries of the index `score` have it, and not for a text or an object. */
    score?: Exclude<IndexedScore, null>;
    ttl?: number;
  }
>;
export type IndexedValue = readonly [index: Index, value: string];

/** A value can have any length and any character. Its hash fits into a key. */
export const conversationEntries = projectCollection<StoredEntry, IndexedValue>(
  'conversations',
  (index, value) => ['by', index, hash('sha256', value, 'base64url')],
);

export type Filters = { readonly [Name in Exclude<Index, ScoreIndex | 'test'>]?: string | undefined } & {
  readonly test?: boolean | undefined;
  readonly scores?: readonly ScoreFilter[] | undefined;
};

/** @returns the value by which a list with these filters is read; undefined if no filter has an index */
export function chooseIndex(filters: Filters): IndexedValue | undefined {
  for (const index of indexes) {
    const value = indexedFilter(index, filters);
    if (value !== undefined) return [index, value];
  }
  return undefined;
}

function indexedFilter(index: Index, { scores = [], ...values }: Filters): string | undefined {
  if (index === 'score') return scores[0]?.name;
  // Most conversations are no tests, so these have no entries.
  if (index === 'test') return values.test ? 'true' : undefined;
  if (index !== 'scoreValue') return values[index];
  const exact = scores.find(({ op, value }) => op === 'eq' && hasOwnEntries(value));
  return exact && `${exact.name}=${exact.value}`;
}

/** Numbers have too many values for entries of their own. */
const hasOwnEntries = (value: IndexedScore) => value !== null && typeof value !== 'number';

export const indexedValues = ({
  tags,
  test,
  ...fixed
}: Partial<FixedValues> & Pick<Conversation, 'tags'> & { test?: true }): readonly IndexedValue[] => [
  ...tags.map((tag): IndexedValue => ['tag', tag]),
  ...(test ? [['test', 'true'] as const] : []),
  ...fixedNames.flatMap((name): IndexedValue[] => (fixed[name] ? [[name, fixed[name]]] : [])),
];

/** @returns the places of an effective score in the index; none if it has no value */
export function scoreValues(
  name: string,
  score: { value: IndexedScore; hasValue: boolean } | undefined,
): readonly IndexedValue[] {
  if (!score?.hasValue) return [];
  return [
    ['score', name],
    ...(hasOwnEntries(score.value) ? [['scoreValue', `${name}=${score.value}`] as const] : []),
  ];
}

type IndexedConversation = FixedValues & { id: string; ttl?: number };

const entryOf = ({ id, avatarId, externalUserId, channel, deploymentId, ttl }: IndexedConversation) => ({
  id,
  avatarId,
  externalUserId,
  channel,
  deploymentId,
  ...(ttl !== undefined && { ttl }),
});

export const addEntries = (
  store: ProjectStore,
  conversation: IndexedConversation,
  values: readonly IndexedValue[],
): Write<never>[] =>
  values.map((value) =>
    conversationEntries.at(store, ...value).put(entryOf(conversation), { condition: { kind: 'any' } }),
  );

/** @param score the effective score; without a value, it has no entries */
export const addScoreEntries = (
  store: ProjectStore,
  conversation: IndexedConversation,
  name: string,
  score: { value: IndexedScore; hasValue: boolean } | undefined,
): Write<never>[] =>
  scoreValues(name, score).map((value) => {
    const scoreOfEntry = value[0] === 'score' && score && score.value !== null ? { score: score.value } : {};
    const entry = { ...entryOf(conversation), ...scoreOfEntry };
    return conversationEntries.at(store, ...value).put(entry, { condition: { kind: 'any' } });
  });

/** TTL may already have removed some of the entries. */
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

/**
 * @param index the index of the entry
 * @returns whether the conversation of an entry may match the filters, as far as the entry knows
 */
export const mayMatch = (entry: StoredEntry, [index, value]: IndexedValue, filters: Filters): boolean =>
  hasFixedValues(entry, entry.deploymentId === null ? { ...filters, deploymentId: undefined } : filters) &&
  (index !== 'score' ||
    (filters.scores ?? [])
      .filter(({ name }) => name === value)
      .every((filter) => matchesScore({ value: entry.score ?? null, hasValue: true }, filter)));
