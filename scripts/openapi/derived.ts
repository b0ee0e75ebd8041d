/**
 * Files that follow from others in git, and that nobody reads in a review: the operations of the command line and the tools of
 * agents, from openapi.json, and the synchronous Python client, from the asynchronous one. They are not in git.
 */

import { randomUUID } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { root } from '../shared/root.ts';
import { isStamped, type Made, writeStamp } from '../shared/stamp.ts';
import type { Json } from './schemas.ts';

/** The folders of these files. They have no other files. */
const folders = ['cli/src/generated', 'lib/mcp/generated', 'clients/python/src/platform_api/_sync'];

/** The files from which they are made, and those that make them. `globSync` would take longer than everything else here. */
const sourceFiles = (): string[] => [
  'openapi.json',
  ...filesIn('clients/python/src/platform_api/_async', '.py'),
  ...makers.flatMap((folder) => filesIn(folder, '.ts')),
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
  await writeDerived();
  mkdirSync(dirname(made.stampFile), { recursive: true });
  writeStamp(made, absolute(sources), begunMs);
}

async function writeDerived(): Promise<void> {
  const files = await derivedFiles();
  const patterns = folders.map((folder) => `${folder}/*.{json,py}`);
  for (const path of globSync(patterns, { cwd: root }))
    if (!(path in files)) rmSync(resolve(root, path), { force: true });
  for (const [path, text] of Object.entries(files)) replaceFile(resolve(root, path), text);
}

/** @returns the text of each file by its path, relative to the root. Most processes need no code that makes them */
async function derivedFiles(): Promise<Record<string, string>> {
  const { cliFile } = await import('./cli.ts');
  const { toolsFile } = await import('./tools.ts');
  const { synchronousFiles } = await import('./python/synchronous.ts');
  const document = JSON.parse(readFileSync(resolve(root, 'openapi.json'), 'utf8')) as Json;
  return {
    'cli/src/generated/operations.json': cliFile(document),
    'lib/mcp/generated/tools.json': toolsFile(document),
    ...synchronousFiles(),
  };
}

/** Another process reads the earlier file or the new one, and no half of it. */
function replaceFile(path: string, text: string): void {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  mkdirSync(dirname(path), { recursive: true });
  const part = `${path}.${randomUUID()}.part`;
  writeFileSync(part, text);
  renameSync(part, path);
}
