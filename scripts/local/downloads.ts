/** Downloads in a folder: what the bucket is on AWS. */

import { createHash } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { folderRelease, openDownloads } from '../../lib/downloads/downloads.ts';
import type { CurrentRelease, DownloadStore, Downloads } from '../../lib/downloads/types.ts';

/**
 * The downloads of this working tree. The first request builds them.
 * @param folder where the files of earlier commits are kept
 */
export function localDownloads(folder: string): Downloads {
  const build = async () => {
    const { ensureDownloads } = await import('../downloads/build.ts');
    return folderRelease(await ensureDownloads());
  };
  let building: ReturnType<typeof build> | undefined;
  const built = () => {
    building ??= build();
    return building;
  };
  const current = {
    release: async () => (await built()).release(),
    read: async (name: string) => (await built()).read(name),
  };
  const store = folderDownloads(folder);
  return openDownloads(orKept(current, store), store);
}

/** A build of a later commit removes the files of this one, while a server of this commit still runs. */
export const orKept = (current: CurrentRelease, store: DownloadStore): CurrentRelease => ({
  ...current,
  async read(name) {
    try {
      return await current.read(name);
    } catch (error) {
      const kept = codeOf(error) === 'ENOENT' ? await store.read(name) : undefined;
      if (!kept) throw error;
      return kept.bytes;
    }
  },
});

const versionOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;

/** @param folder is created by the first write */
export function folderDownloads(folder: string): DownloadStore {
  const read = async (name: string) => {
    try {
      const bytes = await readFile(join(folder, name));
      return { bytes, version: versionOf(bytes) };
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw error;
    }
  };
  return {
    read,
    async write(name, bytes, ifVersion) {
      await mkdir(folder, { recursive: true });
      const part = join(folder, `${name}.${process.pid}.part`);
      await writeFile(part, bytes);
      if (ifVersion !== undefined) {
        if ((await read(name))?.version === ifVersion) {
          await rename(part, join(folder, name));
          return true;
        }
        await rm(part);
        return false;
      }
      try {
        // A link fails if the name exists.
        await link(part, join(folder, name));
        return true;
      } catch (error) {
        if (codeOf(error) === 'EEXIST') return false;
        throw error;
      } finally {
        await rm(part);
      }
    },
    remove: (name) => rm(join(folder, name), { force: true }),
  };
}
