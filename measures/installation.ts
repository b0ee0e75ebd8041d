/** What npm writes into node_modules/, with the packages that it fetches later. */

import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export type Weight = { files: number; bytes: number };

/** CONTRIBUTING.md says what to do before a package raises them. */
export const maxWeight: Weight = { files: 24_000, bytes: 790_000_000 };

/** @returns the weight of a folder of a project that npm has installed: without links, and without the caches of tools, whose names begin with a dot */
export function installedWeight(project: string): Weight {
  const folder = join(project, 'node_modules');
  const packages = readdirSync(folder).filter((name) => !name.startsWith('.'));
  const weights = packages.flatMap((name) => {
    const path = join(folder, name);
    return lstatSync(path).isDirectory() ? [weightOf(path)] : [];
  });
  return sum(weights);
}

function weightOf(folder: string): Weight {
  const weights = readdirSync(folder, { withFileTypes: true }).map((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return weightOf(path);
    return entry.isFile() ? { files: 1, bytes: lstatSync(path).size } : { files: 0, bytes: 0 };
  });
  return sum(weights);
}

const sum = (weights: readonly Weight[]): Weight => ({
  files: weights.reduce((all, { files }) => all + files, 0),
  bytes: weights.reduce((all, { bytes }) => all + bytes, 0),
});
