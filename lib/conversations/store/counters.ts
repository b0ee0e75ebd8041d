/**
 * Statistics: for each day (UTC) of a start, avatar and channel one item with sums. A second item for each conversation has
 * what it has added to them. Both change in one transaction, so a change that is handled twice is counted once.
 */

import { projectCollection, type Stored, unchanged } from '../../dynamodb/collection.ts';
import type { Write } from '../../dynamodb/write.ts';
import { pagesOf } from '../../pages.ts';
import type { ProjectStore } from './conversations.ts';

export type Counts = { conversations: number; messages: number; durationSeconds: number };

/** The values by which conversations are grouped. They never change in a conversation. `day` is like `2026-03-01`. */
export type Group = { day: string; avatarId: string; channel: string | null };

/** What a conversation has added to the sums. */
export type Contribution = Stored<Group & Counts & { id: string }>;
/** `countedThrough` is the time of the latest change that it includes. */
export type Counter = Stored<Group & Counts & { id: string; countedThrough: string }>;

export const counters = projectCollection<Counter>('conversationStats', () => ['days']);
export const contributions = projectCollection<Contribution>('conversationStats', () => ['counted']);

/** The channel comes last because it may contain any character. It is never empty, so the id of "no channel" is unique. */
const counterId = ({ day, avatarId, channel }: Group) => `${day}#${avatarId}#${channel ?? ''}`;

const none: Counts = { conversations: 0, messages: 0, durationSeconds: 0 };

/**
 * Replaces what a conversation has added to the sums. Fails if that was changed after it was read.
 * @param changedAt the time of the change that is counted
 * @returns no writes if nothing changes
 */
export function count(
  store: ProjectStore,
  before: Contribution | undefined,
  after: Group & Counts & { id: string },
  changedAt: string,
): Write<never>[] {
  const add = minus(after, before ?? none);
  if (Object.values(add).every((number) => number === 0)) return [];
  const condition = before ? unchanged(before) : ({ kind: 'absent' } as const);
  return [
    contributions.at(store).put(after, { condition }),
    counters
      .at(store)
      .update(counterId(after), counterAttributes(after, changedAt), { condition: { kind: 'any' }, add }),
  ];
}

/**
 * Subtracts what a conversation has added to the sums. A sum is removed with its last conversation, because it names the
 * channel. Fails if, after a concurrent change, a removed sum would have to stay, or the reverse.
 */
export async function uncount(
  store: ProjectStore,
  before: Contribution,
  changedAt: string,
): Promise<Write<never>[]> {
  const sums = counters.at(store);
  const sum = await sums.get(counterId(before));
  const removal = contributions.at(store).remove(before.id, { condition: unchanged(before) });
  if (!sum) return [removal];
  const attribute = 'conversations';
  if (sum.conversations <= before.conversations) {
    const condition = { kind: 'equals', attribute, value: sum.conversations } as const;
    return [removal, sums.remove(sum.id, { condition })];
  }
  return [
    removal,
    sums.update(sum.id, counterAttributes(before, changedAt), {
      condition: { kind: 'above', attribute, value: before.conversations },
      add: minus(none, before),
    }),
  ];
}

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

/** The maximum number of sums that a request reads. With the longest keys, the response is far below the limit of Lambda. */
export const maxCounters = 10_000;

/**
 * @param days both included
 * @returns all sums of these days, in order; undefined if there are more than `maxCounters`
 */
export async function getCounters(
  store: ProjectStore,
  { first, last }: { first: string; last: string },
): Promise<Counter[] | undefined> {
  const found: Counter[] = [];
  // `$` follows `#`, so `to` comes after every id of the last day.
  const page = { from: first, to: `${last}$`, order: 'oldest', limit: 999 } as const;
  for await (const items of pagesOf((after) => counters.at(store).page({ ...page, after }))) {
    found.push(...items);
    if (found.length > maxCounters) return undefined;
  }
  return found;
}
