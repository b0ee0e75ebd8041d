/**
 * The family of a key or an identity is the keys and identities that it has created, those that they have created, and so on.
 * "Key" stands for both here.
 */

import { credentialIn } from '../base/caller.ts';
import { firstIdAt, timeOfId } from '../base/ids.ts';
import { minuteMs } from '../base/time.ts';
import type { WorkerInput } from '../workers/worker.ts';
import { oldestFirst, type StoredCredential, ulidOf } from './store/credentials.ts';

/** Ids contain the time of the function that created them, and the clocks of two functions differ a little. */
const clockSkewMs = 5 * minuteMs;

/** @returns the lowest ULID that a key below this key can have */
export const earliestBelow = (key: string): string =>
  ulidOf({ id: firstIdAt('apiKey', timeOfId(key) - clockSkewMs) });

/** The number of keys that are read to show a family. */
const maxRead = 1000;

/** @returns the members of the family among the first 1000 keys that were created after the key, in the order of their generations */
export async function getFamily(
  key: string,
  { store }: Pick<WorkerInput, 'store'>,
): Promise<StoredCredential[]> {
  const items: StoredCredential[] = [];
  for await (const item of oldestFirst(store, earliestBelow(key), maxRead)) {
    items.push(item);
    if (items.length === maxRead) break;
  }
  const createdBy = Map.groupBy(items, (item) => credentialIn(item.createdBy));
  const family = [...(createdBy.get(key) ?? [])];
  // The loop also visits the keys that it adds. A key has one creator, so it is added once.
  for (const { id } of family) family.push(...(createdBy.get(id) ?? []));
  return family;
}
