/** API keys are in the partition of their tenant. Revoked and expired keys are returned for 30 days. */

import type { Caller } from '../base/caller.ts';
import { type Stored, tenantCollection, type Unstored, unchanged } from '../dynamodb/collection.ts';
import { load } from '../dynamodb/load.ts';
import type { Store } from '../dynamodb/store.ts';
import type { Write } from '../dynamodb/write.ts';
import { type Restrictions, restrictionUpdate } from './restrictions.ts';
import type { ApiKey } from './schema.ts';
import { type Credential, isGone, isVisible, ttlOf } from './store/credentials.ts';

/** A stored key has the hash of its secret. It has no status, which depends on the time. */
export type StoredApiKey = Stored<
  Credential &
    Pick<ApiKey, 'mode' | 'hint'> & {
      secretHash: string;
      /** The secret from before the last rotation. It may have expired. */
      previousSecret?: { hash: string; expiresAt: string };
      /** The last rotation. A restore may not bring a secret back that has ended. */
      rotatedAt?: string;
    }
>;

export type UnstoredApiKey = Unstored<StoredApiKey>;

export const apiKeys = tenantCollection<StoredApiKey>('apiKeys');

/** The key in the path, if the caller may see it. */
export const apiKeyInPath = load({
  from: [apiKeys],
  read: (get, { key_id }: { key_id: string }) => get(apiKeys, key_id),
  find: (key, call: { caller: Caller; nowMs: number }) => (key && isVisible(key, call) ? key : undefined),
});

/** The key of the request. It is undefined for an access token. */
export const callingApiKey = load({
  from: [apiKeys],
  read: async (get, _: unknown, callingKeyId) =>
    callingKeyId === undefined ? undefined : get(apiKeys, callingKeyId),
});

/** @returns the previous secret, unless it has ended */
export const validPrevious = ({ previousSecret }: Pick<StoredApiKey, 'previousSecret'>, nowMs: number) =>
  previousSecret && Date.parse(previousSecret.expiresAt) > nowMs ? previousSecret : undefined;

export async function getApiKey(store: Store, id: string, nowMs: number): Promise<StoredApiKey | undefined> {
  const key = await apiKeys.at(store).get(id);
  return key && !isGone(key, nowMs) ? key : undefined;
}

export const createApiKey = (store: Store, key: UnstoredApiKey): Write<never> =>
  apiKeys.at(store).put({ ...key, ...ttlOf(key) });

/** The new secret of a key, and the old secret, which may stay valid for a while. */
export type Rotation = Pick<StoredApiKey, 'secretHash' | 'hint' | 'previousSecret'> & { rotatedAt: string };

export const rotateApiKey = (store: Store, key: StoredApiKey, rotation: Rotation): Write<never> =>
  apiKeys.at(store).update(key.id, rotation, {
    condition: unchanged(key),
    ...(!rotation.previousSecret && { drop: ['previousSecret'] }),
  });

export type ApiKeyChange = Partial<Pick<StoredApiKey, 'name' | 'scopes' | 'expiresAt'>>;

export function changeApiKey(
  store: Store,
  key: StoredApiKey,
  change: ApiKeyChange,
  restrictions: Restrictions,
): Write<never> {
  const { set, drop } = restrictionUpdate(key, restrictions);
  const ttl = change.expiresAt === undefined ? {} : ttlOf({ ...key, ...change });
  return apiKeys.at(store).update(key.id, { ...change, ...set, ...ttl }, { condition: unchanged(key), drop });
}
