/** Downloads in memory, of a release with a small file of each kind. */

import { createHash } from 'node:crypto';
import { openDownloads } from '../lib/downloads/downloads.ts';
import { type DownloadKind, downloadKinds, type FileRelease } from '../lib/downloads/releases.ts';
import type { CurrentRelease, DownloadStore } from '../lib/downloads/types.ts';

const fileOf = (kind: DownloadKind, version: string) =>
  ({
    cli: `platform-api-cli-${version}.tgz`,
    typescript: `platform-api-client-${version}.tgz`,
    python: `platform_api-${version.replace('-', '-0')}-py3-none-any.whl`,
  })[kind];

/** Not UTF-8, so that a file that became text is seen. */
const contentOf = (file: string): Uint8Array =>
  Buffer.concat([Buffer.from([0x1f, 0x8b, 0xff, 0x00]), Buffer.from(file)]);

export function releaseOf(version: string): CurrentRelease & { files: FileRelease['files'] } {
  const files = downloadKinds.map((kind) => {
    const file = fileOf(kind, version);
    const content = contentOf(file);
    const sha256 = createHash('sha256').update(content).digest('hex');
    return { file, kind, version, bytes: content.length, sha256 };
  });
  return { files, release: async () => ({ version, files }), read: async (name) => contentOf(name) };
}

/** @returns a store, and what is in it by name */
export function memoryDownloads(): DownloadStore & { stored: Map<string, Uint8Array> } {
  const stored = new Map<string, Uint8Array>();
  const versionOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
  return {
    stored,
    async read(name) {
      const bytes = stored.get(name);
      return bytes && { bytes, version: versionOf(bytes) };
    },
    async write(name, bytes, ifVersion) {
      const before = stored.get(name);
      if ((before && versionOf(before)) !== ifVersion) return false;
      stored.set(name, bytes);
      return true;
    },
    async remove(name) {
      stored.delete(name);
    },
  };
}

export const testDownloads = () => openDownloads(releaseOf('0.1.0-g1bc1bbf'), memoryDownloads());
