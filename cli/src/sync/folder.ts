/** Finds and reads the documents in a folder. */

import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { SyncDocument } from '../../../clients/typescript/src/index.ts';
import {
  documentFromFile,
  hasExtension,
  isIgnored,
  maxFileBytes,
} from '../../../clients/typescript/src/node.ts';
import { usageError } from '../errors.ts';

type FolderFile = { /** The path below the folder, with `/`. */ name: string; path: string };

export type LeftOut = {
  name: string;
  reason: string;
  /** Whether somebody has to do something: the document is missing, or not the newest. */
  isFailure: boolean;
};

export type FolderContent = { files: FolderFile[]; leftOut: LeftOut[] };

const isFolder = (path: string) =>
  stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );

/**
 * Finds the documents of a folder and the folders below it, sorted by name. Hidden files, `node_modules` and other types are
 * ignored. A link is followed if it leads to a file inside the folder that is not hidden: a `.env` is no document.
 * @param excluded names of files or folders, below the folder
 * @throws CliError if there is no such folder
 */
export async function findFiles(
  folder: string,
  { extensions, excluded }: { extensions: readonly string[]; excluded: readonly string[] },
): Promise<FolderContent> {
  const top = await realpath(folder).catch(() => undefined);
  if (top === undefined || !(await stat(top)).isDirectory())
    throw usageError(`There is no folder ${folder}.`);
  const content: FolderContent = { files: [], leftOut: [] };
  const leaveOut = (name: string, reason: string, isFailure: boolean) =>
    content.leftOut.push({ name, reason, isFailure });
  const excludedNames = new Set(excluded.map((name) => name.replace(/^\.\/|\/+$/g, '').normalize()));

  const visit = async (below: string): Promise<void> => {
    for (const entry of await readdir(join(top, below), { withFileTypes: true })) {
      const name = `${below}${entry.name}`;
      if (isIgnored(entry.name) || excludedNames.has(name.normalize())) continue;
      if (entry.isDirectory()) await visit(`${name}/`);
      else if (entry.isSymbolicLink() && (await isFolder(join(top, name))))
        leaveOut(name, 'is a link to a folder', false);
      else if (hasExtension(name, extensions)) await add(name, entry.isSymbolicLink());
    }
  };
  const add = async (name: string, isLink: boolean): Promise<void> => {
    const path = await realpath(join(top, name)).catch(() => undefined);
    if (path === undefined) return void leaveOut(name, 'is a link to nothing', false);
    if (isLink && !path.startsWith(top + sep))
      return void leaveOut(name, 'is a link that leaves the folder', false);
    if (isLink && relative(top, path).split(sep).some(isIgnored))
      return void leaveOut(name, 'is a link to a hidden file', false);
    const { size, isFile } = await stat(path).then((stats) => ({
      size: stats.size,
      isFile: stats.isFile(),
    }));
    if (!isFile) leaveOut(name, 'is not a file', false);
    else if (size === 0) leaveOut(name, 'is empty', false);
    else if (size > maxFileBytes)
      leaveOut(
        name,
        `has ${(size / 1024 / 1024).toFixed(1)} MB, and a file has at most 25 MB: split it, or leave it out with --exclude`,
        true,
      );
    else content.files.push({ name, path });
  };
  await visit('');
  content.files.sort((a, b) => (a.name < b.name ? -1 : 1));
  return content;
}

/** @returns the document that a file becomes, or why it cannot be a document */
export async function readDocument({
  name,
  path,
}: FolderFile): Promise<{ document: SyncDocument } | { problem: string }> {
  try {
    return { document: documentFromFile(name, new Uint8Array(await readFile(path))) };
  } catch (error) {
    return { problem: `cannot be read (${(error as Error).message})` };
  }
}
