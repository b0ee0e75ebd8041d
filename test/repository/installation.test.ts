/** What `npm ci` installs: its weight, and what each platform gets. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { installedWeight, maxWeight } from '../../measures/installation.ts';
import { root } from '../../scripts/shared/root.ts';

type Locked = {
  version?: string;
  integrity?: string;
  link?: boolean;
  inBundle?: boolean;
  os?: string | string[];
  cpu?: string | string[];
  libc?: string | string[];
  optionalDependencies?: Record<string, string>;
};
type Platform = { os: string; cpu: string; libc?: string };

const { packages } = JSON.parse(readFileSync(resolve(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, Locked>;
};

const platforms: readonly Platform[] = [
  { os: 'linux', cpu: 'x64', libc: 'glibc' },
  { os: 'linux', cpu: 'arm64', libc: 'glibc' },
  { os: 'darwin', cpu: 'arm64' },
  { os: 'darwin', cpu: 'x64' },
];

test('it is not heavier than it may be', () => {
  const { files, bytes } = installedWeight(root);
  expect(files).toBeGreaterThan(10_000);
  expect(files).toBeLessThanOrEqual(maxWeight.files);
  expect(bytes).toBeLessThanOrEqual(maxWeight.bytes);
});

test('the lock file has a hash of each package', () => {
  const withoutHash = Object.entries(packages).filter(
    ([path, { integrity, link, inBundle }]) =>
      path.includes('node_modules/') && !integrity && !link && !inBundle,
  );
  expect(withoutHash.map(([path]) => path)).toEqual([]);
});

/** npm installs a package if each of its lists has the value of the machine. */
const fits = (locked: Locked, platform: Platform): boolean =>
  (['os', 'cpu', 'libc'] as const).every((key) => {
    const allowed = [locked[key] ?? []].flat();
    return allowed.length === 0 || platform[key] === undefined || allowed.includes(platform[key]);
  });

/** The package that `name` means inside the package of a path: the next one above. */
function resolved(path: string, name: string): Locked | undefined {
  const inside = packages[`${path ? `${path}/` : ''}node_modules/${name}`];
  if (inside || path === '') return inside;
  return resolved(path.slice(0, Math.max(0, path.lastIndexOf('/node_modules/'))), name);
}

/** The packages that are there once for each platform, by the package that needs one of them. */
const perPlatform = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) => {
  const choices = Object.keys(optionalDependencies).flatMap((name) => resolved(path, name) ?? []);
  const natives = choices.filter(({ os }) => os !== undefined);
  // A package such as fsevents is for one system only.
  return natives.some((native) => platforms[0] && fits(native, platforms[0]))
    ? [[path || 'the project', natives] as const]
    : [];
});

test.each(platforms)('$os on $cpu gets the packages that are there once for each platform', (platform) => {
  expect(perPlatform.map(([path]) => path)).toEqual(
    expect.arrayContaining(['the project', 'node_modules/@biomejs/biome', 'node_modules/esbuild']),
  );
  const without = perPlatform.filter(([, natives]) => !natives.some((native) => fits(native, platform)));
  expect(without.map(([path]) => path)).toEqual([]);
});
