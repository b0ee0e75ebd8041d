/** Only one process writes a file. */

import { open, readFile, rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { CliError } from '../errors.ts';

/**
 * Takes `<file>.lock`, also from a process that was killed.
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
