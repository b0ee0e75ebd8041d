/**
 * The keys and identities that a key or an identity has created, and those that they have created. "Key" stands for both here.
 */

import { credentialIn } from '../base/caller.ts';
import { timeOfId } from '../base/ids.ts';
import { minuteMs } from '../base/time.ts';
import type { WorkerInput } from '../workers/worker.ts';
import { oldestFirst, type StoredCredential } from './store/credentials.ts';

/** The part of a key that is kept in memory. An organisation may have many keys. */
export type Member = Pick<StoredCredential, 'id' | 'createdBy' | 'changedIn' | 'rateLimit' | 'limitedBy'>;

const pageSize = 100;
/** Ids have the time of the function that made them, and the clocks of two functions differ a little. */
const clockSkewMs = 5 * minuteMs;

const earliestMs = (key: string) => timeOfId(key) - clockSkewMs;

/** @returns them in the order of their generations, without the key itself */
export async function familyOf(key: string, { store }: Pick<WorkerInput, 'store'>): Promise<Member[]> {
  const members: Member[] = [];
  for await (const one of oldestFirst(store, earliestMs(key), pageSize)) {
    const { id, createdBy, changedIn, rateLimit, limitedBy } = one;
    members.push({
      id,
      createdBy,
      changedIn,
      ...(rateLimit && { rateLimit }),
      ...(limitedBy && { limitedBy }),
    });
  }
  return familyAmong(key, members);
}

/** The number of keys that a look at a family reads. */
const maxRead = 1000;

/** @returns those of the 1000 keys that were created after the key */
export async function getFamily(
  key: string,
  { store }: Pick<WorkerInput, 'store'>,
): Promise<StoredCredential[]> {
  const found: StoredCredential[] = [];
  for await (const one of oldestFirst(store, earliestMs(key), maxRead)) {
    found.push(one);
    if (found.length === maxRead) break;
  }
  return familyAmong(key, found);
}

/** @returns those of these keys that the key has created, and that those have created, in the order of their generations */
function familyAmong<Key extends Pick<StoredCredential, 'id' | 'createdBy'>>(
  key: string,
  keys: readonly Key[],
): Key[] {
  const createdBy = Map.groupBy(keys, (one) => credentialIn(one.createdBy));
  const family = [...(createdBy.get(key) ?? [])];
  // The loop also visits the keys that it adds. A key has one creator, so it is added once.
  for (const { id } of family) family.push(...(createdBy.get(id) ?? []));
  return family;
}
