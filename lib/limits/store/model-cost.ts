/**
 * A tenant spends money on models, which is counted for each day (UTC), in millionths of a US dollar. Before a call is sent,
 * the highest amount that it can cost is reserved. The difference is settled when the amount is known. So the sum is never too
 * low. The transactions that reserve and settle count the same in the sum of the project.
 */

import { microUsdOf } from '../../base/money.ts';
import type { Quotas } from '../../base/stage-limits.ts';
import { timestamp } from '../../base/time.ts';
import { type Items, type Stored, tenantCollection } from '../../dynamodb/collection.ts';
import type { ProjectStore, Store } from '../../dynamodb/store.ts';
import type { Write } from '../../dynamodb/write.ts';
import { countableProjects, digestOf, ttlOfDay } from './day-sums.ts';

export type DayCost = Stored<{ id: string; used: number; ttl: number }>;

/** The costs of a tenant are beside its quotas (quotas.ts), and those of a project are in a partition of its own. */
const costs = tenantCollection<DayCost, readonly string[]>('limits', (...project) => ['usage', ...project]);

/** @param digest of a project; null for the costs of the tenant */
export const dayCostsOf = (store: Store, digest: string | null): Items<DayCost> =>
  digest === null ? costs.at(store) : costs.at(store, digest);

/** Nothing may be spent without a quota, because a stage with models must have one. */
export const quotaMicroUsd = ({ modelCostUsd = 0 }: Quotas): number => microUsdOf(modelCostUsd);

/** @returns the day (UTC) to which a reservation of this time belongs, such as `2026-03-01` */
export const modelCostDay = (nowMs: number): string => timestamp(nowMs).slice(0, 10);

const idEnd = '#modelCostUsd';
export const costId = (day: string): string => `${day}${idEnd}`;

/** @returns undefined for another quota of the day */
export const dayOfCost = (id: string): string | undefined =>
  id.endsWith(idEnd) ? id.slice(0, -idEnd.length) : undefined;

const change = (store: ProjectStore, day: string, microUsd: number): Write<never> =>
  dayCostsOf(store, digestOf(store.projectId)).update(
    costId(day),
    { ttl: ttlOfDay(day) },
    { condition: { kind: 'any' }, add: { used: microUsd } },
  );

/**
 * The writes fail with `quota_exceeded` if less of the quota is left.
 * @param quotaMicroUsd the quota of a day
 * @param microUsd the highest amount that the calls can cost
 * @returns undefined if this amount alone exceeds the quota
 */
export async function reserveModelCost(
  store: ProjectStore,
  quotaMicroUsd: number,
  microUsd: number,
  nowMs: number,
): Promise<Write<'quota_exceeded'>[] | undefined> {
  if (microUsd > quotaMicroUsd) return undefined;
  const day = modelCostDay(nowMs);
  const { writes } = await countableProjects(store, [store.projectId], day);
  const ofTenant = dayCostsOf(store, null).update(
    costId(day),
    { ttl: ttlOfDay(day) },
    {
      condition: { kind: 'absent_or_at_most', attribute: 'used', value: quotaMicroUsd - microUsd },
      onConditionFailed: 'quota_exceeded',
      add: { used: microUsd },
    },
  );
  return [ofTenant, change(store, day, microUsd), ...writes];
}

/**
 * Each write adds the difference again, so write it only in a transaction with a condition that holds only once. The difference is
 * counted with and without a quota.
 * @param differenceMicroUsd the amount that the calls have cost, less the amount that was reserved for them
 * @param day the day of the reservation
 */
export const settleModelCost = (
  store: ProjectStore,
  differenceMicroUsd: number,
  day: string,
): Write<never>[] => [
  dayCostsOf(store, null).update(
    costId(day),
    { ttl: ttlOfDay(day) },
    { condition: { kind: 'any' }, add: { used: differenceMicroUsd } },
  ),
  change(store, day, differenceMicroUsd),
];

/** @returns the amount that the tenant has spent or reserved today */
export async function getModelCost(store: Store, nowMs: number): Promise<number> {
  // A function that reads the quotas may use BatchGetItem already, but not GetItem.
  const [cost] = await costs.at(store).getMany([costId(modelCostDay(nowMs))]);
  return cost?.used ?? 0;
}
