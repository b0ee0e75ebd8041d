/** Writes of workers, which are repeated after a conflict with another transaction. */

import { inBatches } from '../base/batches.ts';
import { again, retry } from '../base/retry.ts';
import type { Refusal } from '../dynamodb/commit.ts';
import type { Write } from '../dynamodb/write.ts';
import type { WorkerInput } from './worker.ts';

const writesAtOnce = 20;
const pauseMs = 50;

/**
 * Writes all or nothing. Tries again while another transaction conflicts.
 * @returns the refusal if a condition does not hold, undefined if all was written
 */
export const commitPatiently = (
  { commit, sleep }: Pick<WorkerInput, 'commit' | 'sleep'>,
  writes: readonly Write[],
): Promise<Refusal | undefined> =>
  retry(
    async () => {
      const refusal = await commit(writes);
      return refusal?.failed.length === 0 ? again : refusal;
    },
    {
      failure: () => new Error('other transactions are in the way'),
      pause: (attempt) => sleep(pauseMs * attempt),
    },
  );

/** Commits writes, and decides them again after each lost race. No write commits nothing. */
export async function commitDecided(
  input: Pick<WorkerInput, 'commit' | 'sleep'>,
  decide: () => Promise<readonly Write[]>,
): Promise<void> {
  const attempt = async () => {
    const writes = await decide();
    const refusal = writes.length > 0 ? await commitPatiently(input, writes) : undefined;
    return refusal && again;
  };
  await retry(attempt, { failure: () => new Error('lost too many races') });
}

/** Writes each item on its own. A write whose condition does not hold is left out. */
export async function commitEach(
  input: Pick<WorkerInput, 'commit' | 'sleep'>,
  writes: readonly Write[],
): Promise<void> {
  await inBatches(writes, writesAtOnce, (write) => commitPatiently(input, [write]));
}
