/**
 * This index of the tenant has, for each credential, the items of projects that act on its behalf. The revocation of the
 * credential finds them there.
 */

import { hash } from 'node:crypto';
import { inBatches, split } from '../base/batches.ts';
import { type Caller, withinProjects } from '../base/caller.ts';
import { type Stored, tenantCollection } from './collection.ts';
import type { Page, ProjectStore, Store } from './store.ts';
import type { TableName } from './tables.ts';
import type { Write } from './write.ts';

export type Set = { id: string; setBy: string };

type Place = { id: string; projectId: string };

export type Setters = {
  put(store: ProjectStore, item: Set): Write<never>;
  /** Write it before the removal of the item, which leads to this entry. */
  remove(store: Store, item: Set): Write<never>;
  /** @returns a page of the items that act on behalf of a credential: their ids and projects */
  page(store: Store, credential: string, after: string | undefined): Promise<Page<Place>>;
};

/** @param table the table of the items */
export function defineSetters(table: TableName): Setters {
  const index = tenantCollection<Stored<Place>, [digest: string]>(table, (digest) => ['setters', digest]);
  // The subject of a token may be longer than a key.
  const of = (store: Store, credential: string) => index.at(store, hash('sha256', credential, 'base64url'));
  const any = { condition: { kind: 'any' } } as const;
  return {
    put: (store, { id, setBy }) => of(store, setBy).put({ id, projectId: store.projectId }, any),
    remove: (store, { id, setBy }) => of(store, setBy).remove(id, any),
    page: (store, credential, after) => of(store, credential).page({ order: 'oldest', limit: 100, after }),
  };
}

/** At most so many items of each credential are counted. */
const maxCounted = 100;
const keysAtOnce = 25;

/**
 * @param keys at most as many as the family of a key has
 * @param read returns the acting items among these items of a project
 * @returns the number of items that act, that the caller may see, and that act on behalf of one of these keys. Only the first
 *   hundred items of each key count
 */
export async function countSetBy(
  setters: Setters,
  store: Store,
  caller: Pick<Caller, 'projectIds'>,
  keys: ReadonlySet<string>,
  read: (store: ProjectStore, ids: readonly string[]) => Promise<readonly Set[]>,
): Promise<number> {
  const pages = await inBatches([...keys], keysAtOnce, async (key) => {
    const { items } = await setters.page(store, key, undefined);
    return items.slice(0, maxCounted).map(({ id, projectId }) => ({ id, projectId, key }));
  });
  const places = pages.flat().filter(({ projectId }) => withinProjects(caller, [projectId]));
  const counts = await inBatches(split(places, maxCounted), keysAtOnce, async (batch) => {
    let count = 0;
    for (const [projectId, projectPlaces] of Map.groupBy(batch, (place) => place.projectId)) {
      const acting = await read(
        store.inProject(projectId),
        projectPlaces.map(({ id }) => id),
      );
      // Another credential may have set the item since.
      count += acting.filter(({ id, setBy }) =>
        projectPlaces.some((place) => place.id === id && place.key === setBy),
      ).length;
    }
    return count;
  });
  return counts.reduce((sum, count) => sum + count, 0);
}
