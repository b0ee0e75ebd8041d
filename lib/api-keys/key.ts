/** New API keys, their permissions, and their form in responses. Pure. */

import type { Caller, Mode } from '../base/caller.ts';
import { timestamp } from '../base/time.ts';
import type { Grant } from './grants.ts';
import { type Credential, endOf, expiryMs } from './store/credentials.ts';
import { type StoredApiKey, type UnstoredApiKey, validPrevious } from './store.ts';

type NewApiKey = Grant & {
  id: string;
  name: string;
  mode: Mode;
  hint: string;
  secretHash: string;
  createdBy: string;
  createdAtMs: number;
};

export const newApiKey = (key: NewApiKey): UnstoredApiKey => ({
  id: key.id,
  name: key.name,
  ...storedGrant(key),
  mode: key.mode,
  hint: key.hint,
  secretHash: key.secretHash,
  createdBy: key.createdBy,
  createdAt: timestamp(key.createdAtMs),
  revokedAt: null,
  lastUsedAt: null,
});

/** @returns the key for a response; the response schema drops the other attributes */
export const showApiKey = <Key extends UnstoredApiKey>(key: Key, nowMs: number) => ({
  ...key,
  ...showOptional(key),
  status: endOf(key, nowMs),
  previousSecretExpiresAt: validPrevious(key, nowMs)?.expiresAt ?? null,
});

/** @returns the optional attributes of a key or an identity, for a response */
export const showOptional = (
  credential: Pick<
    Credential,
    'environments' | 'lastUsedFrom' | 'allowedCidrs' | 'rateLimit' | 'childrenRevocation'
  >,
) => ({
  environments: credential.environments ?? null,
  lastUsedFrom: credential.lastUsedFrom ?? null,
  allowedCidrs: credential.allowedCidrs ?? null,
  rateLimit: credential.rateLimit ?? null,
  childrenRevocation: credential.childrenRevocation ?? null,
});

/** @returns whether the caller used the current secret of its key. The previous secret can neither rotate nor change the key */
export const usesCurrentSecret = ({ secretHash }: Caller, key: StoredApiKey): boolean =>
  secretHash === key.secretHash;

export const grantOf = (credential: Omit<Credential, 'id'>): Grant => ({
  scopes: credential.scopes,
  projectIds: credential.projectIds,
  environments: credential.environments ?? null,
  allowedCidrs: credential.allowedCidrs ?? null,
  rateLimit: credential.rateLimit ?? null,
  limitedBy: credential.limitedBy ?? [],
  expiresAtMs: expiryMs(credential),
});

/** @returns the fields of a credential that hold these permissions: the opposite of `grantOf` */
export const storedGrant = (grant: Grant) => ({
  scopes: [...grant.scopes],
  projectIds: grant.projectIds && [...grant.projectIds],
  ...(grant.environments && { environments: [...grant.environments] }),
  ...(grant.allowedCidrs && { allowedCidrs: [...grant.allowedCidrs] }),
  ...(grant.rateLimit && { rateLimit: grant.rateLimit }),
  ...(grant.limitedBy.length > 0 && { limitedBy: grant.limitedBy }),
  expiresAt: grant.expiresAtMs === null ? null : timestamp(grant.expiresAtMs),
});
