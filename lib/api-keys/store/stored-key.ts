/** An API key as it is stored, and everything that follows from its attributes. Pure. */

import type { Caller, Mode } from '../../base/caller.ts';
import type { KeyLimit, RateLimit } from '../../base/rate-limit.ts';
import type { Scope } from '../../base/scopes.ts';
import { dayMs, hourMs, timestamp, ttlSeconds } from '../../base/time.ts';
import type { Stored, Unstored } from '../../dynamodb/collection.ts';
import type { Grant } from '../grants.ts';
import { inheritedLimits } from '../limits.ts';
import type { ApiKey } from '../schema.ts';

export const shownAfterEndMs = 30 * dayMs;
/**
 * A table can be restored to any second of the last 35 days. Revoked keys are kept for longer, so that a
 * restore cannot bring a key back without its revocation.
 */
export const keptAfterEndMs = 90 * dayMs;

/** A stored key: without its status, which depends on the time, and with the hash of its secret. */
export type StoredApiKey = Stored<
  Omit<
    ApiKey,
    | 'status'
    | 'allowedCidrs'
    | 'rateLimit'
    | 'childrenRevocation'
    | 'previousSecretExpiresAt'
    | 'lastUsedFrom'
  > & {
    secretHash: string;
    /** The secret from before the last rotation. It may have expired. */
    previousSecret?: { hash: string; expiresAt: string };
    /** The last rotation. A restore may not bring a secret back that has ended. */
    rotatedAt?: string;
    lastUsedFrom?: string;
    /** Without it, everywhere. */
    allowedCidrs?: string[];
    /** Without it, any number of requests. */
    rateLimit?: RateLimit;
    /**
     * The limits of the keys above it, the topmost first: see limits.ts. Without this list, there are no such limits, or the
     * key is older than the list. An older key gets the list when a limit above it is set.
     */
    limitedBy?: readonly KeyLimit[];
    /** The request of `children=true`. A worker revokes the keys that this key created, and notes its result here. */
    childrenRevocation?: {
      requestedAt: string;
      /** The scopes and projects of the caller: it may end only keys within them. */
      scopes: readonly Scope[];
      projectIds: readonly string[] | null;
      finishedAt: string | null;
      revoked: number;
      skipped: number;
      /** An earlier version did not store it. */
      webhookIds?: string[];
    };
    ttl?: number;
  }
>;

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
export const newApiKey = (key: NewApiKey): Unstored<StoredApiKey> => ({
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

/** @returns whether the key is active, and if not, why */
export function apiKeyStatus(key: Pick<ApiKey, 'revokedAt' | 'expiresAt'>, nowMs: number): ApiKey['status'] {
  if (key.revokedAt !== null) return 'revoked';
  return key.expiresAt !== null && Date.parse(key.expiresAt) <= nowMs ? 'expired' : 'active';
}

/** @returns the key for a response; the response schema drops the other attributes */
export const showApiKey = <Key extends Unstored<StoredApiKey>>(key: Key, nowMs: number) => ({
  ...key,
  status: apiKeyStatus(key, nowMs),
  previousSecretExpiresAt: validPrevious(key, nowMs)?.expiresAt ?? null,
  lastUsedFrom: key.lastUsedFrom ?? null,
  allowedCidrs: key.allowedCidrs ?? null,
  rateLimit: key.rateLimit ?? null,
  childrenRevocation: key.childrenRevocation ? { webhookIds: [], ...key.childrenRevocation } : null,
});

const validPrevious = ({ previousSecret }: Pick<StoredApiKey, 'previousSecret'>, nowMs: number) =>
  previousSecret && Date.parse(previousSecret.expiresAt) > nowMs ? previousSecret : undefined;

/** A secret of a key, and its end in epoch milliseconds; null for never. */
export type Secret = { hash: string; endMs: number | null };

/**
 * A previous secret ends before its key, if only by a millisecond. So a key that it creates never lives as long as this key,
 * and cannot rotate it.
 * @returns the valid secrets: the current one, and after a rotation the previous one until its end
 */
export function secrets(
  key: Pick<StoredApiKey, 'secretHash' | 'previousSecret' | 'expiresAt'>,
  nowMs: number,
): readonly Secret[] {
  const keyEndMs = expiryMs(key);
  const current = { hash: key.secretHash, endMs: keyEndMs };
  const previous = validPrevious(key, nowMs);
  if (!previous) return [current];
  const endMs = Math.min(Date.parse(previous.expiresAt), (keyEndMs ?? Number.POSITIVE_INFINITY) - 1);
  return [current, { hash: previous.hash, endMs }];
}

/** Whether the caller used the current secret of its own key. The previous one can neither rotate nor change the key. */
export const usesCurrentSecret = ({ secretHash }: Caller, key: StoredApiKey): boolean =>
  secretHash === key.secretHash;

/** @returns epoch milliseconds; null for never */
export const expiryMs = ({ expiresAt }: Pick<ApiKey, 'expiresAt'>): number | null =>
  expiresAt === null ? null : Date.parse(expiresAt);

/** @returns the permissions of the key */
export const grantOf = (key: StoredApiKey): Grant => ({
  scopes: key.scopes,
  projectIds: key.projectIds,
  allowedCidrs: key.allowedCidrs ?? null,
  rateLimit: key.rateLimit ?? null,
  limitedBy: key.limitedBy ?? [],
  expiresAtMs: expiryMs(key),
});

const endMs = (key: Pick<ApiKey, 'revokedAt' | 'expiresAt'>) => {
  const ends = [key.revokedAt, key.expiresAt].filter((end) => end !== null).map((end) => Date.parse(end));
  return ends.length === 0 ? null : Math.min(...ends);
};

export const ttlOf = (key: Pick<ApiKey, 'revokedAt' | 'expiresAt'>) => {
  const end = endMs(key);
  return end === null ? {} : { ttl: ttlSeconds(end + keptAfterEndMs) };
};

/** The item is kept for longer than it is returned. */
export const isGone = (key: Pick<ApiKey, 'revokedAt' | 'expiresAt'>, nowMs: number) =>
  (endMs(key) ?? Number.POSITIVE_INFINITY) + shownAfterEndMs <= nowMs;

export type ApiKeyChange = Partial<Pick<StoredApiKey, 'name' | 'scopes' | 'expiresAt'>>;
/** The optional attributes of a key. Null removes an attribute, undefined does not change it. */
export type Restrictions = {
  allowedCidrs: string[] | null | undefined;
  rateLimit: RateLimit | null | undefined;
};

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

export const noteEveryMs = hourMs;

/** Whether the last recorded use is old enough. */
export const isUseDue = ({ lastUsedAt }: Pick<ApiKey, 'lastUsedAt'>, nowMs: number) =>
  lastUsedAt === null || Date.parse(lastUsedAt) <= nowMs - noteEveryMs;
