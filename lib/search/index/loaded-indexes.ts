/**
 * The indexes that this process has in memory. A version never changes, and every request reads which version it needs, so
 * none of them can be stale.
 */

import type { SearchIndex } from './common/search-index.ts';

type LoadedIndex = { index: SearchIndex; sizeBytes: number };

/** The limit of all indexes together, as stored in UTF-8. In memory they take about two and a half times as much. */
const maxSizeBytes = 48_000_000;

/** The indexes by key, the least recently used first. */
const cache = new Map<string, Promise<LoadedIndex | undefined>>();

/**
 * @param key names tenant, project, version and build
 * @param load reads the index; undefined if there is no index
 * @returns the index. Concurrent requests share one `load`
 */
export async function loadOnce(
  key: string,
  load: () => Promise<LoadedIndex | undefined>,
): Promise<SearchIndex | undefined> {
  const entry = cache.get(key) ?? load();
  cache.delete(key);
  cache.set(key, entry);
  try {
    const result = await entry;
    if (!result) cache.delete(key);
    else await makeRoom();
    return result?.index;
  } catch (error) {
    cache.delete(key);
    throw error;
  }
}

/** Removes the least recently used indexes until the rest fits. The most recent one always stays. */
async function makeRoom(): Promise<void> {
  const sizes = await Promise.all(
    [...cache].map(async ([key, entry]) => ({ key, bytes: await sizeOf(entry) })),
  );
  for (const key of leastRecent(sizes, maxSizeBytes)) cache.delete(key);
}

const sizeOf = (entry: Promise<LoadedIndex | undefined>): Promise<number> =>
  entry.then(
    (result) => result?.sizeBytes ?? 0,
    () => 0,
  );

/**
 * @param entries the least recently used first
 * @returns the keys to remove, so that the rest has at most `maxBytes`. The most recent entry always stays
 */
export function leastRecent(entries: readonly { key: string; bytes: number }[], maxBytes: number): string[] {
  let total = entries.reduce((sum, { bytes }) => sum + bytes, 0);
  const keys: string[] = [];
  for (const { key, bytes } of entries.slice(0, -1)) {
    if (total <= maxBytes) break;
    keys.push(key);
    total -= bytes;
  }
  return keys;
}
