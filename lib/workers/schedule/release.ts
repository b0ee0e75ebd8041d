/**
 * Releases the work that has waited for the end of a suspension: it is due again, and the scheduler sends its notices. A run
 * can be killed at any point, and two runs can overlap: a later run finds the remaining work.
 */

import { inBatches } from '../../base/batches.ts';
import type { Mode } from '../../base/caller.ts';
import { untilEmpty } from '../../base/pages.ts';
import { again, retry } from '../../base/retry.ts';
import { minuteMs } from '../../base/time.ts';
import type { Store } from '../../dynamodb/store.ts';
import { commitPatiently } from '../commit-each.ts';
import { isActive } from '../stop-if-suspended.ts';
import { minRemainingMs } from '../time-limit.ts';
import type { WorkerInput } from '../worker.ts';
import { type DueItem, pageWaiting, releaseWaiting } from './due.ts';

const modes: readonly Mode[] = ['live', 'test'];
const releasedAtOnce = 20;
/**
 * The number of items that become due in the same minute, so that the work of one organisation does not come all at once, and
 * does not delay the work of other organisations.
 */
const perMinute = 10_000;

/**
 * Stops if the organisation is suspended again: its next resumption continues.
 * @returns whether nothing is left to do
 */
export async function release(input: WorkerInput): Promise<boolean> {
  let count = 0;
  for (const mode of modes) {
    const store = input.inMode(mode);
    for await (const items of untilEmpty(() => pageWaiting(store))) {
      if (input.remainingMs() < minRemainingMs) return false;
      if (!isActive(await input.readOrganisation())) return true;
      const dueMs = input.nowMs() + Math.floor(count / perMinute) * minuteMs;
      await inBatches(items, releasedAtOnce, (item) => releaseOne(store, item, dueMs, input));
      count += items.length;
    }
  }
  return true;
}

async function releaseOne(store: Store, item: DueItem, dueMs: number, input: WorkerInput): Promise<void> {
  const attempt = async () =>
    (await commitPatiently(input, await releaseWaiting(store, item, dueMs))) && again;
  await retry(attempt, { failure: () => new Error('lost too many races for the schedule') });
}
