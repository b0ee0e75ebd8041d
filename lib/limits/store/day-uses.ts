/**
 * The amounts that a tenant has stored in each of the last days are counted even without a quota. Each conversation and each
 * document has the amount that was stored of it on the day of its last change, so counting costs a request no further write. A
 * worker adds this amount to the sums of the day (day-sums.ts). For each item, the worker keeps the added amount. All change in one
 * transaction, so a change that is handled twice is counted once.
 */

import { type DailyQuota, dailyQuotas } from '../../base/stage-limits.ts';
import { dayMs, ttlSeconds } from '../../base/time.ts';
import { type Items, type Stored, tenantCollection, unchanged } from '../../dynamodb/collection.ts';
import type { Contents } from '../../dynamodb/contents.ts';
import type { ProjectStore, Store } from '../../dynamodb/store.ts';
import type { Write } from '../../dynamodb/write.ts';
import {
  countableProjects,
  type DaySum,
  dayOf,
  daySumsOf,
  digestOf,
  getDaySums,
  ttlOfDay,
} from './day-sums.ts';
import { addUses, resetMs, type Uses } from './quotas.ts';

/** The amount that was stored of an item on a day, such as `2026-03-01`. It only grows on that day. */
type DayUses = Required<Uses> & { day: string };

/**
 * An item has its `DayUses` as text: the day, and the counts in the order of `dailyQuotas`, such as `2026-03-01 0 95 1 2`. The
 * text is short, because each KB of an item costs a write unit.
 */
export type DayUsesText = string;

type Counts = Record<DailyQuota, number>;

/** The amount that an item has added to the sum of the day of its last counted change. */
type DayContribution = Stored<Counts & { id: string; day: string; ttl: number }>;

const dayContributions = tenantCollection<DayContribution, [projectId: string]>('limits', (projectId) => [
  projectId,
  'counted',
]);

/** A change may be counted until this time after the end of its day. */
const maxLateMs = dayMs;
/** A contribution is kept for longer than a change may be late. Otherwise, a change that is handled twice could count twice. */
const contributionsKeptMs = maxLateMs + dayMs;

/** @returns whether a change of this day can still be counted */
export const isCountable = (day: string, nowMs: number): boolean =>
  resetMs(Date.parse(day)) + maxLateMs > nowMs;

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

/**
 * Adds the uncounted amounts of these items to the sums of a day, of the tenant and of their projects. The writes fail if another run
 * has counted one of the items since it was read. What a purged project has stored is not counted any more, because nothing may name it.
 * @param items different items: each needs a write, each of their projects two, and the tenant one
 * @param changedAt the time of the latest change that is counted
 * @returns the writes; empty if everything is counted
 */
export async function countItems(
  store: Store,
  day: string,
  items: readonly ItemUses[],
  changedAt: string,
): Promise<Write<never>[]> {
  const projectIds = [...new Set(items.map(({ projectId }) => projectId))];
  const [sums, countable, storedContributions] = await Promise.all([
    getDaySums(store, [null, ...projectIds.map(digestOf)], day),
    countableProjects(store, projectIds, day),
    dayContributions.getMany(
      store,
      items.map(({ id, projectId }) => [id, projectId] as const),
    ),
  ]);
  const contributionsById = new Map(
    storedContributions.map((contribution) => [contribution.id, contribution]),
  );
  const ttl = ttlSeconds(resetMs(Date.parse(day)) + contributionsKeptMs);
  const differences = items.flatMap(({ projectId, id, uses }) => {
    if (!countable.projectIds.has(projectId)) return [];
    const before = contributionsById.get(id);
    // A change of the item on a later day is counted already.
    if (before && before.day > day) return [];
    const base = before?.day === day ? before : none;
    const after = countsOf((quota) => Math.max(base[quota], uses[quota]));
    const more = countsOf((quota) => after[quota] - base[quota]);
    if (dailyQuotas.every((quota) => more[quota] === 0)) return [];
    const condition = before ? unchanged(before) : ({ kind: 'absent' } as const);
    const contributions = dayContributions.at(store, projectId);
    const write = contributions.put({ id, day, ...after, ttl }, { condition });
    return [{ projectId, more, write }];
  });
  if (differences.length === 0) return [];
  const additions = [null, ...projectIds].flatMap((place, index) => {
    const counted = differences.filter(({ projectId }) => place === null || projectId === place);
    const add = addUses(counted.map(({ more }) => more));
    const sumsOfPlace = daySumsOf(store, place && digestOf(place));
    return counted.length > 0 ? [addition(sumsOfPlace, day, sums[index], add, changedAt)] : [];
  });
  return [...additions, ...countable.writes, ...differences.map(({ write }) => write)];
}

/** @param before the sum as it was read */
function addition(
  sums: Items<DaySum>,
  day: string,
  before: DaySum | undefined,
  add: Uses,
  changedAt: string,
): Write<never> {
  const ttl = ttlOfDay(day);
  const attribute = 'countedThrough';
  // What a request has counted itself has no such time.
  if (before && before.countedThrough === undefined)
    return sums.update(
      day,
      { ttl, countedThrough: changedAt },
      { condition: { kind: 'lacks', attribute }, add },
    );
  if (before?.countedThrough !== undefined && before.countedThrough >= changedAt)
    return sums.update(day, { ttl }, { condition: { kind: 'present' }, add });
  const condition = { kind: 'absent_or_before', attribute, value: changedAt } as const;
  return sums.update(day, { ttl, countedThrough: changedAt }, { condition, add });
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
