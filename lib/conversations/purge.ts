/**
 * Removes everything that an erased conversation has left: messages, their pointers and words, what it added to the sums,
 * and the responses of Idempotency-Keys. Other workers remove some of it as well; this one waits for nobody, so that
 * `purgedAt` is true. A run may be killed between any two lines: a message goes after all that is found through it.
 */

import { eraseRecordedResponse } from '../idempotency/store.ts';
import { again, retry } from '../retry.ts';
import { timestamp } from '../time.ts';
import { commitEach, commitPatiently } from '../workers/commit-each.ts';
import type { WorkerInput } from '../workers/worker.ts';
import {
  getStoredConversation,
  getTombstone,
  notePurged,
  removeConversation,
  type Tombstone,
} from './store/conversations.ts';
import { getCounted, uncount } from './store/counters.ts';
import { erasedPartitions, isMessage, pageMessageItems, removeMessageItem } from './store/messages.ts';
import { changePostings, indexedMessage } from './store/postings.ts';
import { removeTimer } from './store/timers.ts';

/** With less time left than this, a run stops, and the next one goes on. */
const minRemainingMs = 30_000;
const maxAttempts = 20;

export async function purgeConversation(projectId: string, id: string, input: WorkerInput): Promise<void> {
  const { store } = input;
  const tombstone = await getTombstone(store, projectId, id);
  if (!tombstone || tombstone.purgedAt !== undefined) return;
  // A restore may have brought it back.
  const restored = await getStoredConversation(store, projectId, id);
  if (restored) await commitPatiently(input, removeConversation(store, projectId, restored));
  await removeRemains(projectId, tombstone, input);
  await commitPatiently(input, [notePurged(store, projectId, id, timestamp(input.nowMs()))]);
}

/** Removes what a conversation that is gone has left, but for its entries in the indexes. */
export async function removeRemains(
  projectId: string,
  gone: Pick<Tombstone, 'id' | 'erasedAt'>,
  input: WorkerInput,
): Promise<void> {
  await removeMessages(projectId, gone.id, input);
  await removeCounts(projectId, gone, input);
  await commitPatiently(input, [removeTimer(input.store, projectId, gone.id)]);
}

/**
 * Removes the messages of a conversation that is gone, with all that is found through them.
 * @returns how many items of messages it removed
 */
export async function removeMessages(projectId: string, id: string, input: WorkerInput): Promise<number> {
  const { store } = input;
  let removed = 0;
  for (const within of erasedPartitions(projectId, id)) {
    for (;;) {
      // What was on the page before is gone, so the next one is the first again.
      const { items } = await pageMessageItems(store, within, undefined);
      if (items.length === 0) break;
      const recordRefs = new Set(items.flatMap(({ recordRef }) => recordRef ?? []));
      await commitEach(
        input,
        [...recordRefs].map((recordRef) => eraseRecordedResponse(store, projectId, recordRef)),
      );
      for (const message of items.filter(isMessage)) {
        await input.writeEach(changePostings(store, projectId, indexedMessage(id, message), undefined));
      }
      await commitEach(
        input,
        items.map((item) => removeMessageItem(store, within, item)),
      );
      removed += items.length;
      if (input.remainingMs() < minRemainingMs)
        throw new Error('out of time: the next run continues from here');
    }
  }
  return removed;
}

async function removeCounts(
  projectId: string,
  { id, erasedAt }: Pick<Tombstone, 'id' | 'erasedAt'>,
  input: WorkerInput,
): Promise<void> {
  const { store } = input;
  const removeOnce = async () => {
    const counted = await getCounted(store, projectId, id);
    if (!counted) return undefined;
    const refusal = await commitPatiently(input, await uncount(store, projectId, counted, erasedAt));
    return refusal && again;
  };
  await retry(removeOnce, { maxAttempts, failure: () => new Error('lost too many races for the sums') });
}
