/** API keys, in their tenant's partition. Revoked and expired ones are shown for 30 days. */

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
/** A table can be restored to a second of the last 35 days: it must not bring back a key whose revocation has gone. */
const keptAfterEndMs = 90 * dayMs;

/** A key as it is stored: without its status, which depends on the time, and with the hash of its secret. */
export type StoredApiKey = Stored<Omit<ApiKey, 'status'> & { secretHash: string; ttl?: number }>;

export const apiKeys = tenantCollection<StoredApiKey>('apiKeys');

/** The key in the path, unless the caller may not see it. */
export const apiKeyInPath = load({
  from: [apiKeys],
  read: (get, { key_id }: { key_id: string }) => get(apiKeys, key_id),
  find: (key, { caller, nowMs }: { caller: Caller; nowMs: number }) =>
    key && !isGone(key, nowMs) && withinProjects(caller, key.projectIds) ? key : undefined,
});

/** The key that the request is sent with. An access token is none. */
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

/** @returns what a new key is stored as */
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

/** @returns whether the key works, and if not, what ended it */
export function apiKeyStatus(key: Pick<ApiKey, 'revokedAt' | 'expiresAt'>, nowMs: number): ApiKey['status'] {
  if (key.revokedAt !== null) return 'revoked';
  return key.expiresAt !== null && Date.parse(key.expiresAt) <= nowMs ? 'expired' : 'active';
}

/** @returns the key as the API shows it; the response's schema drops what is only stored */
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

/** The item is kept for longer than it is shown. */
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
 * Where the list goes on. The last key that was read may be one that the caller may not see: then the position names its
 * time and not its id. What else was made in that millisecond is read again, and none of it was shown.
 */
function visiblePosition({ items, next }: Page<StoredApiKey>): string | null {
  const last = items.at(-1)?.id;
  if (next === null || next === last) return next;
  const madeMs = timeOfId(next);
  return last !== undefined && timeOfId(last) === madeMs ? last : lastIdAt('apiKey', madeMs);
}

/**
 * Holds while the caller's key is as it was when the request began. What a key grants must not outlive its right to: not
 * when it is revoked or loses a scope while its request is on the way. An access token has no record and is never revoked:
 * what it grants ends with it at the latest, as nobody can grant a longer life than their own.
 */
export function requireCaller(store: Store, { id, changedIn }: Caller): Write<'service_unavailable'>[] {
  if (changedIn === null) return [];
  const condition = unchanged({ changedIn });
  return [apiKeys.at(store).check(id, { condition, onConditionFailed: 'service_unavailable' })];
}

/** Ends a key for good. Whatever else changes it at the same time does not hold this up. */
export function revokeApiKey(store: Store, key: StoredApiKey, revokedAt: string): Write<never> {
  const attributes = { revokedAt, ...ttlOf({ ...key, revokedAt }) };
  return apiKeys.at(store).update(key.id, attributes, {
    condition: { kind: 'null', attribute: 'revokedAt' },
  });
}

export const createApiKey = (store: Store, key: Unstored<StoredApiKey>): Write<never> =>
  apiKeys.at(store).put({ ...key, ...ttlOf(key) });

/** Changes some fields, unless somebody else has changed the key since it was read. */
export const changeApiKey = (
  store: Store,
  key: StoredApiKey,
  changes: Partial<Pick<StoredApiKey, 'name' | 'scopes'>>,
): Write<never> => apiKeys.at(store).update(key.id, changes, { condition: unchanged(key) });

const noteEveryMs = hourMs;

/** Whether the last use that was noted is long enough ago. */
export const isUseDue = ({ lastUsedAt }: Pick<ApiKey, 'lastUsedAt'>, nowMs: number) =>
  lastUsedAt === null || Date.parse(lastUsedAt) <= nowMs - noteEveryMs;

/** Notes the use, unless another request has. No stamp: using a key does not change it. */
export async function noteUse(session: Session, tenant: Tenant, id: string, nowMs: number): Promise<void> {
  const command = new UpdateCommand({
    TableName: session.tableName('apiKeys'),
    Key: { tenant, id },
    UpdateExpression: 'SET lastUsedAt = :now',
    // Two timestamps of this form compare as text the way they compare as times. NULL is of another type.
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
