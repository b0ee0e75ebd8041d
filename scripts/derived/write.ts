/** Writes the derived files. */

import { randomUUID } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { cliFile } from '../openapi/cli.ts';
import { synchronousFiles } from '../openapi/python/synchronous.ts';
import type { Json } from '../openapi/schemas.ts';
import { toolsFile } from '../openapi/tools.ts';
import { root } from '../shared/root.ts';

/** @param folders that have no other files */
export function writeDerived(folders: readonly string[]): void {
  const files = derivedFiles();
  const existing = globSync(
    folders.map((folder) => `${folder}/*.{json,py}`),
    { cwd: root },
  );
  for (const path of existing) if (!(path in files)) rmSync(resolve(root, path), { force: true });
  for (const [path, text] of Object.entries(files)) replaceFile(resolve(root, path), text);
}

/** @returns the text of each file by its path, relative to the root */
function derivedFiles(): Record<string, string> {
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
