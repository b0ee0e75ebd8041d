/**
 * The bytes and modules of each endpoint's bundle, which have no noise: a test checks them at every change. It names the
 * modules that have grown since it last passed on this machine.
 */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Metafile } from 'esbuild';
import { root } from '../../scripts/shared/root.ts';

/** The most that a bundle may have, by the core of its pipeline. `projects.get` does what the baselines do. */
export const bundleLimits = {
  'projects.get': { bytes: 84_500, modules: 124 },
  // Those that give out links to files sign them: 6 KB.
  read: { bytes: 107_500, modules: 149 },
  change: { bytes: 121_500, modules: 165 },
  // Those that search documents have two algorithms.
  search: { bytes: 131_500, modules: 171 },
} as const;

/** The bytes of each module in a bundle. */
export type Modules = Readonly<Record<string, number>>;

/** The bundles whose modules are recorded, by core. */
const recorded = { read: 'projects.get', change: 'projects.create' } as const;

const file = resolve(root, 'dist/bundle-modules.json');

/** @returns the modules of a function's bundle, without the path of the clone */
export function modulesOf(meta: Metafile, id: string): Modules {
  const output = meta.outputs[`dist/functions/${id}/index.mjs`];
  if (!output) throw new Error(`${id} has no bundle`);
  const sizes = Object.entries(output.inputs).map(
    ([path, { bytesInOutput }]) => [path.replace(`${root}/`, ''), bytesInOutput] as const,
  );
  return Object.fromEntries(sizes.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Records the modules of both bundles. */
export function recordModules(meta: Metafile): void {
  const modules = Object.fromEntries(Object.values(recorded).map((id) => [id, modulesOf(meta, id)]));
  writeFileSync(file, `${JSON.stringify(modules, null, 2)}\n`);
}

/** @returns the recorded modules of the bundle that has the same core. None in a new clone: then each module is new */
export function recordedModules(core: keyof typeof recorded): Modules {
  if (!existsSync(file)) return {};
  const modules = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Modules>;
  return modules[recorded[core]] ?? {};
}

/** @returns the modules that are new or larger than before, the largest growth first */
export function growthSince(before: Modules, now: Modules): string[] {
  return Object.entries(now)
    .map(([path, bytes]) => ({ path, bytes, grown: bytes - (before[path] ?? 0) }))
    .filter(({ grown }) => grown > 0)
    .sort((one, other) => other.grown - one.grown)
    .map(({ path, bytes, grown }) =>
      path in before ? `${path}: ${bytes} bytes, ${grown} more` : `${path}: ${bytes} bytes, new`,
    );
}

/** Functions that search documents contain it. */
const encoder = 'lib/search/semantic/encoder.ts';

function limitOf(id: string, core: keyof typeof recorded, modules: Modules) {
  if (id === 'projects.get') return bundleLimits[id];
  return encoder in modules ? bundleLimits.search : bundleLimits[core];
}

/** @returns what exceeds the limits, with the modules that have grown; undefined if nothing does */
export function excessOf(
  id: string,
  core: keyof typeof recorded,
  { bytes, modules }: { bytes: number; modules: Modules },
  before: Modules,
): string | undefined {
  const limit = limitOf(id, core, modules);
  const count = Object.keys(modules).length;
  if (bytes <= limit.bytes && count <= limit.modules) return undefined;
  const grown = growthSince(before, modules).slice(0, 10);
  return (
    `${id} has ${bytes} bytes in ${count} modules (at most ${limit.bytes} in ${limit.modules}). Compared with the ` +
    `recorded ${recorded[core]}:\n  ${grown.join('\n  ')}`
  );
}
