/** The keys that a key has created, and the keys that those have created. */

import { firstIdAt, idRangeOf, timeOfId } from '../base/ids.ts';
import { pagesOf } from '../base/pages.ts';
import { minuteMs } from '../base/time.ts';
import type { WorkerInput } from '../workers/worker.ts';
import { apiKeys, type StoredApiKey } from './store.ts';

/** The part of a key that is kept in memory. An organisation may have many keys. */
export type Member = Pick<StoredApiKey, 'id' | 'createdBy' | 'changedIn' | 'rateLimit' | 'limitedBy'>;

const pageSize = 100;
/** Ids have the time of the function that made them, and the clocks of two functions differ a little. */
const clockSkewMs = 5 * minuteMs;

const rangeAfter = (key: string) => ({
  from: firstIdAt('apiKey', timeOfId(key) - clockSkewMs),
  to: idRangeOf('apiKey').last,
});

/** @returns them in the order of their generations, without the key itself */
export async function familyOf(key: string, { store }: Pick<WorkerInput, 'store'>): Promise<Member[]> {
  const members: Member[] = [];
  const own = apiKeys.at(store);
  for await (const items of pagesOf((after) =>
    own.page({ ...rangeAfter(key), order: 'oldest', after, limit: pageSize }),
  )) {
    for (const { id, createdBy, changedIn, rateLimit, limitedBy } of items)
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
export async function getFamily(key: string, { store }: Pick<WorkerInput, 'store'>): Promise<StoredApiKey[]> {
  const { items } = await apiKeys.at(store).page({ ...rangeAfter(key), order: 'oldest', limit: maxRead });
  return familyAmong(key, items);
}

/** @returns those of these keys that the key has created, and that those have created, in the order of their generations */
function familyAmong<Key extends Pick<StoredApiKey, 'id' | 'createdBy'>>(
  key: string,
  keys: readonly Key[],
): Key[] {
  const createdBy = Map.groupBy(keys, (one) => one.createdBy);
  const family = [...(createdBy.get(key) ?? [])];
  // The loop also visits the keys that it adds. A key has one creator, so it is added once.
  for (const { id } of family) family.push(...(createdBy.get(id) ?? []));
  return family;
}
