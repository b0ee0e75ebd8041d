/** The files of a release in a folder, as the build writes them. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileRelease } from './releases.ts';
import type { CurrentRelease } from './types.ts';

/** Describes the files beside it. */
export const releaseFile = 'release.json';

export function folderRelease(folder: string): CurrentRelease {
  let read: Promise<FileRelease> | undefined;
  const readRelease = async () =>
    JSON.parse(await readFile(join(folder, releaseFile), 'utf8')) as FileRelease;
  return {
    release() {
      read ??= readRelease();
      return read;
    },
    read: (name) => readFile(join(folder, name)),
  };
}
