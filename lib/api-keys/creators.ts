/**
 * Whether an organisation keeps a key that can create keys when another key or an identity ends. An identity does not count as
 * such a key, because its issuer belongs to somebody else. But an identity may be above such a key.
 */

import { credentialIn } from '../base/caller.ts';
import { holds } from '../base/scopes.ts';
import type { WorkerInput, Write } from '../workers/worker.ts';
import { checkCredential, endOf, oldestFirst, type StoredCredential } from './store/credentials.ts';

type Store = WorkerInput['store'];

/** How many keys are read, from the oldest on. */
const maxRead = 1000;
const keysAtOnce = 25;
/** The creator, its creator and so on, of a key that stays: more are not checked. */
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
  for (const one of keys) {
    // A worker is about to end the keys below a key with such a request.
    if (one.childrenRevocation?.finishedAt === null) families.add(one.id);
    const creator = credentialIn(one.createdBy);
    if (families.has(creator)) families.add(one.id);
    if (withChildren && ending.has(creator)) ending.add(one.id);
    if (!isCreator(one, nowMs)) continue;
    if (ending.has(one.id)) endsCreator = true;
    else if (!families.has(one.id)) return { creator: one, endsCreator };
  }
  return { creator: undefined, endsCreator };
}

/** @returns the key, its creator, and so on, as far as they are among these keys */
export function chainOf(key: StoredCredential, keys: readonly StoredCredential[]): StoredCredential[] {
  const known = new Map(keys.map((one) => [one.id, one]));
  const chain: StoredCredential[] = [];
  for (
    let one: StoredCredential | undefined = key;
    one && chain.length <= maxChecked;
    one = known.get(credentialIn(one.createdBy))
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
  key: StoredCredential,
  withChildren: boolean,
  nowMs: number,
): Promise<Write<never>[] | undefined> {
  if (!withChildren && !isCreator(key, nowMs)) return [];
  const keys: StoredCredential[] = [];
  for await (const one of oldestFirst(store, 0, keysAtOnce)) {
    keys.push(one);
    if (keys.length % keysAtOnce > 0 && keys.length < maxRead) continue;
    const checks = checksOf(keys);
    if (checks) return checks;
    if (keys.length >= maxRead) return [];
  }
  const checks = checksOf(keys);
  if (checks) return checks;
  return creatorAfter(keys, key, withChildren, nowMs).endsCreator ? undefined : [];

  function checksOf(read: readonly StoredCredential[]): Write<never>[] | undefined {
    const { creator } = creatorAfter(read, key, withChildren, nowMs);
    // The key itself is written.
    return (
      creator &&
      chainOf(creator, read)
        .filter(({ id }) => id !== key.id)
        .map((other) => checkCredential(store, other))
    );
  }
}
