/**
 * Leases of requests that wait. A function that waits is occupied, so a caller may hold only some at once, and a tenant
 * only some more. A lease is two items with the same expiry, one of the tenant's places and one of the caller's, taken by one
 * transaction: there are so many places, so there cannot be more leases, whoever races. A function that dies gives nothing
 * back; its lease expires.
 */

import type { Partition, Store } from '../dynamodb/store.ts';
import type { Write } from '../dynamodb/write.ts';
import { maxWaitsPerCaller, maxWaitsPerTenant } from './limits.ts';

const waits: Partition = ['waits'];

/** The ids of its two items. */
export type Lease = { tenantPlace: string; callerPlace: string };

/** No credential's id begins like this. */
const tenantPlace = (n: number) => `tenant#${String(n).padStart(2, '0')}`;
const callerPlace = (callerId: string, n: number) => `${callerId}#${n}`;

const numbersBelow = (count: number) => Array.from({ length: count }, (_, n) => n);

/**
 * @param chance a number from 0 to below 1; those that choose at the same time should choose different places
 * @returns places that nobody holds, or undefined where the tenant or the caller has none left
 */
export async function findLease(
  store: Store,
  callerId: string,
  nowMs: number,
  chance: number,
): Promise<Lease | undefined> {
  const { items } = await store.page('idempotency', {
    partition: waits,
    from: tenantPlace(0),
    to: tenantPlace(maxWaitsPerTenant - 1),
    order: 'oldest',
    after: undefined,
    limit: maxWaitsPerTenant,
    filter: ({ ttl }) => (ttl as number) > nowSeconds(nowMs),
  });
  const taken = new Set(items.flatMap(({ id, callerPlace }) => [id, callerPlace]));
  const choose = (places: string[]) => {
    const free = places.filter((place) => !taken.has(place));
    return free[Math.floor(chance * free.length)];
  };
  const ofTenant = choose(numbersBelow(maxWaitsPerTenant).map(tenantPlace));
  const ofCaller = choose(numbersBelow(maxWaitsPerCaller).map((n) => callerPlace(callerId, n)));
  return ofTenant && ofCaller ? { tenantPlace: ofTenant, callerPlace: ofCaller } : undefined;
}

/** Takes both places, unless somebody has taken one since they were read. */
export function takeLease(
  store: Store,
  { tenantPlace, callerPlace }: Lease,
  { nowMs, untilSeconds }: { nowMs: number; untilSeconds: number },
): Write<never>[] {
  const options = {
    partition: waits,
    condition: { kind: 'absent_or_expired', nowSeconds: nowSeconds(nowMs) } as const,
  };
  return [
    store.put('idempotency', { id: tenantPlace, callerPlace, ttl: untilSeconds }, options),
    store.put('idempotency', { id: callerPlace, ttl: untilSeconds }, options),
  ];
}

/**
 * Gives the places back, each by a write of its own. One that expired and was taken by somebody else stays.
 * @param callId the call that took them
 */
export function returnLease(
  store: Store,
  { tenantPlace, callerPlace }: Lease,
  callId: string,
): Write<never>[] {
  const condition = { kind: 'unchanged', changedIn: callId } as const;
  return [tenantPlace, callerPlace].map((id) =>
    store.remove('idempotency', id, { partition: waits, condition }),
  );
}

const nowSeconds = (nowMs: number) => Math.floor(nowMs / 1000);
