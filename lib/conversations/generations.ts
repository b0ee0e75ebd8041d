/** The generations of the index and the sums: a worker creates the first, and removes those that are not used any more. */

import { pagesOf } from '../base/pages.ts';
import type { WorkerInput, Write } from '../workers/worker.ts';
import { commitPatiently, removeAll } from '../workers/writes.ts';
import { type ProjectStore, tombstones } from './store/conversations.ts';
import { allCountersIn, contributionsIn } from './store/counters.ts';
import {
  forgetGeneration,
  getGenerations,
  moveRemoval,
  openGenerations,
  type StoredGenerations,
  type UnusedGeneration,
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
 * Stores how far a removal is, and may stop the run. What may stop is the next turn's to go on.
 * @param decide returns the writes for these generations
 */
type Save = (decide: (stored: StoredGenerations) => readonly Write[]) => Promise<unknown>;

const erasedMark = '~';

/**
 * Removes unused generations. A run can be killed between any two lines. Removing something twice has no effect.
 * @param isWanted whether it removes a generation
 */
export async function removeGenerations(
  store: ProjectStore,
  input: WorkerInput,
  isWanted: (generation: UnusedGeneration) => boolean,
  save: Save,
): Promise<void> {
  const { removing = [] } = (await getGenerations(store)) ?? {};
  for (const generation of removing.filter(isWanted)) await removeGeneration(store, generation, input, save);
}

/**
 * Where a removal continues:
 *
 *   <conversation>                                  after this conversation
 *   <conversation> <next conversation> <message>    after this message of the next one
 *   ~<conversation>…                                the same among erased conversations, which come last
 */
async function removeGeneration(
  store: ProjectStore,
  generation: UnusedGeneration,
  input: WorkerInput,
  save: Save,
): Promise<void> {
  const { upTo = '' } = generation;
  let position = upTo;
  const moveTo = (next: string) => {
    position = next;
    return save((stored) => moveRemoval(store, stored, generation, next));
  };
  // A worker that has read the generations before may still write them. The position says that this time is over.
  if (upTo === '') {
    await input.sleep(input.fence.waitMs);
    await moveTo(' ');
  }
  const isAmongErased = upTo.startsWith(erasedMark);
  const [first, partId, partAfter] = upTo.slice(isAmongErased ? erasedMark.length : 0).split(' ');
  const remove = async (id: string, previous: string) => {
    const begin = id === partId ? partAfter : undefined;
    for await (const messages of pagesOf((after = begin) => pageStoredMessages(store, id, after, pageSize))) {
      await input.writeEach(removePostings(store, generation, messages));
      const last = messages.at(-1);
      if (last && messages.length === pageSize) await moveTo(`${previous} ${id} ${last.id}`);
    }
  };
  if (!isAmongErased) {
    let previous = first ?? '';
    const pageFrom = (after = previous || undefined) => pageStoredConversations(store, after, pageSize);
    for await (const page of pagesOf(pageFrom)) {
      for (const { id } of page) {
        await remove(id, previous);
        previous = id;
        if (input.turn.isOver()) await moveTo(previous);
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
      if (input.turn.isOver()) await moveTo(erasedMark + previous);
    }
    if (page.length > 0) await moveTo(erasedMark + previous);
  }
  const write = async (writes: readonly Write[]) => {
    await input.writeEach(writes);
    await moveTo(position);
  };
  await removeAll(contributionsIn(store, generation), input, write);
  for (const counters of allCountersIn(store, generation)) await removeAll(counters, input, write);
  await save((stored) => [forgetGeneration(store, stored, generation)]);
}
