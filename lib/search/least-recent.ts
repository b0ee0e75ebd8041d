/** Which entries of a cache in memory give way. */

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
