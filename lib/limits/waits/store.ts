/**
 * A waiting request has a lease, because it occupies a function, so the number of leases per credential and per tenant is
 * limited. A lease is two items with the same expiry: a place of the tenant and a place of the caller. One transaction takes
 * both. There are only so many places, so races cannot exceed the limits. If a function dies, its lease expires.
 */

import { ApiError } from '../../base/errors.ts';
import { nowSeconds } from '../../base/time.ts';
import { type Stored, tenantCollection, unchanged } from '../../dynamodb/collection.ts';
import { numbered, pick } from '../../dynamodb/places.ts';
import type { Store } from '../../dynamodb/store.ts';
import type { Write } from '../../dynamodb/write.ts';
import { maxWaitsPerCaller, maxWaitsPerTenant } from '../../schema/query.ts';

type StoredPlace = Stored<{ id: string; ttl: number }>;

/** Each place names the other place of its lease. */
const tenantPlaces = tenantCollection<StoredPlace & { callerPlace: string }>('idempotency', () => ['waits']);
const callerPlaces = tenantCollection<StoredPlace>('idempotency', () => ['waits']);

/** The ids of the two items of a lease. */
export type Lease = { tenantPlace: string; callerPlace: string };

/** No id of a credential starts with `tenant#`. */
const tenantIds = (count: number) => numbered(count, 'tenant#');
const callerIds = (callerId: string) => numbered(maxWaitsPerCaller, `${callerId}#`, 1);

/** @returns the places of the tenant that are taken */
export async function getWaits(
  store: Store,
  nowMs: number,
): Promise<(StoredPlace & { callerPlace: string })[]> {
  const { items } = await tenantPlaces.at(store).page({
    from: 'tenant#',
    to: 'tenant#~',
    order: 'oldest',
    limit: maxWaitsPerTenant,
    filter: ({ ttl }) => ttl > nowSeconds(nowMs),
  });
  return items;
}

/**
 * @param chance a number from 0 to below 1, so that concurrent requests choose different places
 * @param quota the quota of the tenant, if it has one
 * @returns free places, or undefined if the tenant or the caller has no free place
 * @throws ApiError quota_exceeded if the quota of the tenant is used up
 */
export async function findLease(
  store: Store,
  callerId: string,
  { nowMs, chance, quota }: { nowMs: number; chance: number; quota: number | undefined },
): Promise<Lease | undefined> {
  const items = await getWaits(store, nowMs);
  if (quota !== undefined && items.length >= quota) throw exceeded(quota);
  const takenPlaces = new Set(items.flatMap(({ id, callerPlace }) => [id, callerPlace]));
  const choose = (ids: string[]) =>
    pick(
      ids.filter((id) => !takenPlaces.has(id)),
      chance,
    );
  const tenantPlace = choose(tenantIds(quota ?? maxWaitsPerTenant));
  const callerPlace = choose(callerIds(callerId));
  return tenantPlace && callerPlace ? { tenantPlace, callerPlace } : undefined;
}

const exceeded = (quota: number) =>
  new ApiError(
    'quota_exceeded',
    `The quota of ${quota} requests that wait at the same time (quotas.waits) is used up. Send the request again later, or ` +
      'without waitSeconds.',
    { retryAfterSeconds: 2 },
  );

/** Takes both places, unless a place was taken since they were read. */
export function takeLease(
  store: Store,
  { tenantPlace, callerPlace }: Lease,
  { nowMs, untilSeconds }: { nowMs: number; untilSeconds: number },
): Write<never>[] {
  const condition = { kind: 'absent_or_expired', nowSeconds: nowSeconds(nowMs) } as const;
  return [
    tenantPlaces.at(store).put({ id: tenantPlace, callerPlace, ttl: untilSeconds }, { condition }),
    callerPlaces.at(store).put({ id: callerPlace, ttl: untilSeconds }, { condition }),
  ];
}

/**
 * Returns the places with separate writes. An expired place that another request has taken is not changed.
 * @param callId the call that took the places
 */
export function returnLease(
  store: Store,
  { tenantPlace, callerPlace }: Lease,
  callId: string,
): Write<never>[] {
  const condition = unchanged({ changedIn: callId });
  return [
    tenantPlaces.at(store).remove(tenantPlace, { condition }),
    callerPlaces.at(store).remove(callerPlace, { condition }),
  ];
}
