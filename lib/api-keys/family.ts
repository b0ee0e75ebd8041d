/**
 * The family of a key or an identity is the keys and identities that it has created, those that they have created, and so on.
 * "Key" stands for both here.
 */

import { credentialIn } from '../base/caller.ts';
import { timeOfId } from '../base/ids.ts';
import { minuteMs } from '../base/time.ts';
import type { WorkerInput } from '../workers/worker.ts';
import { oldestFirst, type StoredCredential } from './store/credentials.ts';

/** The part of a key that is kept in memory. An organisation may have many keys. */
export type Member = Pick<StoredCredential, 'id' | 'createdBy' | 'changedIn' | 'rateLimit' | 'limitedBy'>;

const pageSize = 100;
/** Ids contain the time of the function that created them, and the clocks of two functions differ a little. */
const clockSkewMs = 5 * minuteMs;

const earliestMs = (key: string) => timeOfId(key) - clockSkewMs;

/** @returns the family in the order of its generations, without the key itself */
export async function familyOf(key: string, { store }: Pick<WorkerInput, 'store'>): Promise<Member[]> {
  const members: Member[] = [];
  for await (const item of oldestFirst(store, earliestMs(key), pageSize)) {
    const { id, createdBy, changedIn, rateLimit, limitedBy } = item;
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

/** The number of keys that are read to show a family. */
const maxRead = 1000;

/** @returns the members of the family among the first 1000 keys that were created after the key */
export async function getFamily(
  key: string,
  { store }: Pick<WorkerInput, 'store'>,
): Promise<StoredCredential[]> {
  const items: StoredCredential[] = [];
  for await (const item of oldestFirst(store, earliestMs(key), maxRead)) {
    items.push(item);
    if (items.length === maxRead) break;
  }
  return familyAmong(key, items);
}

/** @returns the members of the family among these keys, in the order of their generations */
function familyAmong<Key extends Pick<StoredCredential, 'id' | 'createdBy'>>(
  key: string,
  keys: readonly Key[],
): Key[] {
  const createdBy = Map.groupBy(keys, (item) => credentialIn(item.createdBy));
  const family = [...(createdBy.get(key) ?? [])];
  // The loop also visits the keys that it adds. A key has one creator, so it is added once.
  for (const { id } of family) family.push(...(createdBy.get(id) ?? []));
  return family;
}
