/** For workers: sets the time at which they get a notice that an item is due, or clears it. */

import { again, retry } from '../../base/retry.ts';
import type { Store } from '../../dynamodb/store.ts';
import { commitPatiently } from '../commit-each.ts';
import type { WorkerInput, Write } from '../worker.ts';
import { clearDue, setDue, type Target } from './due.ts';

export type { Target };

type Input = Pick<WorkerInput, 'commit' | 'sleep' | 'nowMs'>;

/** Sets the time of a target, and replaces an earlier time. A time in the past is due now. */
export const schedule = (store: Store, target: Target, dueMs: number, input: Input): Promise<void> =>
  // A jittered time has a fraction, which the key of a time has not.
  untilWritten(() => setDue(store, target, Math.ceil(Math.max(dueMs, input.nowMs())), input.nowMs()), input);

/** Leaves nothing in the schedule about the target. */
export const unschedule = (store: Store, target: Target, input: Input): Promise<void> =>
  untilWritten(() => clearDue(store, target), input);

async function untilWritten(decide: () => Promise<Write[]>, input: Input): Promise<void> {
  const attempt = async () => {
    const writes = await decide();
    const refusal = writes.length > 0 ? await commitPatiently(input, writes) : undefined;
    return refusal && again;
  };
  await retry(attempt, { failure: () => new Error('lost too many races for the schedule') });
}
