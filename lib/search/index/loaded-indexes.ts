/**
 * The indexes that this process has in memory. A version never changes, and every request reads which version it needs, so
 * none of them can be stale.
 */

import { leastRecent } from '../least-recent.ts';
import type { SearchIndex } from './common/search-index.ts';

type Loaded = { index: SearchIndex; sizeBytes: number };

/** Of all indexes together, as stored in UTF-8. In memory they take about two and a half times as much. */
const maxSizeBytes = 48_000_000;

/** The least recently used first. */
const loaded = new Map<string, Promise<Loaded | undefined>>();

/**
 * @param key names tenant, project, version and build
 * @param load reads the index; undefined if there is no index
 * @returns the index. Concurrent requests share one `load`
 */
export async function loadOnce(
  key: string,
  load: () => Promise<Loaded | undefined>,
): Promise<SearchIndex | undefined> {
  const entry = loaded.get(key) ?? load();
  loaded.delete(key);
  loaded.set(key, entry);
  try {
    const found = await entry;
    if (!found) loaded.delete(key);
    else await makeRoom();
    return found?.index;
  } catch (error) {
    loaded.delete(key);
    throw error;
  }
}

/** Removes the least recently used indexes until the rest fits. The most recent one always stays. */
async function makeRoom(): Promise<void> {
  const sizes = await Promise.all(
    [...loaded].map(async ([key, entry]) => ({ key, bytes: await sizeOf(entry) })),
  );
  for (const key of leastRecent(sizes, maxSizeBytes)) loaded.delete(key);
}

const sizeOf = (entry: Promise<Loaded | undefined>): Promise<number> =>
  entry.then(
    (found) => found?.sizeBytes ?? 0,
    () => 0,
  );
