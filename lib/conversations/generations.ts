/** The generations of the index and the sums: a worker creates the first, and removes those that are not used any more. */

import { pagesOf } from '../base/pages.ts';
import { again, retry } from '../base/retry.ts';
import { checkRemainingTime, type WorkerInput, type Write } from '../workers/worker.ts';
import { commitPatiently, removeAll } from '../workers/writes.ts';
import { type ProjectStore, tombstones } from './store/conversations.ts';
import { allCountersIn, contributionsIn } from './store/counters.ts';
import {
  forgetGenerations,
  type Generation,
  getGenerations,
  openGenerations,
  type StoredGenerations,
} from './store/generations.ts';
import { pageStoredMessages } from './store/messages.ts';
import { removePostings } from './store/postings.ts';
import { pageStoredConversations } from './store/retention.ts';

/**
 * Call this only if there is something to write: the project may have been purged, and then nothing may be stored.
 * @returns the generations of the project, whose first generation exists from now on
 */
export async function ensureGenerations(
  store: ProjectStore,
  input: Pick<WorkerInput, 'commit' | 'sleep'>,
): Promise<StoredGenerations> {
  for (;;) {
    const stored = await getGenerations(store);
    if (stored) return stored;
    // If this is refused, another worker has done it.
    await commitPatiently(input, [openGenerations(store)]);
  }
}

const pageSize = 100;

/**
 * Where a removal continues. Empty for the begin. `save` may stop the run.
 *
 *   <conversation>                                  after this conversation
 *   <conversation> <next conversation> <message>    after this message of the next one
 *   ~<conversation>…                                the same among erased conversations, which come last
 */
export type Checkpoint = { after: string; save: (after: string) => Promise<unknown> };

const erasedMark = '~';

/** A run can be killed between any two lines. Removing something twice has no effect. */
export async function removeGenerations(
  store: ProjectStore,
  input: WorkerInput,
  { after: startAfter, save }: Checkpoint = { after: '', save: async () => {} },
): Promise<void> {
  const removing = (await getGenerations(store))?.removing ?? [];
  if (removing.length === 0) return;
  // A worker that has read the generations before may still write them.
  if (startAfter === '') await input.sleep(input.fence.waitMs);
  const isAmongErased = startAfter.startsWith(erasedMark);
  const [first, partId, partAfter] = startAfter.slice(isAmongErased ? erasedMark.length : 0).split(' ');
  let position = startAfter;
  const moveTo = (next: string) => {
    position = next;
    return save(next);
  };
  const remove = async (id: string, previous: string) => {
    const begin = id === partId ? partAfter : undefined;
    for await (const messages of pagesOf((after = begin) => pageStoredMessages(store, id, after, pageSize))) {
      for (const generation of removing) {
        await input.writeEach(removePostings(store, generation, messages));
      }
      const last = messages.at(-1);
      if (last && messages.length === pageSize) await moveTo(`${previous} ${id} ${last.id}`);
      checkRemainingTime(input);
    }
  };
  if (!isAmongErased) {
    let previous = first ?? '';
    const pageFrom = (after = previous || undefined) => pageStoredConversations(store, after, pageSize);
    for await (const page of pagesOf(pageFrom)) {
      for (const { id } of page) {
        await remove(id, previous);
        previous = id;
      }
      if (page.length > 0) await moveTo(previous);
    }
  }
  // Erased conversations come last, because one may have been erased just before its turn came.
  let previous = isAmongErased ? (first ?? '') : '';
  const pageErased = (after = previous || undefined) =>
    tombstones.at(store).page({ order: 'oldest', limit: pageSize, after });
  for await (const page of pagesOf(pageErased)) {
    for (const { id, purgedAt } of page) {
      if (purgedAt === undefined) await remove(id, erasedMark + previous);
      previous = id;
    }
    if (page.length > 0) await moveTo(erasedMark + previous);
  }
  const write = async (writes: readonly Write[]) => {
    await input.writeEach(writes);
    await save(position);
  };
  for (const generation of removing) await removeSums(store, generation, input, write);
  await forget(store, removing, input);
}

async function removeSums(
  store: ProjectStore,
  generation: Generation,
  input: WorkerInput,
  write: (writes: readonly Write[]) => Promise<unknown>,
): Promise<void> {
  await removeAll(contributionsIn(store, generation), input, write);
  for (const counters of allCountersIn(store, generation)) await removeAll(counters, input, write);
}

async function forget(
  store: ProjectStore,
  removed: readonly Generation[],
  input: WorkerInput,
): Promise<void> {
  const attempt = async () => {
    const stored = await getGenerations(store);
    return stored && (await input.commit([forgetGenerations(store, stored, removed)])) ? again : undefined;
  };
  await retry(attempt, { failure: () => new Error('lost too many races for the generations') });
}
