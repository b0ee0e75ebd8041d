/** API keys, in the partition of their tenant. Revoked and expired keys are returned for 30 days. */

import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { type Caller, type Mode, type Tenant, withinProjects } from '../caller.ts';
import { type Stored, tenantCollection, type Unstored, unchanged } from '../dynamodb/collection.ts';
import { load } from '../dynamodb/load.ts';
import type { Session } from '../dynamodb/session.ts';
import type { Page, Store } from '../dynamodb/store.ts';
import type { Write } from '../dynamodb/write.ts';
import { idRangeOf, lastIdAt, timeOfId } from '../ids.ts';
import type { Scope } from '../scopes.ts';
import { dayMs, hourMs, timestamp, ttlSeconds } from '../time.ts';
import type { ApiKey } from './schema.ts';

const shownAfterEndMs = 30 * dayMs;
/**
 * A table can be restored to any second of the last 35 days. Revoked keys are kept for longer, so that a
 * restore cannot bring a key back without its revocation.
 */
const keptAfterEndMs = 90 * dayMs;

/** A stored key: without its status, which depends on the time, and with the hash of its secret. */
export type StoredApiKey = Stored<Omit<ApiKey, 'status'> & { secretHash: string; ttl?: number }>;

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

export type NewApiKey = {
  id: string;
  name: string;
  scopes: Scope[];
  projectIds: string[] | null;
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
});

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
  status: ApiKey['status'] | undefined;
  after: string | undefined;
  limit: number;
};

export async function listApiKeys(
  store: Store,
  caller: Caller,
  { status, after, limit }: ApiKeyList,
  nowMs: number,
): Promise<Page<StoredApiKey>> {
  const filter = (key: StoredApiKey) => {
    if (isGone(key, nowMs) || !withinProjects(caller, key.projectIds)) return false;
    return status === undefined || apiKeyStatus(key, nowMs) === status;
  };
  const { first: from, last: to } = idRangeOf('apiKey');
  const page = await apiKeys.at(store).page({ from, to, after, limit, filter });
  return { ...page, next: visiblePosition(page) };
}

/**
 * The position for the cursor. If the caller may not see the last key that was read, the position has the key's time,
 * but not its id. The next page then reads the other keys of that millisecond again. None of them was returned before.
 */
function visiblePosition({ items, next }: Page<StoredApiKey>): string | null {
  const last = items.at(-1)?.id;
  if (next === null || next === last) return next;
  const madeMs = timeOfId(next);
  return last !== undefined && timeOfId(last) === madeMs ? last : lastIdAt('apiKey', madeMs);
}

/**
 * A check that the caller's key is unchanged since the start of the request. So a key that was revoked, or that
 * lost a scope, cannot grant anything in a request that has already started. An access token has no item and is
 * never revoked; what it grants expires no later than the token.
 */
export function requireCaller(store: Store, { id, changedIn }: Caller): Write<'service_unavailable'>[] {
  if (changedIn === null) return [];
  const condition = unchanged({ changedIn });
  return [apiKeys.at(store).check(id, { condition, onConditionFailed: 'service_unavailable' })];
}

/** Revokes a key permanently. Concurrent changes do not prevent this. */
export function revokeApiKey(store: Store, key: StoredApiKey, revokedAt: string): Write<never> {
  const attributes = { revokedAt, ...ttlOf({ ...key, revokedAt }) };
  return apiKeys.at(store).update(key.id, attributes, {
    condition: { kind: 'null', attribute: 'revokedAt' },
  });
}

export const createApiKey = (store: Store, key: Unstored<StoredApiKey>): Write<never> =>
  apiKeys.at(store).put({ ...key, ...ttlOf(key) });

/** Changes some fields, if the key is unchanged since it was read. */
export const changeApiKey = (
  store: Store,
  key: StoredApiKey,
  changes: Partial<Pick<StoredApiKey, 'name' | 'scopes'>>,
): Write<never> => apiKeys.at(store).update(key.id, changes, { condition: unchanged(key) });

const noteEveryMs = hourMs;

/** Whether the last recorded use is old enough. */
export const isUseDue = ({ lastUsedAt }: Pick<ApiKey, 'lastUsedAt'>, nowMs: number) =>
  lastUsedAt === null || Date.parse(lastUsedAt) <= nowMs - noteEveryMs;

/** Records the use, unless another request already did. Using a key does not change it, so this adds no stamp. */
export async function noteUse(session: Session, tenant: Tenant, id: string, nowMs: number): Promise<void> {
  const command = new UpdateCommand({
    TableName: session.tableName('apiKeys'),
    Key: { tenant, id },
    UpdateExpression: 'SET lastUsedAt = :now',
    // Timestamps of this form sort as text. NULL has another type.
    ConditionExpression: 'attribute_exists(id) AND (lastUsedAt <= :due OR attribute_type(lastUsedAt, :null))',
    ExpressionAttributeValues: {
      ':now': timestamp(nowMs),
      ':due': timestamp(nowMs - noteEveryMs),
      ':null': 'NULL',
    },
    ReturnConsumedCapacity: 'TOTAL',
  });
  try {
    await session.run([['apiKeys', 'UpdateItem']], (client) => client.send(command));
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}
