/**
 * Workload identities are in the partition of their tenant, beside the API keys. So every function may read them, and a worker
 * that ends or limits keys does the same with identities. Deleted and expired identities are returned for 30 days.
 */

import type { Caller } from '../../base/caller.ts';
import { type Stored, tenantCollection, unchanged } from '../../dynamodb/collection.ts';
import { load } from '../../dynamodb/load.ts';
import { chanceOf, freeAt, numbered, pick } from '../../dynamodb/places.ts';
import type { Store } from '../../dynamodb/store.ts';
import type { Write } from '../../dynamodb/write.ts';
import { type Restrictions, restrictionUpdate } from '../restrictions.ts';
import { endOf, isGone, isVisible, ttlOf } from '../store/credentials.ts';
import type { StoredIdentity, UnstoredIdentity } from './store/stored.ts';

/** A tenant has at most so many identities that have not ended. */
export const maxIdentities = 100;

export const identities = tenantCollection<StoredIdentity>('apiKeys');

/** The identity in the path, if the caller may see it. */
export const workloadIdentityInPath = load({
  from: [identities],
  read: (get, { identity_id }: { identity_id: string }) => get(identities, identity_id),
  find: (identity, call: { caller: Caller; nowMs: number }) =>
    identity && isVisible(identity, call) ? identity : undefined,
});

export type IdentityStatus = 'active' | 'suspended' | 'expired' | 'deleted';

/** @returns whether its tokens are accepted, and if not, why */
export function identityStatus(
  identity: Pick<StoredIdentity, 'status' | 'revokedAt' | 'expiresAt'>,
  nowMs: number,
): IdentityStatus {
  const end = endOf(identity, nowMs);
  if (end === 'active') return identity.status;
  return end === 'revoked' ? 'deleted' : 'expired';
}

/** @returns the identity, by a strongly consistent read; undefined if it is not returned any more */
export async function getIdentity(
  store: Store,
  id: string,
  nowMs: number,
): Promise<StoredIdentity | undefined> {
  const identity = await identities.at(store).get(id);
  return identity && !isGone(identity, nowMs) ? identity : undefined;
}

/** The places of a tenant. Each place names the last identity that took it, and is free when this identity has ended. */
type StoredPlace = Stored<{ id: string; identityId: string }>;
const places = tenantCollection<StoredPlace>('apiKeys', () => ['places']);

/** @returns the write that takes a place. It fails if another request was faster. Undefined if all places are taken */
export async function takePlace(store: Store, id: string, nowMs: number): Promise<Write<never> | undefined> {
  const { items } = await places.at(store).page({ limit: maxIdentities });
  const ids = [...new Set(items.map(({ identityId }) => identityId))];
  const holders = await identities.at(store).getMany(ids);
  const activeIds = new Set(
    holders.filter((holder) => endOf(holder, nowMs) === 'active').map((holder) => holder.id),
  );
  const placesById = new Map(items.map((place) => [place.id, place]));
  const isFree = (place: string) => !activeIds.has(placesById.get(place)?.identityId ?? '');
  const free = pick(numbered(maxIdentities).filter(isFree), chanceOf(id));
  if (free === undefined) return undefined;
  const { condition } = freeAt(free, placesById.get(free));
  const write: Write<never> = places.at(store).put({ id: free, identityId: id }, { condition });
  return write;
}

export const createIdentity = (store: Store, identity: UnstoredIdentity): Write<never> =>
  identities.at(store).put({ ...identity, ...ttlOf(identity) });

/** A change with `jwks` removes the keys of the issuer. */
export type IdentityChange = Partial<
  Pick<
    StoredIdentity,
    | 'name'
    | 'issuer'
    | 'subject'
    | 'claims'
    | 'scopes'
    | 'expiresAt'
    | 'status'
    | 'jwks'
    | 'jwksUri'
    | 'issuerKeys'
  >
> & { updatedAt: string };

export function changeIdentity(
  store: Store,
  identity: StoredIdentity,
  change: IdentityChange,
  restrictions: Restrictions,
): Write<never> {
  const { set, drop } = restrictionUpdate(identity, restrictions);
  const ttl = change.expiresAt === undefined ? {} : ttlOf({ ...identity, ...change });
  return identities.at(store).update(
    identity.id,
    { ...change, ...set, ...ttl },
    {
      condition: unchanged(identity),
      drop: [...drop, ...(change.jwks ? (['jwksUri', 'issuerKeys'] as const) : [])],
    },
  );
}
