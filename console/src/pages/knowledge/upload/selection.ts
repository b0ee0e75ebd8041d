/** The files that a user has dropped or chosen. */

import {
  documentExtensions,
  hasExtension,
  isIgnored,
  utf8Text,
} from '../../../../../clients/typescript/src/helpers/document-files.ts';
import { maxFileBytes } from '../../../../../clients/typescript/src/helpers/knowledge-files.ts';
import { sizeOf } from '../../../shared/amounts.ts';

export type SelectedFile = {
  /** The path below the folder, with `/`. It is the externalId. */
  path: string;
  file: File;
};

export type Selection = {
  /** The name of the folder; undefined for files that are not in one folder. */
  folder: string | undefined;
  files: SelectedFile[];
  leftOut: { path: string; reason: string }[];
};

/** @returns the files of `<input type="file">`, also with `webkitdirectory` */
export function selectionOf(files: Iterable<File>): Selection {
  return toSelection([...files].map((file) => ({ path: file.webkitRelativePath || file.name, file })));
}

/** @returns the dropped files, and the files of dropped folders. The browser empties the transfer after the event, so it is read at once */
export async function selectionOfDrop(transfer: DataTransfer): Promise<Selection> {
  const items = [...transfer.items].map((item) => ({
    entry: item.webkitGetAsEntry(),
    file: item.getAsFile(),
  }));
  const files = items.map(({ entry, file }) => {
    if (entry) return filesIn(entry, '');
    // A file of another page or program has no entry.
    return file ? [{ path: file.name, file }] : [];
  });
  return toSelection((await Promise.all(files)).flat());
}

async function filesIn(entry: FileSystemEntry, parent: string): Promise<SelectedFile[]> {
  const path = `${parent}${entry.name}`;
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
    return [{ path, file }];
  }
  if (!isFolder(entry) || isIgnored(entry.name)) return [];
  const reader = entry.createReader();
  const files: SelectedFile[] = [];
  // A reader returns up to 100 entries at a time.
  for (;;) {
    const children = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (children.length === 0) return files;
    for (const child of children) files.push(...(await filesIn(child, `${path}/`)));
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

/** The paths in a single folder leave out its name, so the command line gives the files the same externalIds. */
function toSelection(files: readonly SelectedFile[]): Selection {
  const tops = new Set(files.map(({ path }) => (path.includes('/') ? path.slice(0, path.indexOf('/')) : '')));
  const [top = ''] = tops;
  const folder = tops.size === 1 && top !== '' ? top : undefined;
  const selection: Selection = { folder, files: [], leftOut: [] };
  const paths = new Set<string>();
  for (const { path: fullPath, file } of files) {
    const path = (folder === undefined ? fullPath : fullPath.slice(folder.length + 1)).normalize();
    const segments = path.split('/');
    // Hidden files are no documents, and nobody expects an explanation.
    if (segments.some(isIgnored)) continue;
    const reason = paths.has(path) ? 'is there twice' : reasonAgainst(path, file.size);
    if (reason) selection.leftOut.push({ path, reason });
    else {
      paths.add(path);
      selection.files.push({ path, file });
    }
  }
  selection.files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return selection;
}

function reasonAgainst(path: string, bytes: number): string | undefined {
  if (!hasExtension(path, documentExtensions)) return `is not one of ${documentExtensions.join(', ')}`;
  if (path.length > 255) return 'has a path of more than 255 characters';
  if (bytes === 0) return 'is empty';
  if (bytes > maxFileBytes) return `has ${sizeOf(bytes)}, and a file has at most 25 MB: split it`;
  return undefined;
}

const unreadable = 'cannot be read: it was changed, moved or deleted. Choose it again';

/** @returns the bytes of a file, or why it cannot be a document */
export const bytesOf = (file: File): Promise<{ bytes: ArrayBuffer } | { problem: string }> =>
  file.arrayBuffer().then(
    (bytes) => ({ bytes }),
    () => ({ problem: unreadable }),
  );

/** @returns the text of a file without a byte order mark, or why the file cannot be used */
export async function textOf(file: File): Promise<{ text: string } | { problem: string }> {
  const result = await bytesOf(file);
  if ('problem' in result) return result;
  const text = utf8Text(result.bytes);
  return text === undefined ? { problem: 'is not UTF-8 text' } : { text };
}
