/** The form of a workload identity in responses. Pure. */

import { showOptional } from '../key.ts';
import { audienceOf } from './audience.ts';
import type { UnstoredIdentity } from './store/stored.ts';
import { identityStatus } from './store.ts';

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
