/**
 * What happens to background work while its organisation is suspended. A worker that waits (`whileSuspended` in worker.ts) is
 * stopped by `Suspended`. Its notices wait in the schedule, and come again when the organisation is resumed. Nothing polls in the
 * meantime. A run can be killed at any point, and two runs can overlap: a later run finds the remaining work.
 */

import { inBatches } from '../base/batches.ts';
import type { Mode } from '../base/caller.ts';
import { untilEmpty } from '../base/pages.ts';
import { dayMs, minuteMs, ttlSeconds } from '../base/time.ts';
import type { Store } from '../dynamodb/store.ts';
import { organisations } from '../organisations/store.ts';
import type { Suspendable } from '../organisations/suspensions.ts';
import type { Change } from './change.ts';
import {
  clearDue,
  pageWaiting,
  readDue,
  releaseId,
  releases,
  releaseWaiting,
  setDue,
  type Target,
  untilResumedMs,
} from './due.ts';
import { checkTurn } from './turn.ts';
import type { Item, WorkerInput } from './worker.ts';
import { commitDecided, commitPatiently } from './writes.ts';

/** The organisation is suspended, or being deleted. Code that throws this error has changed nothing. */
export class Suspended extends Error {
  constructor() {
    super('the organisation is suspended');
  }
}

/** Whether an organisation exists and is not suspended. */
export const isActive = (organisation: Suspendable | undefined): organisation is Suspendable =>
  organisation !== undefined && organisation.suspendedAt === undefined;

/** Whether a suspension has ended. An organisation without a previous state may have come back by a restore. */
export const endsSuspension = ({ id, before, after }: Change): boolean =>
  id.startsWith('org_') && isActive(organisationIn(after)) && !isActive(organisationIn(before));

const organisationIn = (item: Item | undefined) => item && organisations.read(item);

/**
 * The target waits for the end of the suspension. The organisation is read after the write: a resumption that this read does not
 * see releases the target.
 * @returns whether it waits; false if the organisation is active again
 */
export async function waitForResumption(
  store: Store,
  target: Target,
  input: Pick<WorkerInput, 'commit' | 'sleep' | 'nowMs' | 'readOrganisation'>,
): Promise<boolean> {
  await commitDecided(input, () => setDue(store, target, untilResumedMs, input.nowMs()));
  if (!isActive(await input.readOrganisation())) return true;
  await commitDecided(input, () => clearDue(store, target));
  return false;
}

const modes: readonly Mode[] = ['live', 'test'];
const releasedAtOnce = 20;
/**
 * The number of items that become due in the same minute, so that the work of one organisation does not come all at once, and
 * does not delay the work of other organisations.
 */
const perMinute = 10_000;

/**
 * Releases the work that has waited: it is due again, and the scheduler sends its notices. Stops if the organisation is suspended
 * again: its next resumption continues.
 * @throws TurnOver. Released work does not wait any more, so the next turn finds the rest
 */
export async function release(input: WorkerInput): Promise<void> {
  const stored = releases.at(input.inMode('live'));
  let { fromMs, count } = (await stored.get(releaseId)) ?? { fromMs: 0, count: 0 };
  for (const mode of modes) {
    const store = input.inMode(mode);
    for await (const items of untilEmpty(() => pageWaiting(store))) {
      if (!isActive(await input.readOrganisation())) return;
      const nowMs = input.nowMs();
      if (count >= perMinute) [fromMs, count] = [fromMs + minuteMs, 0];
      if (nowMs >= fromMs + minuteMs) [fromMs, count] = [nowMs, 0];
      count += items.length;
      const ttl = ttlSeconds(fromMs + dayMs);
      await commitPatiently(input, [
        stored.put({ id: releaseId, fromMs, count, ttl }, { condition: { kind: 'any' } }),
      ]);
      const dueMs = Math.max(fromMs, nowMs);
      await inBatches(items, releasedAtOnce, (item) => {
        const { worker, notice } = readDue(item);
        return commitDecided(input, () => releaseWaiting(store, { worker, ...notice }, dueMs));
      });
      checkTurn(input);
    }
  }
}
