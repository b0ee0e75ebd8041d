/** API keys, in the partition of their tenant. Revoked and expired keys are returned for 30 days. */

import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type Caller, type Tenant, withinProjects } from '../base/caller.ts';
import { idRangeOf, lastIdAt, timeOfId } from '../base/ids.ts';
import type { KeyLimit, RateLimit } from '../base/rate-limit.ts';
import type { Scope } from '../base/scopes.ts';
import { dayMs, hourMs, timestamp, ttlSeconds } from '../base/time.ts';
import { type Stored, tenantCollection, type Unstored, unchanged } from '../dynamodb/collection.ts';
import { load } from '../dynamodb/load.ts';
import type { Session } from '../dynamodb/session.ts';
import type { Page, Store } from '../dynamodb/store.ts';
import { sendUpdate } from '../dynamodb/update.ts';
import type { Write } from '../dynamodb/write.ts';
import { inheritedLimits } from './limits.ts';
import type { ApiKey } from './schema.ts';

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

/** A key that is not stored yet, or is written as a whole. */
export type UnstoredApiKey = Unstored<StoredApiKey>;

export const apiKeys = tenantCollection<StoredApiKey>('apiKeys');

/** The key in the path, if the caller may see it. */
export const apiKeyInPath = load({
  from: [apiKeys],
  read: (get, { key_id }: { key_id: string }) => get(apiKeys, key_id),
  find: (key, { caller, nowMs }: { caller: Caller; nowMs: number }) =>
    key && !isGone(key, nowMs) && withinProjects(caller, key.projectIds) ? key : undefined,
});

/** The key of the request; undefined for an access token. */
export const callingApiKey = load({
  from: [apiKeys],
  read: async (get, _: unknown, callingKeyId) =>
    callingKeyId === undefined ? undefined : get(apiKeys, callingKeyId),
});

/** @returns whether the key is active, and if not, why */
export function apiKeyStatus(key: Pick<ApiKey, 'revokedAt' | 'expiresAt'>, nowMs: number): ApiKey['status'] {
  if (key.revokedAt !== null) return 'revoked';
  return key.expiresAt !== null && Date.parse(key.expiresAt) <= nowMs ? 'expired' : 'active';
}

/** @returns the previous secret, unless it has ended */
export const validPrevious = ({ previousSecret }: Pick<StoredApiKey, 'previousSecret'>, nowMs: number) =>
  previousSecret && Date.parse(previousSecret.expiresAt) > nowMs ? previousSecret : undefined;

/** @returns epoch milliseconds; null for never */
export const expiryMs = ({ expiresAt }: Pick<ApiKey, 'expiresAt'>): number | null =>
  expiresAt === null ? null : Date.parse(expiresAt);

const endMs = (key: Pick<ApiKey, 'revokedAt' | 'expiresAt'>) => {
  const ends = [key.revokedAt, key.expiresAt].filter((end) => end !== null).map((end) => Date.parse(end));
  return ends.length === 0 ? null : Math.min(...ends);
};

const ttlOf = (key: Pick<ApiKey, 'revokedAt' | 'expiresAt'>) => {
  const end = endMs(key);
  return end === null ? {} : { ttl: ttlSeconds(end + keptAfterEndMs) };
};

/** The item is kept for longer than it is returned. */
const isGone = (key: Pick<ApiKey, 'revokedAt' | 'expiresAt'>, nowMs: number) =>
  (endMs(key) ?? Number.POSITIVE_INFINITY) + shownAfterEndMs <= nowMs;

export async function getApiKey(store: Store, id: string, nowMs: number): Promise<StoredApiKey | undefined> {
  const key = await apiKeys.at(store).get(id);
  return key && !isGone(key, nowMs) ? key : undefined;
}

export type ApiKeyList = {
  createdBy: string | undefined;
  status: ApiKey['status'] | undefined;
  expiresBeforeMs: number | undefined;
  after: string | undefined;
  limit: number;
};

