/**
 * Conversations counted: for each day (UTC) of their start, avatar and channel one item with sums, in the project's
 * `days` partition. What each conversation has added to them is in its `counted` partition, and changes in the same
 * transaction: so however often a change is worked off, it is counted once.
 */

import type { Store, Within } from '../../dynamodb/store.ts';
import type { Item, Write } from '../../dynamodb/write.ts';

export type Counts = { conversations: number; messages: number; durationSeconds: number };

/** What conversations are counted by; none of it ever changes in one. `day` as in `2026-03-01`. */
export type Group = { day: string; avatarId: string; channel: string | null };

export type Counted = Group & Counts & { id: string; changedIn: string };
export type Counter = Group & Counts & { countedThrough: string };

const days = (projectId: string): Within => [projectId, 'days'];
const counted = (projectId: string): Within => [projectId, 'counted'];

/** A channel may hold any character, and comes last; none is empty. */
const counterId = ({ day, avatarId, channel }: Group) => `${day}#${avatarId}#${channel ?? ''}`;

/** @returns what a conversation has added to the sums so far */
export const getCounted = (store: Store, projectId: string, id: string): Promise<Counted | undefined> =>
  store.get('conversationStats', id, counted(projectId)) as Promise<Counted | undefined>;

const none: Counts = { conversations: 0, messages: 0, durationSeconds: 0 };

/**
 * Brings the sums from what a conversation has added to what it is, unless somebody else has since that was read.
 * @param changedAt when the change took effect that is counted
 * @returns no writes where nothing changes
 */
export function count(
  store: Store,
  projectId: string,
  id: string,
  before: Counted | undefined,
  is: Group & Counts,
  changedAt: string,
): Write<never>[] {
  const add = minus(is, before ?? none);
  if (Object.values(add).every((number) => number === 0)) return [];
  const condition = before
    ? ({ kind: 'unchanged', changedIn: before.changedIn } as const)
    : ({ kind: 'absent' } as const);
  return [
    store.put('conversationStats', { id, ...is }, { within: counted(projectId), condition }),
    store.update('conversationStats', counterId(is), counterOf(is, changedAt), {
      within: days(projectId),
      condition: { kind: 'any' },
      add,
    }),
  ];
}

/**
 * Takes what a conversation has added out of the sums. The sum of its last conversation is removed: it names the
 * channel. Refused where others have changed the sum so that the other of the two writes is the right one now.
 */
export async function uncount(
  store: Store,
  projectId: string,
  before: Counted,
  changedAt: string,
): Promise<Write<never>[]> {
  const { id, changedIn } = before;
  const own = { within: counted(projectId), condition: { kind: 'unchanged', changedIn } } as const;
  const sum = await store.get('conversationStats', counterId(before), days(projectId));
  const left = ((sum?.conversations as number | undefined) ?? 0) - before.conversations;
  const attribute = 'conversations';
  const removal = store.remove('conversationStats', id, own);
  if (!sum) return [removal];
  if (left <= 0) {
    const condition = { kind: 'equals', attribute, value: sum.conversations as number } as const;
    const options = { within: days(projectId), condition };
    return [removal, store.remove('conversationStats', counterId(before), options)];
  }
  return [
    removal,
    store.update('conversationStats', counterId(before), counterOf(before, changedAt), {
      within: days(projectId),
      condition: { kind: 'above', attribute, value: before.conversations },
      add: minus(none, before),
    }),
  ];
}

const counterOf = ({ day, avatarId, channel }: Group, countedThrough: string) => ({
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

/** A request reads at most so many sums. Grouped in the longest way, they stay far below a function's largest response. */
export const maxCounters = 10_000;

/** @returns all sums of these days, both included, in their order; undefined where there are more than `maxCounters` */
export async function getCounters(
  store: Store,
  projectId: string,
  { first, last }: { first: string; last: string },
): Promise<Counter[] | undefined> {
  const counters: (Item & Counter)[] = [];
  for (let after: string | undefined; ; ) {
    const page = await store.page('conversationStats', {
      within: days(projectId),
      from: first,
      // Right behind everything that begins with the day and `#`.
      to: `${last}$`,
      order: 'oldest',
      after,
      limit: 999,
    });
    counters.push(...(page.items as (Item & Counter)[]));
    if (counters.length > maxCounters) return undefined;
    if (page.next === null) return counters;
    after = page.next;
  }
}
