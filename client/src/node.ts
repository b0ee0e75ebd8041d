/** What needs a file system: Node, Bun and Deno. */

import { readdir, readFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { readFrontMatter } from './helpers/front-matter.ts';
import type { SyncDocument } from './helpers/sync.ts';
import { titleFrom, titleIn } from './helpers/titles.ts';

const mimeTypes = {
  '.md': 'text/markdown',
  '.markdown': 'text/markdown',
  '.html': 'text/html',
  '.htm': 'text/html',
  '.txt': 'text/plain',
} as const;

/** Files and folders that hold no documents: hidden ones, and `node_modules`. @param name without its folder */
export const isIgnored = (name: string): boolean => name.startsWith('.') || name === 'node_modules';

/** Which files are documents, unless somebody chooses others. */
export const documentExtensions: readonly string[] = Object.keys(mimeTypes);

/** @param extensions in upper or lower case, such as `.md`; letter case does not matter in names either */
export const hasExtension = (path: string, extensions: readonly string[]): boolean =>
  extensions.some((extension) => path.toLowerCase().endsWith(extension.toLowerCase()));

/**
 * The document that a file becomes. Its id and title are composed (NFC): macOS may decompose names, and a folder must have the
 * same ids everywhere.
 * @param path with `/`, below the folder that is synchronised
 * @returns a document whose `externalId` is the path, and whose title is that of its front matter, its first heading, or else the
 * file's name without its extension. Its content is what follows the front matter, unless nothing does. A type that the extension
 * does not tell is `text/plain`
 */
export function documentFrom(path: string, content: string) {
  const known = Object.entries(mimeTypes).find(([extension]) => hasExtension(path, [extension]))?.[1];
  const mimeType = known ?? 'text/plain';
  const isMarkdown = mimeType === 'text/markdown';
  const { title, body } = isMarkdown ? readFrontMatter(content) : { title: undefined, body: content };
  const name = basename(path, extname(path));
  return {
    externalId: path.normalize(),
    title: (titleFrom(title) ?? titleIn(body, mimeType) ?? name).normalize(),
    content: body.trim() === '' ? content : body,
    mimeType,
  } satisfies SyncDocument;
}

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
