/**
 * The file of an export. It has another name until it is complete, and one process writes it at a time. Only its owner can read it,
 * because it may have messages of users. A complete file with the final name is replaced at once.
 */

import { type FileHandle, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname } from 'node:path';
import { CliError } from '../errors.ts';

const ownerOnly = 0o600;

export const partialFile = (file: string): string => `${file}.partial`;

/** @param bytes how many bytes of it are kept. New data comes behind them */
export async function openPartial(file: string, bytes: number): Promise<FileHandle> {
  const partial = await open(partialFile(file), 'a', ownerOnly);
  // A file that a previous run has left may have another mode.
  await partial.chmod(ownerOnly);
  await partial.truncate(bytes);
  return partial;
}

export const complete = (file: string): Promise<void> => rename(partialFile(file), file);

/**
 * Writes a file that cannot be continued. After a failure, no partial file is left.
 * @throws CliError if the name cannot be that of a file, or if another process writes the file
 */
export async function writeWhole<Result>(
  file: string,
  write: (partial: FileHandle) => Promise<Result>,
): Promise<Result> {
  await checkTarget(file);
  const release = await lock(file);
  try {
    const partial = await openPartial(file, 0);
    const result = await write(partial).finally(() => partial.close());
    await complete(file);
    return result;
  } catch (error) {
    await rm(partialFile(file), { force: true });
    throw error;
  } finally {
    await release();
  }
}

/**
 * Refuses at the start what would fail at the end, when the complete file replaces this file. A device, such as /dev/null, must not
 * be replaced.
 * @throws CliError if the name is not that of a file, or if its folder does not exist
 */
export async function checkTarget(file: string): Promise<void> {
  const stats = await stat(file).catch(() => undefined);
  if (stats?.isDirectory() || /[\\/]$/.test(file))
    throw new CliError('failed', `${file} is a folder.`, 'Name a file in it.');
  if (stats && !stats.isFile())
    throw new CliError('failed', `${file} is not a file.`, 'Leave out -o to write to stdout.');
  const folder = await stat(dirname(file)).catch(() => undefined);
  if (!folder?.isDirectory())
    throw new CliError(
      'failed',
      `${basename(file)} cannot be written: there is no folder ${dirname(file)}.`,
      'Create the folder, or choose another file.',
    );
}

/**
 * Only one process writes a file: it takes `<file>.lock`, also from a process that was killed.
 * @returns a function that releases the lock
 * @throws CliError if another process has it
 */
export async function lock(file: string): Promise<() => Promise<void>> {
  const path = `${file}.lock`;
  const release = () => rm(path, { force: true });
  for (;;) {
    try {
      const handle = await open(path, 'wx');
      await handle.writeFile(JSON.stringify({ pid: process.pid, host: hostname() }));
      await handle.close();
      return release;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    if (await isLocked(path))
      throw new CliError(
        'conflict',
        `Another export writes ${file}.`,
        `Wait until it has ended. If there is no such process, delete ${path}.`,
      );
    // Only one process can rename the lock of a process that was killed.
    const oldLock = `${path}.${process.pid}`;
    await rename(path, oldLock).catch(() => {});
    await rm(oldLock, { force: true });
  }
}

async function isLocked(path: string): Promise<boolean> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) return false;
  try {
    const { pid, host } = JSON.parse(text) as { pid: number; host: string };
    // Whether a process of another machine still runs cannot be seen from here.
    if (host !== hostname()) return true;
    if (pid === process.pid) return false;
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // With EPERM, the process runs, and belongs to another user. Otherwise it has ended, maybe before it had written its id.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
