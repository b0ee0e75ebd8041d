/** What needs a file system: Node, Bun and Deno. */

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { documentExtensions, documentFrom, hasExtension, isIgnored } from './helpers/document-files.ts';
import type { SyncDocument } from './helpers/sync.ts';

export { documentExtensions, documentFrom, hasExtension, isIgnored };

export type ReadOptions = {
  /** Which files to read, by the ends of their names, in any case. Default: `documentExtensions`. */
  extensions?: readonly string[] | undefined;
};

/**
 * Reads the documents of a folder and the folders below it, sorted by path. Hidden files and folders, `node_modules`, links and
 * empty files are left out.
 */
export async function readDocuments(folder: string, options: ReadOptions = {}): Promise<SyncDocument[]> {
  const { extensions = documentExtensions } = options;
  const documents: SyncDocument[] = [];
  for (const path of (await filesIn(folder)).sort()) {
    if (!hasExtension(path, extensions)) continue;
    // Unlike `readFile`, it leaves out a byte order mark.
    const content = new TextDecoder().decode(await readFile(join(folder, path)));
    if (content !== '') documents.push(documentFrom(path, content));
  }
  return documents;
}

async function filesIn(folder: string, below = ''): Promise<string[]> {
  const entries = await readdir(join(folder, below), { withFileTypes: true });
  const found = entries
    .filter(({ name }) => !isIgnored(name))
    .map((entry): string[] | Promise<string[]> => {
      const path = `${below}${entry.name}`;
      if (entry.isDirectory()) return filesIn(folder, `${path}/`);
      return entry.isFile() ? [path] : [];
    });
  return (await Promise.all(found)).flat();
}
