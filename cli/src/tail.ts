/** Follows a log that is sorted by the time of requests, so that an entry may appear late, in the place of its time. */

import { ConnectionError } from '../../clients/typescript/src/index.ts';
import { wholeNumber } from './command.ts';
import { CliError } from './errors.ts';
import type { Session } from './session.ts';

export type IntervalOption = { interval: number };

export const intervalOption = [
  '--interval <seconds>',
  'the pause between two requests',
  { default: 2, parse: wholeNumber('--interval', 1, 60) },
] as const;

/** An entry usually appears within this time, even if it belongs to the longest request. */
const lateMs = 120_000;

type Entries<Entry> = AsyncIterable<Entry> & PromiseLike<{ items: readonly Entry[] }>;

type Followed<Entry> = {
  /** Lists entries, newest first. */
  list(query: { limit?: number; from?: string }): Entries<Entry>;
  /** @returns the time of an entry in ISO 8601 */
  timeOf(entry: Entry): string;
  /** Gets each further entry once, the oldest first. */
  take(entry: Entry): Promise<void>;
  intervalSeconds: number;
};

/**
 * Runs until it is interrupted. Each request reads the last two minutes again. After a lost connection, it continues at the same
 * place.
 */
export async function follow<Entry extends { id: string }>(
  { shell, out, signal }: Pick<Session, 'shell' | 'out' | 'signal'>,
  { list, timeOf, take, intervalSeconds }: Followed<Entry>,
): Promise<never> {
  out.note('Waiting for new events. Stop with Ctrl+C.');
  /** The times of the entries that may be read again, by id. */
  const entryTimes = new Map<string, number>();
  // The clock of this machine may differ, so the start is the time of the newest entry.
  const [newest] = (await list({ limit: 1 })).items;
  let newestMs = newest ? Date.parse(timeOf(newest)) : 0;
  let isFirst = true;
  for (;;) {
    const fromMs = Math.max(0, newestMs - lateMs);
    try {
      const newEntries: Entry[] = [];
      for await (const entry of list({ from: new Date(fromMs).toISOString() }))
        if (!entryTimes.has(entry.id)) newEntries.push(entry);
      for (const entry of newEntries.toReversed()) {
        const atMs = Date.parse(timeOf(entry));
        entryTimes.set(entry.id, atMs);
        newestMs = Math.max(newestMs, atMs);
        if (!isFirst) await take(entry);
      }
      for (const [id, atMs] of entryTimes) if (atMs < newestMs - lateMs) entryTimes.delete(id);
      isFirst = false;
    } catch (error) {
      // A source of tokens may fail for a while, too.
      const isTemporary = error instanceof CliError && error.exit === 'temporary';
      if (!(error instanceof ConnectionError || isTemporary)) throw error;
      out.note(`${error.message} Trying again.`);
    }
    await shell.sleep(intervalSeconds * 1000, signal).catch(() => {});
    signal.throwIfAborted();
  }
}
