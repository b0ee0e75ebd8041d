/** Packages from npm that are not dependencies of the project, each pinned, below .local/tools. */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { npmEnvironment } from '../../scripts/shared/fetched-packages.ts';
import { root } from '../../scripts/shared/root.ts';

/**
 * @returns the folder whose node_modules/ has the package, which is installed on first use: complete or not there, even if it
 * is interrupted
 * @throws Error if npm fails
 */
export function npmPackage(name: string, version: string): string {
  const folder = resolve(root, '.local/tools', `${name.replace('/', '-')}-${version}`);
  if (existsSync(folder)) return folder;
  const unfinished = `${folder}-${process.pid}`;
  try {
    mkdirSync(unfinished, { recursive: true });
    const options = ['--no-audit', '--no-fund', '--no-save', '--ignore-scripts', '--prefix', unfinished];
    execFileSync('npm', ['install', ...options, `${name}@${version}`], {
      cwd: unfinished,
      env: npmEnvironment(process.env),
      stdio: 'pipe',
    });
    renameSync(unfinished, folder);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    // Another process may have been faster.
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

/** Checkers, which few tests need. */
const versions = {
  '@modelcontextprotocol/conformance': '0.2.0-alpha.12',
  '@redocly/cli': '2.77.0',
  pyright: '1.1.414',
  recheck: '4.5.0',
};

/** @returns the folder of the package, which is installed on first use; undefined if npm cannot install it */
export function checker(name: keyof typeof versions): string | undefined {
  try {
    return resolve(npmPackage(name, versions[name]), 'node_modules', name);
  } catch {
    return undefined;
  }
}
