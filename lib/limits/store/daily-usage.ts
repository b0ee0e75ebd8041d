/** Reads what a tenant and its projects have used on each day. */

import { inBatches } from '../../base/batches.ts';
import { usdOf } from '../../base/money.ts';
import { type Store, toPage } from '../../dynamodb/store.ts';
import type { DailyUsage, UsageSums } from '../schema/days.ts';
import { amounts, type CountedProjects, type DaySum, daySumsOf, isKept } from './day-sums.ts';
import { costId, type DayCost, dayCostsOf, dayOfCost } from './model-cost.ts';

/** The first and the last day, inclusive: at most 367 days. */
export type Days = { first: string; last: string };

type Used = Pick<DailyUsage, 'items' | 'totals' | 'countedThrough'>;

/** The number of days that 366 times 24 hours can touch. */
const maxDays = 367;
/** Beside the costs of its days, a tenant has its quotas: of today, and of days that TTL has not removed yet. */
const maxQuotas = 100;

/**
 * @param digest of a project; null for the tenant
 * @returns what was used on these days, oldest day first
 */
export async function getDays(
  store: Store,
  digest: string | null,
  { first, last }: Days,
  nowMs: number,
): Promise<Used> {
  const order = 'oldest';
  const [sums, costs] = await Promise.all([
    daySumsOf(store, digest).page({ from: first, to: last, order, limit: maxDays }),
    dayCostsOf(store, digest).page({ from: first, to: costId(last), order, limit: maxDays + maxQuotas }),
  ]);
  return usedOn(
    sums.items.filter((sum) => isKept(sum, nowMs)),
    costs.items.filter((cost) => isKept(cost, nowMs)),
  );
}

function usedOn(sums: readonly DaySum[], costs: readonly DayCost[]): Used {
  const sumsByDay = new Map(sums.map((sum) => [sum.id, sum]));
  const microUsdByDay = new Map(costs.map(({ id, used }) => [dayOfCost(id), used]));
  const days = [...new Set([...sumsByDay.keys(), ...microUsdByDay.keys()])].filter(
    (day) => day !== undefined,
  );
  const items = days
    .sort()
    .map((day) => ({ day, ...usageOf([sumsByDay.get(day) ?? {}], microUsdByDay.get(day) ?? 0) }))
    .filter(({ day: _, ...used }) => Object.values(used).some((amount) => amount !== 0));
  const microUsd = [...microUsdByDay].reduce((sum, [day, used]) => sum + (day === undefined ? 0 : used), 0);
  const countedThrough = sums.flatMap((sum) => sum.countedThrough ?? []).sort();
  return { items, totals: usageOf(sums, microUsd), countedThrough: countedThrough.at(-1) ?? null };
}

function usageOf(sums: readonly Partial<DaySum>[], microUsd: number): UsageSums {
  const added = amounts.map((name) => [name, sums.reduce((total, sum) => total + (sum[name] ?? 0), 0)]);
  return { ...(Object.fromEntries(added) as Omit<UsageSums, 'modelCostUsd'>), modelCostUsd: usdOf(microUsd) };
}

/** `projectId` is null for a project that is purged. */
export type UsageOfProject = Used & { id: string; projectId: string | null };

const projectsAtOnce = 25;

/**
 * @param counted projects that have sums
 * @returns what they have used on these days. A project that has used nothing is left out, so a page may be short
 */
export async function getDaysOfProjects(
  store: Store,
  range: Days,
  counted: CountedProjects,
  nowMs: number,
): Promise<{ items: UsageOfProject[]; next: string | null }> {
  const projects = await inBatches(counted.items, projectsAtOnce, async ({ id, projectId, digest }) => ({
    id,
    projectId,
    ...(await getDays(store, digest, range, nowMs)),
  }));
  const used = projects.filter(({ items }) => items.length > 0);
  return toPage(used, counted.items.length, counted.next);
}
