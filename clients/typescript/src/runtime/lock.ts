/**
 * One process at a time has a journal. Node cannot lock files, so the lock is a file that names its process. A lock is stale if its
 * process has ended, or if the process runs on another machine and has not shown for a while that it lives.
 */

import { pause } from '../core/timing.ts';
import { SessionError } from './errors.ts';
import type { Files } from './folder.ts';

const beatMs = 5_000;
const staleMs = 30_000;

type Holder = { id: string; pid: number; host: string; started: string | undefined };

/** The locks of this process. */
const held = new Set<string>();

/** @throws SessionError journal_locked if another process, or another session of this process, has it */
export async function lock(files: Files, name: string): Promise<() => Promise<void>> {
  const own: Holder = {
    id: files.randomName(),
    pid: process.pid,
    host: files.host,
    started: await startOf(files, process.pid),
  };
  while (!(await create(files, name, own))) {
    const found = await files.read(name);
    if (found === undefined) continue;
    if (await isHeld(files, name, found))
      throw new SessionError(
        'journal_locked',
        `Another session has the journal of this external id open: ${describe(found)}. End or close that session first.`,
      );
    await removeStale(files, name, found);
  }
  held.add(own.id);
  const beat = setInterval(() => void files.touch(name).catch(() => {}), beatMs);
  beat.unref?.();
  return async () => {
    clearInterval(beat);
    held.delete(own.id);
    // Somebody may have taken it for stale.
    if ((await files.read(name)) === JSON.stringify(own)) await files.remove(name);
  };
}

/** @returns false if there is a lock */
async function create(files: Files, name: string, own: Holder): Promise<boolean> {
  try {
    await files.fs.writeFile(files.pathOf(name), JSON.stringify(own), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Many processes may find the same stale lock: none may remove the new lock of another one. So only the process that has the guard
 * removes it, and only if it is still the same.
 */
async function removeStale(files: Files, name: string, stale: string): Promise<void> {
  const guard = `${name}.guard`;
  try {
    await files.fs.writeFile(files.pathOf(guard), '', { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error;
    const guardedMs = Date.now() - ((await files.changedMs(guard)) ?? Date.now());
    if (guardedMs > beatMs) await files.remove(guard);
    return pause(20, undefined);
  }
  try {
    if ((await files.read(name)) === stale) await files.remove(name);
  } finally {
    await files.remove(guard);
  }
}

async function isHeld(files: Files, name: string, found: string): Promise<boolean> {
  const holder = parse(found);
  const silentMs = Date.now() - ((await files.changedMs(name)) ?? 0);
  // It is being written, or its process runs where this one cannot look.
  if (holder === undefined || holder.host !== files.host) return silentMs < staleMs;
  if (held.has(holder.id)) return true;
  if (!isAlive(holder.pid)) return false;
  return (await startOf(files, holder.pid)) === holder.started && holder.pid !== process.pid;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: string }).code !== 'ESRCH';
  }
}

/**
 * The number of a process that has ended is used again, in a container even at once. So its start counts, too.
 * @returns undefined where the system does not say it
 * @see https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html the field `starttime`
 */
async function startOf({ fs }: Files, pid: number): Promise<string | undefined> {
  try {
    const stat = await fs.readFile(`/proc/${pid}/stat`, 'utf8');
    // The name of the program, in brackets, may have spaces.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

function parse(text: string): Holder | undefined {
  try {
    return JSON.parse(text) as Holder;
  } catch {
    return undefined;
  }
}

function describe(found: string): string {
  const holder = parse(found);
  return holder ? `the process ${holder.pid} on ${holder.host}` : 'a process that is just beginning';
}
