/**
 * Tells whether a folder was made from the same files before, and is as it was then. Building the bundles takes many seconds of CPU
 * time, and most runs of `npm test` and `npx cdk` find the bundles of the run before.
 */

import { hash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { root } from '../shared/root.ts';

type Stamp = {
  recipe: string;
  /** The hashes of the files that it was made from, by path from the project: another clone may take over its folder and its stamp. */
  sources: Readonly<Record<string, string>>;
  /** The sizes and times of the files in the folder, by path from the project. */
  outputs: Readonly<Record<string, string>>;
};

export type Made = {
  /** Absolute. */
  folder: string;
  /** Where the stamp is stored, outside the folder. */
  stampFile: string;
  /** How the folder is made: with another recipe, it is made again. */
  recipe: string;
  /** Files in the folder that do not matter. */
  ignored: RegExp;
};

/** @returns whether the recipe, the contents of the sources, and the files in the folder are the same as when it was stamped */
export function isStamped({ folder, stampFile, recipe, ignored }: Made): boolean {
  try {
    const stamp = JSON.parse(readFileSync(stampFile, 'utf8')) as Stamp;
    return (
      stamp.recipe === recipe &&
      Object.entries(stamp.sources).every(([path, contents]) => hashOf(resolve(root, path)) === contents) &&
      JSON.stringify(outputsIn(folder, ignored)) === JSON.stringify(stamp.outputs)
    );
  } catch {
    // No stamp, or a file is gone.
    return false;
  }
}

/** Call it before the first change of the folder, because the folder may never be finished. */
export const removeStamp = ({ stampFile }: Pick<Made, 'stampFile'>): void =>
  rmSync(stampFile, { force: true });

/**
 * A folder whose sources changed while it was made gets no stamp.
 * @param sources absolute paths of the files that the folder was made from
 * @param begunMs epoch milliseconds, before the first of them was read
 */
export function writeStamp(
  { folder, stampFile, recipe, ignored }: Made,
  sources: readonly string[],
  begunMs: number,
): void {
  if (sources.some((path) => statSync(path).mtimeMs >= begunMs)) return;
  const stamp: Stamp = {
    recipe,
    sources: Object.fromEntries(sources.map((path) => [relative(root, path), hashOf(path)])),
    outputs: outputsIn(folder, ignored),
  };
  writeFileSync(stampFile, JSON.stringify(stamp));
}

const hashOf = (path: string): string => hash('sha256', readFileSync(path), 'base64url');

function outputsIn(folder: string, ignored: RegExp): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
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