export async function listApiKeys(
  store: Store,
  caller: Caller,
  { createdBy, status, expiresBeforeMs, after, limit }: ApiKeyList,
  nowMs: number,
): Promise<Page<StoredApiKey>> {
  const filter = (key: StoredApiKey) => {
    if (isGone(key, nowMs) || !withinProjects(caller, key.projectIds)) return false;
    if (createdBy !== undefined && key.createdBy !== createdBy) return false;
    if (expiresBeforeMs !== undefined && (expiryMs(key) ?? Number.POSITIVE_INFINITY) >= expiresBeforeMs)
      return false;
    return status === undefined || apiKeyStatus(key, nowMs) === status;
  };
  const { first: from, last: to } = idRangeOf('apiKey');
  const page = await apiKeys.at(store).page({ from, to, after, limit, filter });
  return { ...page, next: visiblePosition(page) };
}

/**
 * The position for the cursor. If the caller may not see the last key that was read, the position has the key's time, but not
 * its id. The next page then reads the other keys of that millisecond again. The earlier pages have not returned these keys.
 */
function visiblePosition({ items, next }: Page<StoredApiKey>): string | null {
  const last = items.at(-1)?.id;
  if (next === null || next === last) return next;
  const madeMs = timeOfId(next);
  return last !== undefined && timeOfId(last) === madeMs ? last : lastIdAt('apiKey', madeMs);
}

/**
 * A check that the caller's key is unchanged since the start of the request. So a key that was revoked, or that lost a scope,
 * cannot grant anything in a request that has already started. An access token has no item and is never revoked; a key that it
 * creates expires no later than the token.
 */
export function requireCaller(store: Store, { id, changedIn }: Caller): Write<'service_unavailable'>[] {
  if (changedIn === null) return [];
  const condition = unchanged({ changedIn });
  return [apiKeys.at(store).check(id, { condition, onConditionFailed: 'service_unavailable' })];
}

/** Succeeds only while the key is as it was read. Writes nothing. */
export const checkApiKey = (store: Store, key: Pick<StoredApiKey, 'id' | 'changedIn'>): Write<never> =>
  apiKeys.at(store).check(key.id, { condition: unchanged(key) });

/** Revokes a key permanently. Concurrent changes do not prevent this. */
export function revokeApiKey(store: Store, key: StoredApiKey, revokedAt: string): Write<never> {
  const attributes = { revokedAt, ...ttlOf({ ...key, revokedAt }) };
  return apiKeys.at(store).update(key.id, attributes, {
    condition: { kind: 'null', attribute: 'revokedAt' },
  });
}

/** Revokes a key permanently, and requests the revocation of the keys that it created, and of theirs. */
export function revokeWithChildren(
  store: Store,
  key: StoredApiKey,
  revokedAt: string,
  childrenRevocation: ChildrenRevocation,
): Write<never> {
  const attributes = { revokedAt, ...ttlOf({ ...key, revokedAt }), childrenRevocation };
  return apiKeys.at(store).update(key.id, attributes, { condition: unchanged(key) });
}

export type ChildrenRevocation = NonNullable<StoredApiKey['childrenRevocation']>;

/** Notes how far the revocation of the children is. It is no change of the key for which callers would retry. */
export const noteChildrenRevocation = (
  store: Store,
  key: StoredApiKey,
  childrenRevocation: ChildrenRevocation,
): Write<never> => apiKeys.at(store).update(key.id, { childrenRevocation }, { condition: unchanged(key) });

export const createApiKey = (store: Store, key: UnstoredApiKey): Write<never> =>
  apiKeys.at(store).put({ ...key, ...ttlOf(key) });

/** The new secret of a key, and the old secret, which may stay valid for a while. */
export type Rotation = Pick<StoredApiKey, 'secretHash' | 'hint' | 'previousSecret'> & { rotatedAt: string };

