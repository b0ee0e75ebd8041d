import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileRelease } from './releases.ts';
import type { CurrentRelease } from './types.ts';

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
