/**
 * Packages of which the project needs a small part, and not at once. npm cannot install a part of a package, and these would take a
 * fifth of the time of `npm ci`. So npm fetches each when it is first needed, into node_modules/ beside the others. `npm ci` removes
 * them, and then npm has them in its cache.
 */

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { promisify } from 'node:util';
import { deployedMachine, localMachine, type Machine } from './machines.ts';
import { root } from './root.ts';

type Fetched = {
  version: string;
  /** Of the archive: `npm view <name>@<version> dist.integrity` prints it. */
  integrity: string;
  /** Files and folders. */
  parts: readonly string[];
};

/** The package has libraries for these machines, 290 MB. */
const machines: readonly Machine[] = ['linux/x64', 'linux/arm64', 'darwin/arm64'];

export const fetchedPackages = {
  'onnxruntime-node': {
    version: '1.30.0',
    integrity:
      'sha512-twhs1C2C/BFkz1yc5OY0KIU2GUq6DURO7hD4bx5Q2Qy3nAMJwRXW8xU3NVczE29VA9lolLOYepoD8fjTGOfIqw==',
    parts: [
      'package.json',
      'dist',
      ...machines
        .filter((machine) => machine === localMachine || machine === deployedMachine)
        .map((machine) => `bin/napi-v6/${machine}`),
    ],
  },
  // Its built files need none of its dependencies. Their maps name the libraries inside.
  '@scalar/api-reference': {
    version: '1.72.1',
    integrity:
      'sha512-XpEJ0rfc/cXbCrR+iC4kK0o/WwX2dTtGQbT049OlPKAHD6IMIFdTeGz2r+M27P2EDWKyUITRm/NzlP8z2pw/Ow==',
    parts: [
      'package.json',
      ...['standalone.esm.js', 'standalone.esm.js.map', 'chunks'].map((file) => `dist/browser/${file}`),
    ],
  },
  // The library itself is inside unpdf, without its character maps.
  'pdfjs-dist': {
    version: '6.1.200',
    integrity:
      'sha512-o8MolyzirkkLrcdsae/HEOiIcXWI7DS5zGpvqW8xTC2YUsW30rltFw2bDGvw/fskUdEMrQm2br68jzDS5BH2vw==',
    parts: ['package.json', 'LICENSE', 'cmaps'],
  },
  // Long tests check the templates with it.
  'cdk-nag': {
    version: '3.0.2',
    integrity:
      'sha512-mmrspXnYRK5RmBTfEu5EQZmTwGxaVCESJ5GXbQq62eOkVFd4vc4MuIfSbav74K4J7irXQVJaY3d5js0kVQMWdA==',
    parts: ['package.json', 'lib'],
  },
} satisfies Record<string, Fetched>;

export type FetchedPackage = keyof typeof fetchedPackages;

const packages = resolve(root, 'node_modules');
const call = promisify(execFile);

/** @returns the variables for an npm that another npm may run: only those of the settings that say where packages come from */
export function npmEnvironment(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  const isKept = (name: string) => !/^npm_(?!config_(registry|cache|userconfig)$)/i.test(name);
  return Object.fromEntries(Object.entries(env).filter(([name]) => isKept(name)));
}

const fetching = new Map<FetchedPackage, Promise<void>>();

/** Fetches the package if it is not there. @throws Error if npm fails */
export function fetchPackage(name: FetchedPackage): Promise<void> {
  const running = fetching.get(name) ?? fetchInto(packages, name, fetchedPackages[name]);
  fetching.set(name, running);
  return running.finally(() => fetching.delete(name));
}

/**
 * @param packages the folder that gets the package: complete or not at all, even if this is interrupted
 * @throws Error if npm fails, or if the archive has another hash
 */
export async function fetchInto(
  packages: string,
  name: string,
  { version, integrity, parts }: Fetched,
): Promise<void> {
  const folder = resolve(packages, name);
  if (existsSync(folder)) return;
  await mkdir(dirname(folder), { recursive: true });
  // npm ignores names that begin with a dot.
  const temporary = await mkdtemp(resolve(packages, '.fetched-'));
  try {
    const options = { cwd: root, env: npmEnvironment(process.env) };
    const { stdout } = await call(
      'npm',
      ['pack', `${name}@${version}`, '--silent', '--pack-destination', temporary],
      options,
    );
    const archive = resolve(temporary, stdout.trim());
    const hash = createHash('sha512')
      .update(await readFile(archive))
      .digest('base64');
    if (`sha512-${hash}` !== integrity)
      throw new Error(`${name} ${version} has another hash: sha512-${hash}`);
    await call('tar', ['-xzf', archive, '-C', temporary, ...parts.map((part) => `package/${part}`)]);
    await rename(resolve(temporary, 'package'), folder);
  } catch (error) {
    // Another process may have been faster.
    if (!existsSync(folder)) throw error;
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}
