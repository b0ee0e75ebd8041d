/**
 * A tenant spends money on models, which is counted for each day (UTC), in millionths of a US dollar. Before a call is sent,
 * the highest amount that it can cost is reserved. The difference is settled when the amount is known. So the sum is never too
 * low.
 */

import { dayMs, timestamp, ttlSeconds } from '../../base/time.ts';
import { type Stored, tenantCollection } from '../../dynamodb/collection.ts';
import type { Store } from '../../dynamodb/store.ts';
import type { Write } from '../../dynamodb/write.ts';
import { resetMs } from './quotas.ts';

type StoredCost = Stored<{ id: string; used: number; ttl: number }>;

/** The costs are beside the other quotas (quotas.ts). */
const costs = tenantCollection<StoredCost>('limits', () => ['usage']);

/** A call that is reserved before midnight may be settled after it. */
const settledWithinMs = 2 * dayMs;

/** @returns the day (UTC) to which a reservation of this time belongs, such as `2026-03-01` */
export const modelCostDay = (nowMs: number): string => timestamp(nowMs).slice(0, 10);

const costId = (day: string): string => `${day}#modelCostUsd`;
const ttlOf = (day: string): number => ttlSeconds(resetMs(Date.parse(day)) + settledWithinMs);

/**
 * The write fails with `quota_exceeded` if less of the quota is left.
 * @param quotaMicroUsd the quota of a day
 * @param microUsd the highest amount that the calls can cost
 * @returns undefined if this amount alone exceeds the quota
 */
export function reserveModelCost(
  store: Store,
  quotaMicroUsd: number,
  microUsd: number,
  nowMs: number,
): Write<'quota_exceeded'> | undefined {
  if (microUsd > quotaMicroUsd) return undefined;
  const day = modelCostDay(nowMs);
  return costs.at(store).update(
    costId(day),
    { ttl: ttlOf(day) },
    {
      condition: { kind: 'absent_or_at_most', attribute: 'used', value: quotaMicroUsd - microUsd },
      onConditionFailed: 'quota_exceeded',
      add: { used: microUsd },
    },
  );
}

/**
 * Each write adds the difference again, so write it only in a transaction with a condition that holds only once.
 * @param differenceMicroUsd the amount that the calls have cost, less the amount that was reserved for them
 * @param day the day of the reservation
 */
export const settleModelCost = (store: Store, differenceMicroUsd: number, day: string): Write<never> =>
  costs
    .at(store)
    .update(
      costId(day),
      { ttl: ttlOf(day) },
      { condition: { kind: 'any' }, add: { used: differenceMicroUsd } },
    );

/** @returns the amount that is spent or reserved today */
export async function getModelCost(store: Store, nowMs: number): Promise<number> {
  // A function that reads the quotas may use BatchGetItem already, but not GetItem.
  const [cost] = await costs.at(store).getMany([costId(modelCostDay(nowMs))]);
  return cost?.used ?? 0;
}
