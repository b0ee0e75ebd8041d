/**
 * A file has another name until it is complete. Only its owner can read it, because it may have messages of users. A complete file
 * with the final name is replaced at once.
 */

import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { lock } from './lock.ts';
import { checkTarget } from './target.ts';

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
