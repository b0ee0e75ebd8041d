/** The files that somebody has dropped or chosen. */

import {
  documentExtensions,
  hasExtension,
  isIgnored,
  utf8Text,
} from '../../../../../clients/typescript/src/helpers/document-files.ts';
import { maxFileBytes } from '../../../../../clients/typescript/src/helpers/knowledge-files.ts';
import { sizeOf } from '../../../parts/size.ts';

export type ChosenFile = {
  /** Below the folder, with `/`: the externalId. */
  path: string;
  file: File;
};

export type Chosen = {
  /** The name of the folder, if it is one. */
  folder: string | undefined;
  files: ChosenFile[];
  leftOut: { path: string; reason: string }[];
};

/** The files of `<input type="file">`, also with `webkitdirectory`. */
export function chosenFrom(files: Iterable<File>): Chosen {
  const found = [...files].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
  return sorted(found);
}

/** What was dropped: files, folders, or both. The browser empties the transfer after the event, so it is read at once. */
export async function chosenFromDrop(transfer: DataTransfer): Promise<Chosen> {
  const items = [...transfer.items].map((item) => ({
    entry: item.webkitGetAsEntry(),
    file: item.getAsFile(),
  }));
  const found = items.map(({ entry, file }) => {
    if (entry) return filesIn(entry, '');
    // What another page or program puts into the transfer has no entry.
    return file ? [{ path: file.name, file }] : [];
  });
  return sorted((await Promise.all(found)).flat());
}

async function filesIn(entry: FileSystemEntry, above: string): Promise<ChosenFile[]> {
  const path = `${above}${entry.name}`;
  if (isFile(entry)) {
    const file = await new Promise<File>((done, failed) => entry.file(done, failed));
    return [{ path, file }];
  }
  if (!isFolder(entry) || isIgnored(entry.name)) return [];
  const reader = entry.createReader();
  const found: ChosenFile[] = [];
  // A reader returns up to 100 entries at a time.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((done, failed) => reader.readEntries(done, failed));
    if (some.length === 0) return found;
    for (const one of some) found.push(...(await filesIn(one, `${path}/`)));
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

/** A path in a single folder does not have its name, so the command line gives the files the same ids. */
function sorted(found: readonly ChosenFile[]): Chosen {
  const tops = new Set(found.map(({ path }) => (path.includes('/') ? path.slice(0, path.indexOf('/')) : '')));
  const [top = ''] = tops;
  const folder = tops.size === 1 && top !== '' ? top : undefined;
  const chosen: Chosen = { folder, files: [], leftOut: [] };
  const seen = new Set<string>();
  for (const { path: whole, file } of found) {
    const path = (folder === undefined ? whole : whole.slice(folder.length + 1)).normalize();
    const parts = path.split('/');
    // Hidden files are no documents, and nobody expects them to be.
    if (parts.some(isIgnored)) continue;
    const reason = seen.has(path) ? 'is there twice' : reasonAgainst(path, file.size);
    if (reason) chosen.leftOut.push({ path, reason });
    else {
      seen.add(path);
      chosen.files.push({ path, file });
    }
  }
  chosen.files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return chosen;
}

function reasonAgainst(path: string, bytes: number): string | undefined {
  if (!hasExtension(path, documentExtensions)) return `is not one of ${documentExtensions.join(', ')}`;
  if (path.length > 255) return 'has a path of more than 255 characters';
  if (bytes === 0) return 'is empty';
  if (bytes > maxFileBytes) return `has ${sizeOf(bytes)}, and a file has at most 25 MB: split it`;
  return undefined;
}

const unreadable = 'cannot be read: it was changed, moved or deleted. Choose it again';

/** @returns its bytes, or why it cannot be a document */
export const bytesOf = (file: File): Promise<{ bytes: ArrayBuffer } | { problem: string }> =>
  file.arrayBuffer().then(
    (bytes) => ({ bytes }),
    () => ({ problem: unreadable }),
  );

/** @returns its text without a byte order mark, or why it cannot be used */
export async function textOf(file: File): Promise<{ text: string } | { problem: string }> {
  const read = await bytesOf(file);
  if ('problem' in read) return read;
  const text = utf8Text(read.bytes);
  return text === undefined ? { problem: 'is not UTF-8 text' } : { text };
}
