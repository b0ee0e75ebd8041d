/** How far the work of a worker on a key and the keys below it is. "Key" also stands for a workload identity here. */

import { credentialIn } from '../../base/caller.ts';
import { type Stored, tenantCollection, type Unstored, unchanged } from '../../dynamodb/collection.ts';
import type { Store } from '../../dynamodb/store.ts';
import type { Write } from '../../dynamodb/write.ts';
import {
  type ChildrenRevocation,
  credentials,
  isCredentialId,
  oldestFirst,
  type StoredCredential,
  ulidOf,
} from './credentials.ts';

export type Work = 'limits' | 'children';

/** The result of a pass so far. */
export type Sum = Pick<ChildrenRevocation, 'revoked' | 'skipped' | 'webhookIds'>;

/** Its id is that of the key whose change is the reason for the work. */
type StoredPosition = Stored<{
  id: string;
  /** What the passes are for. Other work begins again. */
  version: string;
  pass: number;
  /** The ULID of the next key. */
  from: string;
  /** Whether this pass has changed a key, or is about to. */
  hasChanged: boolean;
  sum: Sum;
  ttl: number;
}>;

export const positions = tenantCollection<StoredPosition, [work: Work]>('apiKeys', (work) => [
  'passes',
  work,
]);

/** Fails if another run has stored a position since this one was read. */
export const putPosition = (
  store: Store,
  kind: Work,
  position: Unstored<StoredPosition>,
  stored: StoredPosition | undefined,
): Write<never> =>
  positions.at(store, kind).put(position, { condition: stored ? unchanged(stored) : { kind: 'absent' } });

/** The keys below a key that a pass has found. A page of keys has their descendants, but seldom all of their creators. */
const families = tenantCollection<Stored<{ id: string; ttl: number }>, [key: string]>('apiKeys', (key) => [
  'families',
  key,
]);

/** @returns the key itself and those of the ids that are known to be below it */
export async function knownBelow(store: Store, key: string, ids: readonly string[]): Promise<Set<string>> {
  const unique = [...new Set(ids.filter(isCredentialId))];
  return new Set([key, ...(await families.at(store, key).getMany(unique)).map(({ id }) => id)]);
}

export const noteBelow = (store: Store, key: string, id: string, ttl: number) =>
  families.at(store, key).put({ id, ttl }, { condition: { kind: 'any' } });

/** @returns the creators of the keys, as far as they are stored */
export const creatorsOf = (
  store: Store,
  keys: readonly Pick<StoredCredential, 'createdBy'>[],
): Promise<StoredCredential[]> => {
  const ids = keys.map(({ createdBy }) => credentialIn(createdBy)).filter(isCredentialId);
  return credentials.at(store).getMany([...new Set(ids)]);
};

const pageSize = 100;

/** @returns the next keys in the order of their creation, and the ULID of the key after them */
export async function pageFrom(
  store: Store,
  from: string,
): Promise<{ keys: StoredCredential[]; next: string | null }> {
  const keys: StoredCredential[] = [];
  for await (const key of oldestFirst(store, from, pageSize + 1)) {
    if (keys.length === pageSize) return { keys, next: ulidOf(key) };
    keys.push(key);
  }
  return { keys, next: null };
}
