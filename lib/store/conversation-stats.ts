/**
 * Conversations counted: for each day (UTC) of their start, avatar and channel one item with sums, in the project's
 * `days` partition. What each conversation has added to them is in its `counted` partition, and changes in the same
 * transaction: so however often a change is worked off, it is counted once.
 */

import type { Store, Within } from './store.ts';
import type { Item, Write } from './write.ts';

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
 * @param is undefined where it is there no longer
 * @param changedAt when the change took effect that is counted
 * @returns no writes where nothing changes
 */
export function count(
  store: Store,
  projectId: string,
  id: string,
  before: Counted | undefined,
  is: (Group & Counts) | undefined,
  changedAt: string,
): Write<never>[] {
  const group = is ?? before;
  const add = {
    conversations: (is ?? none).conversations - (before ?? none).conversations,
    messages: (is ?? none).messages - (before ?? none).messages,
    durationSeconds: (is ?? none).durationSeconds - (before ?? none).durationSeconds,
  };
  if (!group || Object.values(add).every((number) => number === 0)) return [];
  const { day, avatarId, channel } = group;
  const condition = before
    ? ({ kind: 'unchanged', changedIn: before.changedIn } as const)
    : ({ kind: 'absent' } as const);
  const own = { within: counted(projectId), condition };
  const counter = { day, avatarId, channel, countedThrough: changedAt };
  return [
    is ? store.put('conversationStats', { id, ...is }, own) : store.remove('conversationStats', id, own),
    store.update('conversationStats', counterId(group), counter, {
      within: days(projectId),
      condition: { kind: 'any' },
      add,
    }),
  ];
}

/** @returns all sums of these days, both included, in their order */
export async function getCounters(
  store: Store,
  projectId: string,
  { first, last }: { first: string; last: string },
): Promise<Counter[]> {
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
    if (page.next === null) return counters;
    after = page.next;
  }
}
