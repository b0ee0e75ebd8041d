/** Follows a log that is sorted by the time of requests, so that an entry may appear late, in the place of its time. */

import { ConnectionError } from '../../clients/typescript/src/index.ts';
import { wholeNumber } from './command.ts';
import { CliError } from './errors.ts';
import type { Session } from './session.ts';

export type IntervalOption = { interval: number };

export const intervalOption = [
  '--interval <seconds>',
  'between two requests',
  { default: 2, parse: wholeNumber('--interval', 1, 60) },
] as const;

/** Longer than an entry usually takes to appear, including the longest request. */
const lateMs = 120_000;

type Entries<Entry> = AsyncIterable<Entry> & PromiseLike<{ items: readonly Entry[] }>;

type Followed<Entry> = {
  /** Lists entries, newest first. */
  list(query: { limit?: number; from?: string }): Entries<Entry>;
  /** ISO 8601. */
  timeOf(entry: Entry): string;
  /** Gets each entry once that appears from now on, oldest first. */
  take(entry: Entry): Promise<void>;
  intervalSeconds: number;
};

/**
 * Runs until it is interrupted. Each request reads the last two minutes again. After a lost connection, it continues where it
 * was.
 */
export async function follow<Entry extends { id: string }>(
  { shell, out, signal }: Pick<Session, 'shell' | 'out' | 'signal'>,
  { list, timeOf, take, intervalSeconds }: Followed<Entry>,
): Promise<never> {
  out.note('Waiting for new events. Stop with Ctrl+C.');
  /** By id, the time of the entries that were taken and may be read again. */
  const known = new Map<string, number>();
  // The time of the newest entry, and not of this machine: its clock may differ.
  const [newest] = (await list({ limit: 1 })).items;
  let newestMs = newest ? Date.parse(timeOf(newest)) : 0;
  let isFirst = true;
  for (;;) {
    const fromMs = Math.max(0, newestMs - lateMs);
    try {
      const fresh: Entry[] = [];
      for await (const entry of list({ from: new Date(fromMs).toISOString() }))
        if (!known.has(entry.id)) fresh.push(entry);
      for (const entry of fresh.toReversed()) {
        const atMs = Date.parse(timeOf(entry));
        known.set(entry.id, atMs);
        newestMs = Math.max(newestMs, atMs);
        if (!isFirst) await take(entry);
      }
      for (const [id, atMs] of known) if (atMs < newestMs - lateMs) known.delete(id);
      isFirst = false;
    } catch (error) {
      // A source of tokens that fails for a while, too.
      const isTemporary = error instanceof CliError && error.exit === 'temporary';
      if (!(error instanceof ConnectionError || isTemporary)) throw error;
      out.note(`${error.message} Trying again.`);
    }
    await shell.sleep(intervalSeconds * 1000, signal).catch(() => {});
    signal.throwIfAborted();
  }
}
