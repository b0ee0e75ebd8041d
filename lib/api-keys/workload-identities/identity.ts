/** The form of a workload identity in responses and after a change. Pure. */

import { showOptional } from '../key.ts';
import { type Restrictions, restrictionsAfter } from '../restrictions.ts';
import { audienceOf } from './audience.ts';
import type { StoredIdentity, UnstoredIdentity } from './store/stored.ts';
import { type IdentityChange, identityStatus } from './store.ts';

/** @returns the identity for a response; the response schema drops the other attributes */
export const showIdentity = <Identity extends UnstoredIdentity & { tenant: string }>(
  identity: Identity,
  nowMs: number,
) => ({
  ...identity,
  ...showOptional(identity),
  audience: audienceOf(identity),
  status: identityStatus(identity, nowMs),
  deletedAt: identity.revokedAt,
  claims: { ...identity.claims },
});

export function changedIdentity(
  identity: StoredIdentity,
  change: IdentityChange,
  restrictions: Restrictions,
): StoredIdentity {
  const { allowedCidrs: _, rateLimit: __, limitedBy: ___, ...rest } = identity;
  return { ...rest, ...change, ...restrictionsAfter(identity, restrictions) };
}
