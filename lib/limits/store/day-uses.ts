/**
 * The amounts that a tenant has stored in each of the last days are counted even without a quota. Each conversation and each
 * document has the amount that was stored of it on the day of its last change, so counting costs a request no further write. A
 * worker adds this amount to one sum for each day (UTC). For each item, the worker keeps the added amount. Both change in one
 * transaction, so a change that is handled twice is counted once.
 */

import { type DailyQuota, dailyQuotas } from '../../base/stage-limits.ts';
import { dayMs, secondMs, timestamp, ttlSeconds } from '../../base/time.ts';
import { type Stored, tenantCollection, unchanged } from '../../dynamodb/collection.ts';
import type { Contents } from '../../dynamodb/contents.ts';
import type { ProjectStore, Store } from '../../dynamodb/store.ts';
import type { Write } from '../../dynamodb/write.ts';
import type { DailyUsage } from '../schema/days.ts';
import { addUses, resetMs, type Uses } from './quotas.ts';

/** The amount that was stored of an item on a day, such as `2026-03-01`. It only grows on that day. */
type DayUses = Required<Uses> & { day: string };

/**
 * An item has its `DayUses` as text: the day, and the counts in the order of `dailyQuotas`, such as `2026-03-01 0 95 1 2`. The
 * text is short, because each KB of an item costs a write unit.
 */
export type DayUsesText = string;

type Counts = Record<DailyQuota, number>;

/** `countedThrough` is the time of the latest change in the sum. The id is the day. */
type DaySum = Stored<Counts & { id: string; countedThrough: string; ttl: number }>;
/** The amount that an item has added to the sum of the day of its last counted change. */
type DayContribution = Stored<Counts & { id: string; day: string; ttl: number }>;

const daySums = tenantCollection<DaySum>('limits', () => ['days']);
const dayContributions = tenantCollection<DayContribution, [projectId: string]>('limits', (projectId) => [
  projectId,
  'counted',
]);

/** A sum is kept for this time after the end of its day. */
const sumsKeptMs = 400 * dayMs;
/** A change may be counted until this time after the end of its day. */
const maxLateMs = dayMs;
/** A contribution is kept for longer than a change may be late. Otherwise, a change that is handled twice could count twice. */
const contributionsKeptMs = maxLateMs + dayMs;

/** @returns whether a change of this day can still be counted */
export const isCountable = (day: string, nowMs: number): boolean =>
  resetMs(Date.parse(day)) + maxLateMs > nowMs;

export const dayOf = (at: string): string => at.slice(0, 10);

/**
 * @param before the amount of the day of the last change of the item
 * @param at the timestamp of the change
 */
export function addOnDay(before: DayUsesText | undefined, uses: Uses, at: string): DayUsesText {
  const earlier = before === undefined ? undefined : readDayUses(before);
  // The clock of another function may be behind, and still have the day before.
  const isSameDay = earlier !== undefined && earlier.day >= dayOf(at);
  const sum = isSameDay ? addUses([earlier, uses]) : uses;
  return [isSameDay ? earlier.day : dayOf(at), ...dailyQuotas.map((quota) => sum[quota] ?? 0)].join(' ');
}

export function readDayUses(text: DayUsesText): DayUses {
  const [day = '', ...counts] = text.split(' ');
  return { day, ...countsOf((quota) => Number(counts[dailyQuotas.indexOf(quota)] ?? 0)) };
}

export type ItemUses = { projectId: string; id: string; uses: DayUses };

/** @returns the counted amounts that the tenant has stored on the day of this time; undefined if nothing is counted */
export async function getDaySum(store: Store, nowMs: number): Promise<DaySum | undefined> {
  // A function that reads the quotas may use BatchGetItem already, but not GetItem.
  const [sum] = await daySums.at(store).getMany([dayOf(timestamp(nowMs))]);
  return sum;
}

/**
 * @param range the first and the last day, inclusive: at most 367 days
 * @returns the counted amounts, oldest day first
 */
export async function getDays(
  store: Store,
  { first, last }: { first: string; last: string },
  nowMs: number,
): Promise<DailyUsage> {
  const page = { from: first, to: last, order: 'oldest', limit: maxDays } as const;
  const { items } = await daySums.at(store).page({ ...page, filter: ({ ttl }) => ttl > nowMs / secondMs });
  const countedThrough = items.map((sum) => sum.countedThrough).sort();
  return {
    items: items.map(({ id, ...sum }) => ({ day: id, ...countsOf((quota) => sum[quota]) })),
    totals: countsOf((quota) => items.reduce((total, sum) => total + sum[quota], 0)),
    countedThrough: countedThrough.at(-1) ?? null,
  };
}

/** The number of days that 366 times 24 hours can touch. */
const maxDays = 367;

/**
 * Adds the uncounted amounts of these items to the sum of a day. The writes fail if another run has counted one of the items
 * since it was read.
 * @param items different items, at most 99, because a transaction has at most 100 writes
 * @param changedAt the time of the latest change that is counted
 * @returns the writes; empty if everything is counted
 */
export async function countItems(
  store: Store,
  day: string,
  items: readonly ItemUses[],
  changedAt: string,
): Promise<Write<never>[]> {
  const [sum, storedContributions] = await Promise.all([
    daySums.at(store).get(day),
    dayContributions.getMany(
      store,
      items.map(({ id, projectId }) => [id, projectId] as const),
    ),
  ]);
  const contributionsById = new Map(
    storedContributions.map((contribution) => [contribution.id, contribution]),
  );
  const endMs = resetMs(Date.parse(day));
  const ttl = ttlSeconds(endMs + sumsKeptMs);
  const contributionTtl = ttlSeconds(endMs + contributionsKeptMs);
  const differences = items.flatMap(({ projectId, id, uses }) => {
    const before = contributionsById.get(id);
    // A change of the item on a later day is counted already.
    if (before && before.day > day) return [];
    const base = before?.day === day ? before : none;
    const after = countsOf((quota) => Math.max(base[quota], uses[quota]));
    const more = countsOf((quota) => after[quota] - base[quota]);
    if (dailyQuotas.every((quota) => more[quota] === 0)) return [];
    const condition = before ? unchanged(before) : ({ kind: 'absent' } as const);
    const contributions = dayContributions.at(store, projectId);
    return [{ more, write: contributions.put({ id, day, ...after, ttl: contributionTtl }, { condition }) }];
  });
  if (differences.length === 0) return [];
  const add = addUses(differences.map(({ more }) => more));
  const isLater = sum === undefined || sum.countedThrough < changedAt;
  const attribute = 'countedThrough';
  return [
    isLater
      ? daySums.at(store).update(
          day,
          { ttl, countedThrough: changedAt },
          {
            condition: { kind: 'absent_or_before', attribute, value: changedAt },
            add,
          },
        )
      : daySums.at(store).update(day, { ttl }, { condition: { kind: 'present' }, add }),
    ...differences.map(({ write }) => write),
  ];
}

const countsOf = (count: (quota: DailyQuota) => number): Counts => ({
  documents: count('documents'),
  bytes: count('bytes'),
  conversations: count('conversations'),
  messages: count('messages'),
});

const none = countsOf(() => 0);

/** @returns the counted amounts of a project, for its purge */
export const dayUseContents = (store: ProjectStore): Contents[] => [
  dayContributions.at(store, store.projectId),
];
