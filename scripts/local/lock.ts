/** A data folder has one user at a time. */

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../shared/options.ts';

/**
 * Creates the folder and locks it for this process until the process ends.
 * @throws UsageError if it is not writable, or another running process has locked it
 */
export function lockFolder(folder: string): void {
  const file = join(folder, 'lock');
  try {
    mkdirSync(folder, { recursive: true });
    const owner = ownerOf(file);
    if (owner !== undefined && owner !== process.pid && isRunning(owner)) {
      throw new UsageError(`${folder} is in use by process ${owner}. Stop it, or start without --persist.`);
    }
    writeFileSync(file, String(process.pid));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(
      `${folder} cannot be used (${(error as Error).message}). Move it away, or start without --persist.`,
    );
  }
  process.on('exit', () => rmSync(file, { force: true }));
}

function ownerOf(file: string): number | undefined {
  try {
    return Number(readFileSync(file, 'utf8')) || undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