/** Replaces the secret, if the key is unchanged since it was read. */
export const rotateApiKey = (store: Store, key: StoredApiKey, rotation: Rotation): Write<never> =>
  apiKeys.at(store).update(key.id, rotation, {
    condition: unchanged(key),
    ...(!rotation.previousSecret && { drop: ['previousSecret'] }),
  });

export type ApiKeyChange = Partial<Pick<StoredApiKey, 'name' | 'scopes' | 'expiresAt'>>;
/** The optional attributes of a key. Null removes an attribute, undefined does not change it. */
export type Restrictions = {
  allowedCidrs: string[] | null | undefined;
  rateLimit: RateLimit | null | undefined;
};

/** Changes some fields, if the key is unchanged since it was read. */
export function changeApiKey(
  store: Store,
  key: StoredApiKey,
  change: ApiKeyChange,
  restrictions: Restrictions,
): Write<never> {
  const { allowedCidrs, rateLimit } = restrictions;
  const names = ['allowedCidrs', 'rateLimit'] as const;
  return apiKeys.at(store).update(
    key.id,
    {
      ...change,
      ...(allowedCidrs && { allowedCidrs }),
      ...(rateLimit && { rateLimit }),
      ...(rateLimit && key.limitedBy && { limitedBy: inheritedLimits(key.limitedBy, rateLimit) }),
      ...(change.expiresAt !== undefined && ttlOf({ ...key, ...change })),
    },
    { condition: unchanged(key), drop: names.filter((name) => restrictions[name] === null) },
  );
}

/**
 * Sets the limits that a key inherits from the keys above it, if the key is unchanged since it was read. This does not count as
 * a change of the key.
 */
export const setInheritedLimits = (
  store: Store,
  key: Pick<StoredApiKey, 'id' | 'changedIn'>,
  limitedBy: readonly KeyLimit[],
): Write<never> =>
  limitedBy.length > 0
    ? apiKeys.at(store).update(key.id, { limitedBy }, { condition: unchanged(key) })
    : apiKeys.at(store).update(key.id, {}, { condition: unchanged(key), drop: ['limitedBy'] });

const noteEveryMs = hourMs;

/** Whether the last recorded use is old enough. */
export const isUseDue = ({ lastUsedAt }: Pick<ApiKey, 'lastUsedAt'>, nowMs: number) =>
  lastUsedAt === null || Date.parse(lastUsedAt) <= nowMs - noteEveryMs;

/** Records the use, unless another request already did. Using a key does not change it, so this adds no stamp. */
export async function noteUse(
  session: Session,
  tenant: Tenant,
  id: string,
  { nowMs, sourceAddress }: { nowMs: number; sourceAddress: string | undefined },
): Promise<void> {
  try {
    await sendUpdate(session, 'apiKeys', {
      Key: { tenant, id },
      UpdateExpression: `SET lastUsedAt = :now ${sourceAddress === undefined ? 'REMOVE lastUsedFrom' : ', lastUsedFrom = :from'}`,
      // Timestamps of this form sort as text. NULL has another type.
      ConditionExpression:
        'attribute_exists(id) AND (lastUsedAt <= :due OR attribute_type(lastUsedAt, :null))',
      ExpressionAttributeValues: {
        ':now': timestamp(nowMs),
        ...(sourceAddress !== undefined && { ':from': sourceAddress }),
        ':due': timestamp(nowMs - noteEveryMs),
        ':null': 'NULL',
      },
    });
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}

/** @returns the names of those credentials that are keys, by id */
export async function getKeyNames(store: Store, ids: readonly string[]): Promise<Map<string, string>> {
  const keyIds = [...new Set(ids)].filter((id) => id.startsWith('key_'));
  const found = keyIds.length > 0 ? await apiKeys.at(store).getMany(keyIds) : [];
  return new Map(found.map(({ id, name }) => [id, name]));
}
