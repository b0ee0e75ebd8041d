/** The documents that files become. */

import type { FileSource } from '../core/upload.ts';
import { readFrontMatter } from './front-matter.ts';
import type { SyncDocument } from './sync.ts';
import { titleFrom, titleIn } from './titles.ts';

const mimeTypes = {
  '.md': 'text/markdown',
  '.markdown': 'text/markdown',
  '.html': 'text/html',
  '.htm': 'text/html',
  '.txt': 'text/plain',
} as const;

/** The API extracts the texts of these. */
const uploadedExtensions = ['.pdf', '.docx', '.csv'] as const;

/** The API's limit of a content, in UTF-8. */
const maxTextBytes = 200 * 1024;

/** Files and folders that hold no documents: hidden ones, and `node_modules`. @param name without its folder */
export const isIgnored = (name: string): boolean => name.startsWith('.') || name === 'node_modules';

/** Which files are documents, unless somebody chooses others. */
export const documentExtensions: readonly string[] = [...Object.keys(mimeTypes), ...uploadedExtensions];

/** @param extensions in upper or lower case, such as `.md`; letter case does not matter in names either */
export const hasExtension = (path: string, extensions: readonly string[]): boolean =>
  extensions.some((extension) => path.toLowerCase().endsWith(extension.toLowerCase()));

/** Whether the text of a file is sent as it is, if it is UTF-8. Other files are uploaded, and the API extracts their texts. */
export const isSentAsText = (path: string, bytes: number): boolean =>
  bytes <= maxTextBytes && !hasExtension(path, uploadedExtensions);

/**
 * @returns the text without a byte order mark; undefined if it is not UTF-8. Null characters are UTF-8, but no text has them: they
 * are UTF-16 without a byte order mark, or no text at all
 */
export function utf8Text(bytes: Uint8Array | ArrayBuffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

/**
 * The document that a file becomes. Its text is sent if it is small and UTF-8. Anything else is uploaded, because only the API
 * decides which encoding it has.
 * @param path with `/`, below the folder that is synchronised
 */
export function documentFromFile(path: string, bytes: Uint8Array<ArrayBuffer>): SyncDocument {
  const text = isSentAsText(path, bytes.length) ? utf8Text(bytes) : undefined;
  return text === undefined ? documentOfFile(path, new Blob([bytes])) : documentFrom(path, text);
}

/**
 * The document that a file becomes if its text is sent. Its id and title are composed (NFC): macOS may decompose names, and a folder must have the
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
  const name = nameOf(path);
  return {
    externalId: path.normalize(),
    title: (titleFrom(title) ?? titleIn(body, mimeType) ?? name).normalize(),
    content: body.trim() === '' ? content : body,
    mimeType,
  } satisfies SyncDocument;
}

/**
 * The document that a file becomes if the file is uploaded.
 * @param path with `/`, below the folder that is synchronised
 * @returns a document whose `externalId` is the path, and whose title is the file's name without its extension
 */
export const documentOfFile = (path: string, file: FileSource) =>
  ({
    externalId: path.normalize(),
    title: nameOf(path).normalize(),
    file,
  }) satisfies SyncDocument;

/** The file's name without its extension: `.md` alone is a name. */
function nameOf(path: string): string {
  const file = path.slice(path.lastIndexOf('/') + 1);
  const dot = file.lastIndexOf('.');
  return dot > 0 ? file.slice(0, dot) : file;
}
