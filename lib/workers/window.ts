/** The times of lib/runtime/fence.ts: derived data is written soon after the items were read, and an erasure waits for that. */

import { split } from '../base/batches.ts';
import type { WorkerInput, Write } from './worker.ts';

/** Takes a small part of the time, so that the time is rarely over in the middle of them. */
const writesAtOnce = 25;

/**
 * Waits until every worker that still writes has seen an erasure.
 * @param erasedMs a time at which the erasure had taken effect: epoch milliseconds
 */
export const waitForFence = (
  { fence, nowMs, sleep }: Pick<WorkerInput, 'fence' | 'nowMs' | 'sleep'>,
  erasedMs: number,
): Promise<unknown> => sleep(Math.max(0, erasedMs + fence.waitMs - nowMs()));

const keyOf = ({ key: { tenant, id } }: Write): string => `${tenant}/${id}`;

/**
 * Reads, then writes. If there is more to write than the time allows, it reads again and writes the rest.
 * @param read returns the writes for now: the same as before, and fewer if data was erased in the meantime
 * @returns the last result of `read`
 * @throws Error if a write takes too long. Nothing is written after the time
 */
export async function writeWithinFence<Read extends { writes: readonly Write[] }>(
  { fence, writeEach }: Pick<WorkerInput, 'fence' | 'writeEach'>,
  read: () => Promise<Read>,
): Promise<Read> {
  const written = new Set<string>();
  for (;;) {
    const end = AbortSignal.timeout(fence.writeMs);
    const middle = AbortSignal.timeout(fence.writeMs / 2);
    const found = await read();
    const left = found.writes.filter((write) => !written.has(keyOf(write)));
    for (const some of split(left, writesAtOnce)) {
      if (middle.aborted) break;
      await writeEach(some, end);
      for (const write of some) written.add(keyOf(write));
    }
    if (left.every((write) => written.has(keyOf(write)))) return found;
  }
}
