/** Files in memory. */

import { hash } from 'node:crypto';
import type { Files } from '../lib/base/files.ts';

export function memoryFiles() {
  const stored = new Map<string, Uint8Array>();
  const files: Files = {
    async put(key, bytes, signal) {
      signal?.throwIfAborted();
      stored.set(key, bytes);
    },
    remove: async (key) => void stored.delete(key),
    async read(key, from, length) {
      const bytes = stored.get(key);
      if (!bytes || from >= bytes.length) return undefined;
      // Like a fast disk, the map knows no times: what is written again is another array.
      const version = `${bytes.length} ${hash('sha256', bytes)}`;
      return { bytes: bytes.subarray(from, from + length), size: bytes.length, version };
    },
    link: async (key, seconds) => `memory:${key}?seconds=${seconds}`,
    uploadLink: async (key, seconds, bytes) => `memory:${key}?seconds=${seconds}&bytes=${bytes}`,
  };
  return { files, stored };
}
