/**
 * The amounts that a tenant has stored today have one item for each day (UTC) and quota. The transaction that stores data also
 * counts it, so a request counts once, or has no effect. Without a quota, nothing is counted.
 */

import { ApiError } from '../../base/errors.ts';
import { type DailyQuota, dailyQuotas, type Quotas } from '../../base/stage-limits.ts';
import { dayMs, secondMs, timestamp, ttlSeconds } from '../../base/time.ts';
import { type Stored, tenantCollection } from '../../dynamodb/collection.ts';
import type { Store } from '../../dynamodb/store.ts';
import type { Write } from '../../dynamodb/write.ts';

type StoredUsage = Stored<{ id: string; used: number; ttl: number }>;

const usages = tenantCollection<StoredUsage>('limits', () => ['usage']);

export type Uses = Readonly<Partial<Record<DailyQuota, number>>>;

export const addUses = (amounts: readonly Uses[]): Uses =>
  Object.fromEntries(
    dailyQuotas.map((quota) => [quota, amounts.reduce((sum, uses) => sum + (uses[quota] ?? 0), 0)]),
  );

/** @returns the start of the next day (UTC), in epoch milliseconds */
export const resetMs = (nowMs: number): number => nowMs - (nowMs % dayMs) + dayMs;

const usageId = (quota: DailyQuota, nowMs: number): string => `${timestamp(nowMs).slice(0, 10)}#${quota}`;

/**
 * @returns the writes that count the amounts of a request
 * @throws ApiError quota_exceeded if the request alone exceeds a quota
 */
export const countUses = (
  store: Store,
  quotas: Quotas,
  uses: Uses,
  nowMs: number,
): Write<'quota_exceeded'>[] =>
  dailyQuotas.flatMap((quota) => {
    const [limit, used = 0] = [quotas[quota], uses[quota]];
    if (limit === undefined || used === 0) return [];
    const error = exceeded(quota, limit, nowMs);
    if (used > limit) throw error;
    const write = usages.at(store).update(
      usageId(quota, nowMs),
      { ttl: ttlSeconds(resetMs(nowMs)) },
      {
        condition: { kind: 'absent_or_at_most', attribute: 'used', value: limit - used },
        onConditionFailed: 'quota_exceeded',
        add: { used },
      },
    );
    return [{ ...write, error }];
  });

function exceeded(quota: DailyQuota, limit: number, nowMs: number): ApiError {
  const endMs = resetMs(nowMs);
  const message =
    `The request would exceed the quota of ${limit} ${quota} per day (quotas.${quota}). Nothing of the request is ` +
    `stored. The quota resets at ${timestamp(endMs)}.`;
  return new ApiError('quota_exceeded', message, {
    retryAfterSeconds: Math.ceil((endMs - nowMs) / secondMs),
  });
}

/** @returns the amounts that the tenant has stored today, by its quotas */
export async function getUses(store: Store, quotas: Quotas, nowMs: number): Promise<Uses> {
  const limitedQuotas = dailyQuotas.filter((quota) => quotas[quota] !== undefined);
  if (limitedQuotas.length === 0) return {};
  const items = await usages.at(store).getMany(limitedQuotas.map((quota) => usageId(quota, nowMs)));
  const usedIn = (quota: DailyQuota) => items.find(({ id }) => id === usageId(quota, nowMs))?.used ?? 0;
  return Object.fromEntries(limitedQuotas.map((quota) => [quota, usedIn(quota)]));
}

/** @returns the first quota that these amounts would exceed, for a worker */
export async function exceededQuota(
  store: Store,
  quotas: Quotas,
  uses: Uses,
  nowMs: number,
): Promise<DailyQuota | undefined> {
  const used = await getUses(store, quotas, nowMs);
  return dailyQuotas.find((quota) => {
    const [limit, before = 0, added = 0] = [quotas[quota], used[quota], uses[quota]];
    return limit !== undefined && added > 0 && before + added > limit;
  });
}
