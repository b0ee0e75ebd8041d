/**
 * Statistics: for each day (UTC) of a start, avatar and channel one item with sums. A second item for each conversation has its
 * contribution to the sums. Both change in one transaction, so a change that is handled twice is counted once. Each generation
 * has its own sums.
 */

import { pagesOf } from '../../base/pages.ts';
import { projectCollection, type Stored, unchanged } from '../../dynamodb/collection.ts';
import type { Write } from '../../dynamodb/write.ts';
import type { ProjectStore } from './conversations.ts';
import { type Generation, generationPart } from './generations.ts';

export type Counts = { conversations: number; messages: number; durationSeconds: number };

/** The values by which conversations are grouped. They never change in a conversation. `day` is like `2026-03-01`. */
export type Group = { day: string; avatarId: string; channel: string | null };

/** The contribution of a conversation to the sums. */
type Contribution = Stored<Group & Counts & { id: string }>;
/** `countedThrough` is the time of the latest change that it includes. */
export type Counter = Stored<Group & Counts & { id: string; countedThrough: string }>;

type InGeneration = [generation: string];
export const counters = projectCollection<Counter, InGeneration>('conversationStats', (generation) => [
  'days',
  generation,
]);
export const contributions = projectCollection<Contribution, InGeneration>(
  'conversationStats',
  (generation) => ['counted', generation],
);

export const countersIn = (store: ProjectStore, generation: Generation) =>
  counters.at(store, generationPart(generation));
export const contributionsIn = (store: ProjectStore, generation: Generation) =>
  contributions.at(store, generationPart(generation));

/** The channel comes last because it may contain any character. It is never empty, so the id of "no channel" is unique. */
const counterId = ({ day, avatarId, channel }: Group) => `${day}#${avatarId}#${channel ?? ''}`;

const none: Counts = { conversations: 0, messages: 0, durationSeconds: 0 };

/** The contribution of a conversation so far, and its correct contribution. Undefined means that it is not counted. */
export type Difference = {
  id: string;
  before: Contribution | undefined;
  after: (Group & Counts) | undefined;
};

/** @returns the differences that change something, by the sum that they change */
export const bySum = (differences: readonly Difference[]): Difference[][] => {
  const changing = differences.filter(({ before, after }) =>
    after ? !before || !isNone(minus(after, before)) : before,
  );
  return [
    ...Map.groupBy(changing, ({ before, after }) => {
      const group = after ?? before;
      return group ? counterId(group) : '';
    }).values(),
  ];
};

/**
 * Replaces the contributions of conversations to a sum. A sum is removed with its last conversation, because it names the
 * channel. Fails if a contribution was changed after it was read, or if, after a concurrent change, a removed sum would have to
 * stay, or the reverse.
 * @param differences of one sum, at most 99, because a transaction has at most 100 writes
 * @param changedAt the time of the latest change that is counted
 */
export async function recount(
  store: ProjectStore,
  generation: Generation,
  differences: readonly Difference[],
  changedAt: string,
): Promise<Write<never>[]> {
  const own = differences.flatMap((difference) => replaceContribution(store, generation, difference));
  const group = differences.map(({ before, after }) => after ?? before).find((some) => some !== undefined);
  const add = differences.reduce(
    (sum, { before = none, after = none }) => plus(sum, minus(after, before)),
    none,
  );
  if (!group || isNone(add)) return own;
  const sums = countersIn(store, generation);
  const id = counterId(group);
  const attributes = counterAttributes(group, changedAt);
  if (add.conversations >= 0) {
    return [...own, sums.update(id, attributes, { condition: { kind: 'any' }, add })];
  }
  const sum = await sums.get(id);
  if (!sum) return own;
  const attribute = 'conversations';
  const removed = -add.conversations;
  if (sum.conversations <= removed) {
    const condition = { kind: 'equals', attribute, value: sum.conversations } as const;
    return [...own, sums.remove(id, { condition })];
  }
  return [
    ...own,
    sums.update(id, attributes, { condition: { kind: 'above', attribute, value: removed }, add }),
  ];
}

function replaceContribution(
  store: ProjectStore,
  generation: Generation,
  { id, before, after }: Difference,
): Write<never>[] {
  const items = contributionsIn(store, generation);
  if (after) return [items.put({ ...after, id }, { condition: before ? unchanged(before) : absent })];
  return before ? [items.remove(id, { condition: unchanged(before) })] : [];
}

const absent = { kind: 'absent' } as const;

const counterAttributes = ({ day, avatarId, channel }: Group, countedThrough: string) => ({
  day,
  avatarId,
  channel,
  countedThrough,
});

const minus = (a: Counts, b: Counts): Counts => ({
  conversations: a.conversations - b.conversations,
  messages: a.messages - b.messages,
  durationSeconds: a.durationSeconds - b.durationSeconds,
});

const plus = (a: Counts, b: Counts): Counts => minus(a, minus(none, b));

const isNone = (counts: Counts): boolean => Object.values(counts).every((number) => number === 0);

/** The maximum number of sums that a request reads. With the longest keys, the response is far below the limit of Lambda. */
export const maxCounters = 10_000;

/**
 * @param days both included
 * @returns all sums of these days, in order; undefined if there are more than `maxCounters`
 */
export async function getCounters(
  store: ProjectStore,
  generation: Generation,
  { first, last }: { first: string; last: string },
): Promise<Counter[] | undefined> {
  const found: Counter[] = [];
  // `$` follows `#`, so `to` comes after every id of the last day.
  const page = { from: first, to: `${last}$`, order: 'oldest', limit: 999 } as const;
  for await (const items of pagesOf((after) => countersIn(store, generation).page({ ...page, after }))) {
    found.push(...items);
    if (found.length > maxCounters) return undefined;
  }
  return found;
}
