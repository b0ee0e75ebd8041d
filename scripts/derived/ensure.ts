/**
 * Files that follow from others in git, and that nobody reads in a review: the operations of the command line and the tools of
 * agents, from openapi.json, and the synchronous Python client, from the asynchronous one. They are not in git.
 */

import { mkdirSync, readdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { root } from '../shared/root.ts';
import { isStamped, type Made, writeStamp } from '../shared/stamp.ts';

/** They have no other files. */
const folders = ['cli/src/generated', 'lib/mcp/generated', 'clients/python/src/platform_api/_sync'];

/** The files from which they are made, and those that make them. `globSync` would take longer than everything else here. */
const sourceFiles = (): string[] => [
  'openapi.json',
  ...filesIn('clients/python/src/platform_api/_async', '.py'),
  ...['scripts/derived', ...makers].flatMap((folder) => filesIn(folder, '.ts')),
];

const makers = ['', '/client', '/python'].map((folder) => `scripts/openapi${folder}`);

const filesIn = (folder: string, extension: string): string[] =>
  readdirSync(resolve(root, folder))
    .filter((name) => name.endsWith(extension))
    .map((name) => `${folder}/${name}`);

const absolute = (paths: readonly string[]) => paths.map((path) => resolve(root, path));

/** Makes the files, unless they were made from the same sources before. Several processes may do it at the same time. */
export async function ensureDerived(): Promise<void> {
  const sources = sourceFiles();
  const made: Made = {
    folders: absolute(folders),
    stampFile: resolve(root, 'dist/derived.json'),
    recipe: sources.join(),
    ignored: /\/__pycache__\//,
  };
  if (isStamped(made)) return;
  const begunMs = Date.now();
  const { writeDerived } = await import('./write.ts');
  writeDerived(folders);
  mkdirSync(dirname(made.stampFile), { recursive: true });
  writeStamp(made, absolute(sources), begunMs);
}
