/**
 * When a key or an identity ends, the organisation keeps a key that can create keys. An identity does not count as such a key,
 * because its issuer belongs to somebody else. But an identity may be above such a key.
 */

import { credentialIn } from '../base/caller.ts';
import { holds } from '../base/scopes.ts';
import type { WorkerInput, Write } from '../workers/worker.ts';
import { checkCredential, endOf, oldestFirst, type StoredCredential } from './store/credentials.ts';

type Store = WorkerInput['store'];

/** The number of keys that are read, from the oldest on. */
const maxRead = 1000;
const keysAtOnce = 25;
/** At most so many keys above a key that stays are checked. */
const maxChecked = 10;

const isCreator = (key: StoredCredential, nowMs: number) =>
  !key.id.startsWith('wid_') && endOf(key, nowMs) === 'active' && holds(key.scopes, 'api-keys:write');

/**
 * Finds the keys that stay when a key ends. Pure.
 * @param keys from the oldest to the newest, so a key comes before those that it created
 * @param withChildren whether the keys below it end too
 * @returns the first key that stays and can create keys, and whether such a key before it ends
 */
export function creatorAfter(
  keys: readonly StoredCredential[],
  key: Pick<StoredCredential, 'id'>,
  withChildren: boolean,
  nowMs: number,
): { creator: StoredCredential | undefined; endsCreator: boolean } {
  const ending = new Set([key.id]);
  const families = new Set(withChildren ? [key.id] : []);
  let endsCreator = false;
  for (const other of keys) {
    // A worker is about to end the keys below a key with such a request.
    if (other.childrenRevocation?.finishedAt === null) families.add(other.id);
    const creator = credentialIn(other.createdBy);
    if (families.has(creator)) families.add(other.id);
    if (withChildren && ending.has(creator)) ending.add(other.id);
    if (!isCreator(other, nowMs)) continue;
    if (ending.has(other.id)) endsCreator = true;
    else if (!families.has(other.id)) return { creator: other, endsCreator };
  }
  return { creator: undefined, endsCreator };
}

/** @returns the key, its creator, and so on, as far as they are among these keys */
export function chainOf(key: StoredCredential, keys: readonly StoredCredential[]): StoredCredential[] {
  const keysById = new Map(keys.map((item) => [item.id, item]));
  const chain: StoredCredential[] = [];
  for (
    let next: StoredCredential | undefined = key;
    next && chain.length <= maxChecked;
    next = keysById.get(credentialIn(next.createdBy))
  )
    chain.push(next);
  return chain;
}

/**
 * Finds another key that can create keys, and checks that this other key stays unchanged while the key ends. The keys above the
 * other key must stay unchanged too, because a revocation of such a key with its children would end the other key. So
 * simultaneous requests cannot end the last two such keys. The number of keys that are read is limited; one of the unread keys
 * is assumed to be such a key.
 * @param withChildren whether the keys below it end too
 * @returns the checks to commit with the end of the key; undefined if no key would be left that can create keys
 */
export async function requireOtherCreator(
  store: Store,
  key: StoredCredential,
  withChildren: boolean,
  nowMs: number,
): Promise<Write<never>[] | undefined> {
  if (!withChildren && !isCreator(key, nowMs)) return [];
  const keys: StoredCredential[] = [];
  for await (const item of oldestFirst(store, '', keysAtOnce)) {
    keys.push(item);
    if (keys.length % keysAtOnce > 0 && keys.length < maxRead) continue;
    const checks = checksOf(keys);
    if (checks) return checks;
    if (keys.length >= maxRead) return [];
  }
  const checks = checksOf(keys);
  if (checks) return checks;
  return creatorAfter(keys, key, withChildren, nowMs).endsCreator ? undefined : [];

  function checksOf(readKeys: readonly StoredCredential[]): Write<never>[] | undefined {
    const { creator } = creatorAfter(readKeys, key, withChildren, nowMs);
    // A check of the key itself would conflict with its write.
    return (
      creator &&
      chainOf(creator, readKeys)
        .filter(({ id }) => id !== key.id)
        .map((other) => checkCredential(store, other))
    );
  }
}
