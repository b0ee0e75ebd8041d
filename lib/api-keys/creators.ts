/** Whether an organisation keeps a key that can create keys when another key ends. */

import { idRangeOf } from '../base/ids.ts';
import { pagesOf } from '../base/pages.ts';
import { holds } from '../base/scopes.ts';
import type { WorkerInput, Write } from '../workers/worker.ts';
import { apiKeyStatus, apiKeys, checkApiKey, type StoredApiKey } from './store.ts';

type Store = WorkerInput['store'];

/** How many keys are read, from the oldest on. */
const maxRead = 1000;
const keysAtOnce = 25;
/** The creator, its creator and so on, of a key that stays: more are not checked. */
const maxChecked = 10;

const isCreator = (key: StoredApiKey, nowMs: number) =>
  apiKeyStatus(key, nowMs) === 'active' && holds(key.scopes, 'api-keys:write');

/**
 * Finds the keys that stay when a key ends. Pure.
 * @param keys from the oldest to the newest, so a key comes before those that it created
 * @param withChildren whether the keys below it end too
 * @returns the first key that stays and can create keys, and whether such a key before it ends
 */
export function creatorAfter(
  keys: readonly StoredApiKey[],
  key: Pick<StoredApiKey, 'id'>,
  withChildren: boolean,
  nowMs: number,
): { creator: StoredApiKey | undefined; endsCreator: boolean } {
  const ending = new Set([key.id]);
  const families = new Set(withChildren ? [key.id] : []);
  let endsCreator = false;
  for (const one of keys) {
    // A worker is about to end the keys below a key with such a request.
    if (one.childrenRevocation?.finishedAt === null) families.add(one.id);
    if (families.has(one.createdBy)) families.add(one.id);
    if (withChildren && ending.has(one.createdBy)) ending.add(one.id);
    if (!isCreator(one, nowMs)) continue;
    if (ending.has(one.id)) endsCreator = true;
    else if (!families.has(one.id)) return { creator: one, endsCreator };
  }
  return { creator: undefined, endsCreator };
}

/** @returns the key, its creator, and so on, as far as they are among these keys */
export function chainOf(key: StoredApiKey, keys: readonly StoredApiKey[]): StoredApiKey[] {
  const known = new Map(keys.map((one) => [one.id, one]));
  const chain: StoredApiKey[] = [];
  for (
    let one: StoredApiKey | undefined = key;
    one && chain.length <= maxChecked;
    one = known.get(one.createdBy)
  )
    chain.push(one);
  return chain;
}

/**
 * Finds another key that can create keys, and checks that this other key stays unchanged while the key ends. The keys above the
 * other key must stay unchanged too, because a revocation of such a key with its children would end the other key. So
 * simultaneous requests cannot end the last two such keys. It reads a limited number of keys, and assumes that one of the
 * unread keys is such a key.
 * @param withChildren whether the keys below it end too
 * @returns the checks to commit with the end of the key; undefined if no key would be left that can create keys
 */
export async function requireOtherCreator(
  store: Store,
  key: StoredApiKey,
  withChildren: boolean,
  nowMs: number,
): Promise<Write<never>[] | undefined> {
  if (!withChildren && !isCreator(key, nowMs)) return [];
  const keys: StoredApiKey[] = [];
  for await (const page of pagesOf((after) => pageOldest(store, after))) {
    keys.push(...page);
    const { creator } = creatorAfter(keys, key, withChildren, nowMs);
    // The key itself is written.
    if (creator)
      return chainOf(creator, keys)
        .filter(({ id }) => id !== key.id)
        .map((one) => checkApiKey(store, one));
    if (keys.length >= maxRead) return [];
  }
  return creatorAfter(keys, key, withChildren, nowMs).endsCreator ? undefined : [];
}

function pageOldest(store: Store, after: string | undefined) {
  const { first: from, last: to } = idRangeOf('apiKey');
  return apiKeys.at(store).page({ from, to, order: 'oldest', after, limit: keysAtOnce });
}
