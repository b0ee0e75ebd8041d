/**
 * Tells whether folders were made from the same files before, and are as they were then. Building the bundles takes many seconds of CPU
 * time, and most runs of `npm test` and `npx cdk` find the bundles of the run before.
 */

import { hash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { root } from './root.ts';

type Stamp = {
  recipe: string;
  /** The hashes of the files that they were made from, by path from the project: another clone may take over folders and stamp. */
  sources: Readonly<Record<string, string>>;
  /** The sizes and times of the files in the folders, by path from the project. */
  outputs: Readonly<Record<string, string>>;
};

export type Made = {
  /** Absolute. */
  folders: readonly string[];
  /** Where the stamp is stored, outside the folders. */
  stampFile: string;
  /** How the folders are made: with another recipe, they are made again. */
  recipe: string;
  /** Files in the folders that do not matter. */
  ignored: RegExp;
};

/** @returns whether the recipe, the contents of the sources, and the files in the folders are the same as in the stamp */
export function isStamped({ folders, stampFile, recipe, ignored }: Made): boolean {
  try {
    const stamp = JSON.parse(readFileSync(stampFile, 'utf8')) as Stamp;
    return (
      stamp.recipe === recipe &&
      Object.entries(stamp.sources).every(([path, contents]) => hashOf(resolve(root, path)) === contents) &&
      JSON.stringify(outputsIn(folders, ignored)) === JSON.stringify(stamp.outputs)
    );
  } catch {
    // No stamp, or a file is gone.
    return false;
  }
}

/** Call it before the first change of a folder, because the folder may never be finished. */
export const removeStamp = ({ stampFile }: Pick<Made, 'stampFile'>): void =>
  rmSync(stampFile, { force: true });

/**
 * Folders whose sources changed while they were made get no stamp.
 * @param sources absolute paths of the files that the folders were made from
 * @param begunMs epoch milliseconds, before the first of them was read
 */
export function writeStamp(
  { folders, stampFile, recipe, ignored }: Made,
  sources: readonly string[],
  begunMs: number,
): void {
  if (sources.some((path) => statSync(path).mtimeMs >= begunMs)) return;
  const stamp: Stamp = {
    recipe,
    sources: Object.fromEntries(sources.map((path) => [relative(root, path), hashOf(path)])),
    outputs: outputsIn(folders, ignored),
  };
  writeFileSync(stampFile, JSON.stringify(stamp));
}

const hashOf = (path: string): string => hash('sha256', readFileSync(path), 'base64url');

function outputsIn(folders: readonly string[], ignored: RegExp): Record<string, string> {
  const files = folders
    .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => resolve(parentPath, name))
    .filter((path) => !ignored.test(path))
    .sort();
  return Object.fromEntries(
    files.map((path) => {
      const { size, mtimeMs } = statSync(path);
      return [relative(root, path), `${size} ${mtimeMs}`];
    }),
  );
}
