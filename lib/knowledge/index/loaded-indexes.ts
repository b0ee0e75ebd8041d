/**
 * The indexes that this process has loaded. A version never changes, so keeping one cannot be wrong: which version is
 * asked for is read anew by every request.
 */

import type { SearchIndex } from './search-index.ts';

type Loaded = { index: SearchIndex; size: number };

/** Bytes of the indexes as they are kept, all together: some two and a half times as many in memory. */
const maxSize = 48_000_000;

const loaded = new Map<string, Promise<Loaded | undefined>>();

/**
 * @param key names tenant, project, version and build
 * @param load reads the index; undefined where there is none
 * @returns the index, read once for any number of requests
 */
export async function indexOf(
  key: string,
  load: () => Promise<Loaded | undefined>,
): Promise<SearchIndex | undefined> {
  const entry = loaded.get(key) ?? load();
  // As the most recent, which is the last to go.
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

/** Lets the least recent go, until the rest fits; the most recent stays in any case. */
async function makeRoom(): Promise<void> {
  const sizes = await Promise.all(
    [...loaded].map(async ([key, entry]) => ({ key, size: await sizeOf(entry) })),
  );
  let total = sizes.reduce((sum, { size }) => sum + size, 0);
  for (const { key, size } of sizes.slice(0, -1)) {
    if (total <= maxSize) return;
    loaded.delete(key);
    total -= size;
  }
}

const sizeOf = (entry: Promise<Loaded | undefined>): Promise<number> =>
  entry.then(
    (found) => found?.size ?? 0,
    () => 0,
  );
