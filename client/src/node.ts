/** What needs a file system: Node, Bun and Deno. */

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SyncDocument } from './helpers/sync.ts';

const mimeTypes = {
  '.md': 'text/markdown',
  '.markdown': 'text/markdown',
  '.html': 'text/html',
  '.htm': 'text/html',
  '.txt': 'text/plain',
} as const;

export type ReadOptions = {
  /** Which files to read, by the ends of their names. Default: `.md`, `.markdown`, `.html`, `.htm` and `.txt`. */
  extensions?: readonly string[] | undefined;
};

/**
 * Reads the documents of a folder and the folders below it, sorted by path. Hidden files and folders, links and empty files are
 * left out.
 * @returns documents whose `externalId` is the path below the folder, with `/`, and whose title is the file's name without its
 * end
 */
export async function readDocuments(folder: string, options: ReadOptions = {}): Promise<SyncDocument[]> {
  const { extensions = Object.keys(mimeTypes) } = options;
  const documents: SyncDocument[] = [];
  for (const path of (await filesIn(folder)).sort()) {
    const end = extensions.find((extension) => path.endsWith(extension));
    if (end === undefined) continue;
    const content = await readFile(join(folder, path), 'utf8');
    if (content === '') continue;
    const title = path.slice(path.lastIndexOf('/') + 1, -end.length || undefined) || path;
    const mimeType = Object.entries(mimeTypes).find(([extension]) => path.endsWith(extension))?.[1];
    documents.push({ externalId: path, title, content, mimeType: mimeType ?? 'text/plain' });
  }
  return documents;
}

async function filesIn(folder: string, below = ''): Promise<string[]> {
  const entries = await readdir(join(folder, below), { withFileTypes: true });
  const found = entries
    .filter(({ name }) => !name.startsWith('.'))
    .map((entry): string[] | Promise<string[]> => {
      const path = `${below}${entry.name}`;
      if (entry.isDirectory()) return filesIn(folder, `${path}/`);
      return entry.isFile() ? [path] : [];
    });
  return (await Promise.all(found)).flat();
}
