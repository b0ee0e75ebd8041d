/** Sets or clears the time at which a worker gets a notice that an item is due. */

import type { Store } from '../../dynamodb/store.ts';
import { clearDue, setDue, type Target } from '../due.ts';
import { waitForResumption } from '../suspension.ts';
import type { WorkerInput } from '../worker.ts';
import { commitDecided } from '../writes.ts';

export { isScheduled } from '../due.ts';
export type { Target };

export type ScheduleInput = Pick<WorkerInput, 'commit' | 'sleep' | 'nowMs' | 'readOrganisation'>;

/**
 * Sets the time of a target, and replaces an earlier time.
 * @param dueMs a time in the past is now; infinity is the end of the suspension of the organisation
 */
export async function schedule(
  store: Store,
  target: Target,
  dueMs: number,
  input: ScheduleInput,
): Promise<void> {
  const isAfterSuspension = dueMs === Number.POSITIVE_INFINITY;
  if (isAfterSuspension && (await waitForResumption(store, target, input))) return;
  // A jittered time has a fraction, which the key of a time has not.
  const atMs = () => Math.ceil(Math.max(isAfterSuspension ? 0 : dueMs, input.nowMs()));
  await commitDecided(input, () => setDue(store, target, atMs(), input.nowMs()));
}

/** Removes everything about the target from the schedule. */
export const unschedule = (
  store: Store,
  target: Target,
  input: Pick<WorkerInput, 'commit' | 'sleep'>,
): Promise<void> => commitDecided(input, () => clearDue(store, target));
