/** Counts the sources that act on behalf of credentials. */

import { inBatches, split } from '../../../base/batches.ts';
import { type Caller, withinProjects } from '../../../base/caller.ts';
import type { Store } from '../../../dynamodb/store.ts';
import { pageSourcesOf, sources } from './sources.ts';

/** Of each credential. */
const maxCounted = 100;
const keysAtOnce = 25;

/**
 * @param keys at most as many as the family of a key has
 * @returns the number of sources that are not paused, that the caller may see, and that act on behalf of one of these keys. Of each
 *   key, the first hundred sources count
 */
export async function countSourcesOf(
  store: Store,
  caller: Pick<Caller, 'projectIds'>,
  keys: ReadonlySet<string>,
): Promise<number> {
  const found = await inBatches([...keys], keysAtOnce, async (key) => {
    const { items } = await pageSourcesOf(store, key, undefined);
    return items.slice(0, maxCounted).map(({ id, projectId }) => ({ id, projectId, key }));
  });
  const places = found.flat().filter(({ projectId }) => withinProjects(caller, [projectId]));
  const counts = await inBatches(split(places, maxCounted), keysAtOnce, (some) =>
    countRefreshed(store, some),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

type Place = { id: string; projectId: string; key: string };

async function countRefreshed(store: Store, places: readonly Place[]): Promise<number> {
  const byProject = Map.groupBy(places, ({ projectId }) => projectId);
  let count = 0;
  for (const [projectId, own] of byProject) {
    const stored = await sources.at(store.inProject(projectId)).getMany(own.map(({ id }) => id));
    // Another credential may have set it since.
    count += stored.filter(
      ({ id, paused, setBy }) => !paused && own.some((one) => one.id === id && one.key === setBy),
    ).length;
  }
  return count;
}
