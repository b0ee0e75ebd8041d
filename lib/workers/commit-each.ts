/** How workers write: many items one by one, and past transactions that are in the way. */

import type { Refusal } from '../dynamodb/commit.ts';
import type { Write } from '../dynamodb/write.ts';
import type { WorkerInput } from './worker.ts';

const writesAtOnce = 20;
const maxAttempts = 20;
const waitMs = 50;

/**
 * Writes all or nothing, again where another transaction was in the way.
 * @returns why nothing was written (a condition does not hold), or undefined when all was
 */
export async function commitPatiently(
  { commit, sleep }: Pick<WorkerInput, 'commit' | 'sleep'>,
  writes: readonly Write[],
): Promise<Refusal | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    const refusal = await commit(writes);
    if (!refusal || refusal.failed.length > 0) return refusal;
    if (attempt === maxAttempts) throw new Error('other transactions are in the way');
    await sleep(waitMs * attempt);
  }
}

/** Writes each by itself, some at a time. One whose condition does not hold is left out. */
export async function commitEach(
  input: Pick<WorkerInput, 'commit' | 'sleep'>,
  writes: readonly Write[],
): Promise<void> {
  for (let from = 0; from < writes.length; from += writesAtOnce) {
    await Promise.all(
      writes.slice(from, from + writesAtOnce).map((write) => commitPatiently(input, [write])),
    );
  }
}
