/** The writes of workers: repeated after a conflict, for a whole partition, or within the time of the fence. */

import { inBatches, split } from '../base/batches.ts';
import { untilEmpty } from '../base/pages.ts';
import { again, retry } from '../base/retry.ts';
import type { Items } from '../dynamodb/collection.ts';
import type { Refusal } from '../dynamodb/commit.ts';
import { checkTurn } from './turn.ts';
import type { Item, WorkerInput, Write } from './worker.ts';

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

/** Commits writes, and decides them again after each lost race. Without writes, nothing is committed. */
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

const pageSize = 100;

/**
 * Removes all items of a partition, in as many turns as it takes.
 * @param write writes the removals of a page
 * @param before runs before the items of a page are removed
 * @param count gets the number of removed items after each page
 * @throws TurnOver
 */
export async function removeAll<Kind extends Item>(
  items: Pick<Items<Kind>, 'page' | 'remove'>,
  input: Pick<WorkerInput, 'turn'>,
  write: (writes: readonly Write<never>[]) => Promise<unknown>,
  {
    before = async () => {},
    count = () => {},
  }: { before?: (found: readonly Kind[]) => Promise<unknown>; count?: (removed: number) => void } = {},
): Promise<void> {
  for await (const found of untilEmpty(() => items.page({ order: 'oldest', limit: pageSize }))) {
    await before(found);
    await write(found.map(({ id }) => items.remove(id, { condition: { kind: 'any' } })));
    count(found.length);
    checkTurn(input);
  }
}

/** So few writes take a small part of the time, which is rarely over in the middle of them. */
const writesPerCheck = 25;

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
 * Writes derived data soon after the items were read, because an erasure waits for that (lib/runtime/fence.ts). Reads, then writes.
 * If there is more to write than the time allows, it reads again and writes the rest.
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
    for (const some of split(left, writesPerCheck)) {
      if (middle.aborted) break;
      await writeEach(some, end);
      for (const write of some) written.add(keyOf(write));
    }
    if (left.every((write) => written.has(keyOf(write)))) return found;
  }
}
