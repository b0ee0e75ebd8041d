/** The files that have the version and are not generated. */

import { join } from 'node:path';

type Manifest = { workspaces: string[] };
type Lock = { version: string; packages: Record<string, { version?: string }> };

/**
 * @param read the text of a file, by its path relative to the root
 * @returns the new text of each file by its path
 * @throws Error if a file does not have the version where it belongs
 */
export function manifestsWith(version: string, read: (path: string) => string): Record<string, string> {
  const { workspaces } = JSON.parse(read('package.json')) as Manifest;
  const manifests = ['', ...workspaces].map((folder) => join(folder, 'package.json'));
  return {
    ...Object.fromEntries(manifests.map((path) => [path, withVersion(path, read(path), version)])),
    'package-lock.json': lockWith(version, read('package-lock.json'), ['', ...workspaces]),
  };
}

/** Only the line of the version changes. */
function withVersion(path: string, text: string, version: string): string {
  const line = /^ {2}"version": ".*"/m;
  if (!line.test(text)) throw new Error(`${path} has no version`);
  return text.replace(line, () => `  "version": "${version}"`);
}

/** The lock has the version of each package of the repository. */
function lockWith(version: string, text: string, folders: readonly string[]): string {
  const lock = JSON.parse(text) as Lock;
  lock.version = version;
  for (const folder of folders) {
    const entry = lock.packages[folder];
    if (entry?.version === undefined) throw new Error(`package-lock.json has no version of "${folder}"`);
    entry.version = version;
  }
  return `${JSON.stringify(lock, null, 2)}\n`;
}
