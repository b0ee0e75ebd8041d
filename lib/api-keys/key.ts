/** A new or changed API key, its permissions, and its form in responses. Pure. */

import type { Caller, Mode } from '../base/caller.ts';
import type { KeyLimit, RateLimit } from '../base/rate-limit.ts';
import type { Scope } from '../base/scopes.ts';
import { timestamp } from '../base/time.ts';
import type { Grant } from './grants.ts';
import { inheritedLimits } from './limits.ts';
import {
  type ApiKeyChange,
  apiKeyStatus,
  expiryMs,
  type Restrictions,
  type StoredApiKey,
  type UnstoredApiKey,
  validPrevious,
} from './store.ts';

type NewApiKey = {
  id: string;
  name: string;
  scopes: Scope[];
  projectIds: string[] | null;
  allowedCidrs: readonly string[] | null;
  rateLimit: RateLimit | null;
  limitedBy: readonly KeyLimit[];
  mode: Mode;
  hint: string;
  secretHash: string;
  createdBy: string;
  createdAtMs: number;
  expiresAtMs: number | null;
};

/** @returns the item of a new key */
export const newApiKey = (key: NewApiKey): UnstoredApiKey => ({
  id: key.id,
  name: key.name,
  scopes: key.scopes,
  projectIds: key.projectIds,
  ...(key.allowedCidrs && { allowedCidrs: [...key.allowedCidrs] }),
  ...(key.rateLimit && { rateLimit: key.rateLimit }),
  ...(key.limitedBy.length > 0 && { limitedBy: key.limitedBy }),
  mode: key.mode,
  hint: key.hint,
  secretHash: key.secretHash,
  createdBy: key.createdBy,
  createdAt: timestamp(key.createdAtMs),
  expiresAt: key.expiresAtMs === null ? null : timestamp(key.expiresAtMs),
  revokedAt: null,
  lastUsedAt: null,
});

/** @returns the key for a response; the response schema drops the other attributes */
export const showApiKey = <Key extends UnstoredApiKey>(key: Key, nowMs: number) => ({
  ...key,
  status: apiKeyStatus(key, nowMs),
  previousSecretExpiresAt: validPrevious(key, nowMs)?.expiresAt ?? null,
  lastUsedFrom: key.lastUsedFrom ?? null,
  allowedCidrs: key.allowedCidrs ?? null,
  rateLimit: key.rateLimit ?? null,
  childrenRevocation: key.childrenRevocation ? { webhookIds: [], ...key.childrenRevocation } : null,
});

/** Whether the caller used the current secret of its own key. The previous one can neither rotate nor change the key. */
export const usesCurrentSecret = ({ secretHash }: Caller, key: StoredApiKey): boolean =>
  secretHash === key.secretHash;

/** @returns the permissions of the key */
export const grantOf = (key: StoredApiKey): Grant => ({
  scopes: key.scopes,
  projectIds: key.projectIds,
  allowedCidrs: key.allowedCidrs ?? null,
  rateLimit: key.rateLimit ?? null,
  limitedBy: key.limitedBy ?? [],
  expiresAtMs: expiryMs(key),
});

/** @returns the key after the change */
export function changedKey(
  key: StoredApiKey,
  change: ApiKeyChange,
  { allowedCidrs = key.allowedCidrs ?? null, rateLimit = key.rateLimit ?? null }: Restrictions,
): StoredApiKey {
  const { allowedCidrs: _, rateLimit: __, limitedBy, ...rest } = key;
  return {
    ...rest,
    ...change,
    ...(allowedCidrs && { allowedCidrs }),
    ...(rateLimit && { rateLimit }),
    ...(limitedBy && { limitedBy: inheritedLimits(limitedBy, rateLimit) }),
  };
}
