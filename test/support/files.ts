/** Files in memory. */

import type { Files } from '../../lib/files.ts';

export function memoryFiles() {
  const stored = new Map<string, Uint8Array>();
  const files: Files = {
    async put(key, bytes, signal) {
      signal?.throwIfAborted();
      stored.set(key, bytes);
    },
    remove: async (key) => void stored.delete(key),
    link: async (key, seconds) => `memory:${key}?seconds=${seconds}`,
  };
  return { files, stored };
}
