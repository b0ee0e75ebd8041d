/**
 * A function that serves downloads has the files of its own release beside its code. Before it shows an address or a file, it
 * stores the files of its release. So each file that anybody has seen is kept, whatever is deployed later.
 */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError } from '../base/errors.ts';
import { type FileRelease, isFirst, type Kept, withRelease } from './releases.ts';
import type { CurrentRelease, DownloadStore, Downloads } from './types.ts';

/** The file that lists the kept releases. */
const indexName = 'releases.json';

/** Functions of two releases may write the list at the same time. */
const maxAttempts = 5;

export function openDownloads(current: CurrentRelease, store: DownloadStore): Downloads {
  let publishing: Promise<void> | undefined;

  /** Stores the files once in the life of the process. After a failure, the next request tries again. */
  function ensurePublished(): Promise<void> {
    publishing ??= publish(current, store).catch((cause: Error) => {
      publishing = undefined;
      throw new ApiError('service_unavailable', undefined, { cause });
    });
    return publishing;
  }

  return {
    async current() {
      await ensurePublished();
      return current.release();
    },
    async list() {
      await ensurePublished();
      const { kept } = await readKept(store);
      return withRelease(kept, await current.release()).kept;
    },
    async read(name) {
      await ensurePublished();
      const { files } = await current.release();
      if (files.some(({ file }) => file === name)) return current.read(name);
      return name === indexName ? undefined : (await store.read(name))?.bytes;
    },
  };
}

/** The files are written before the list, so a process that ends in between leaves no entry without its file. */
async function publish(current: CurrentRelease, store: DownloadStore): Promise<void> {
  const release = await current.release();
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const { kept: before, version } = await readKept(store);
    if (isFirst(before, release)) return;
    for (const { file } of release.files) await store.write(file, await current.read(file), undefined);
    const { kept, dropped } = withRelease(before, release);
    if (!(await store.write(indexName, Buffer.from(JSON.stringify(kept)), version))) continue;
    for (const name of dropped) await store.remove(name);
    return;
  }
  throw new Error('the list of releases was changed by others each time');
}

async function readKept(store: DownloadStore): Promise<{ kept: Kept; version: string | undefined }> {
  const index = await store.read(indexName);
  if (!index) return { kept: { releases: [] }, version: undefined };
  return { kept: JSON.parse(Buffer.from(index.bytes).toString()) as Kept, version: index.version };
}

/** The file that describes the files beside it. */
export const releaseFile = 'release.json';

export function folderRelease(folder: string): CurrentRelease {
  let release: Promise<FileRelease> | undefined;
  const readRelease = async () =>
    JSON.parse(await readFile(join(folder, releaseFile), 'utf8')) as FileRelease;
  return {
    release() {
      release ??= readRelease();
      return release;
    },
    read: (name) => readFile(join(folder, name)),
  };
}
