/** The functions that need a file system, for Node, Bun and Deno. */

import { type FileHandle, open, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ownFetch, proxyVariable } from './core/fetch.ts';
import type { FileSource } from './core/upload.ts';
import {
  documentExtensions,
  documentFrom,
  documentFromFile,
  documentOfFile,
  hasExtension,
  isIgnored,
  isSentAsText,
  utf8Text,
} from './helpers/document-files.ts';
import { maxFileBytes } from './helpers/knowledge-files.ts';
import type { SyncDocument } from './helpers/sync-document.ts';

export {
  documentExtensions,
  documentFrom,
  documentFromFile,
  documentOfFile,
  hasExtension,
  isIgnored,
  isSentAsText,
  maxFileBytes,
  ownFetch,
  proxyVariable,
  utf8Text,
};

const chunkBytes = 64 * 1024;

export type ReadOptions = {
  /** Which files to read, by the ends of their names, in any case. Default: `documentExtensions`. */
  extensions?: readonly string[] | undefined;
};

/**
 * Reads the documents of a folder and the folders below it, sorted by path. Hidden files and folders, `node_modules`, links and
 * empty files are left out. Text of at most 200 KB is sent as it is, if it is UTF-8. Other files are uploaded, and the API extracts
 * their texts: their titles are their names. Text in another encoding is in memory until then, and all other files are read when
 * they are sent.
 */
export async function readDocuments(folder: string, options: ReadOptions = {}): Promise<SyncDocument[]> {
  const { extensions = documentExtensions } = options;
  const documents: SyncDocument[] = [];
  for (const path of (await filesIn(folder)).sort()) {
    if (!hasExtension(path, extensions)) continue;
    const file = join(folder, path);
    const { size } = await stat(file);
    if (size === 0) continue;
    if (!isSentAsText(path, size)) {
      documents.push(documentOfFile(path, await fileSource(file)));
      continue;
    }
    const document = documentFromFile(path, new Uint8Array(await readFile(file)));
    if (document.content !== '') documents.push(document);
  }
  return documents;
}

async function filesIn(folder: string, prefix = ''): Promise<string[]> {
  const entries = await readdir(join(folder, prefix), { withFileTypes: true });
  const paths = entries
    .filter(({ name }) => !isIgnored(name))
    .map((entry): string[] | Promise<string[]> => {
      const path = `${prefix}${entry.name}`;
      if (entry.isDirectory()) return filesIn(folder, `${path}/`);
      return entry.isFile() ? [path] : [];
    });
  return (await Promise.all(paths)).flat();
}

/**
 * A file that is read when it is sent, such as with `knowledge.uploadFile` or `conversations.importLines`.
 * @param onRead gets the number of bytes of the file that were read, again from 0 if it is sent again
 */
export async function fileSource(path: string, onRead?: (bytes: number) => void): Promise<FileSource> {
  const { size } = await stat(path);
  return { size, stream: () => streamOf(path, onRead) };
}

/** Streams a file with `node:fs/promises` alone, which every runtime has. */
function streamOf(
  path: string,
  onRead: ((bytes: number) => void) | undefined,
): ReturnType<FileSource['stream']> {
  let file: Promise<FileHandle> | undefined;
  let bytes = 0;
  const close = async () => (await file)?.close();
  return new ReadableStream({
    async pull(controller) {
      file ??= open(path);
      const handle = await file;
      const { bytesRead, buffer } = await handle.read(new Uint8Array(chunkBytes)).catch(async (error) => {
        await handle.close();
        throw error;
      });
      if (bytesRead === 0) {
        await close();
        return controller.close();
      }
      bytes += bytesRead;
      onRead?.(bytes);
      controller.enqueue(buffer.subarray(0, bytesRead));
    },
    cancel: close,
  });
}
