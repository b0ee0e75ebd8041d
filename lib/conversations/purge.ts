/**
 * Removes everything that an erased conversation has left: messages, their pointers and postings, its part of the sums, and
 * the responses in idempotency records. Other workers remove some of it too. This one does not rely on them, so `purgedAt` is
 * correct. A run can be killed between any two lines, so a message is removed after the items that it leads to.
 */

import { eraseRecordedResponse } from '../idempotency/store.ts';
import { again, retry } from '../retry.ts';
import { timestamp } from '../time.ts';
import { commitEach, commitPatiently } from '../workers/commit-each.ts';
import type { Item, WorkerInput } from '../workers/worker.ts';
import { recordPurge, removeConversation } from './store/changes.ts';
import { conversations, type ProjectStore, type Tombstone, tombstones } from './store/conversations.ts';
import { contributions, uncount } from './store/counters.ts';
import { type Items, messagePointers, messages, recordNotes } from './store/messages.ts';
import { changePostings, indexedMessage } from './store/postings.ts';
import { removeTimer } from './store/timers.ts';
import { checkRemainingTime } from './time-limit.ts';

const maxAttempts = 20;
const pageSize = 100;

export async function purgeConversation(store: ProjectStore, id: string, input: WorkerInput): Promise<void> {
  const tombstone = await tombstones.at(store).get(id);
  if (!tombstone || tombstone.purgedAt !== undefined) return;
  // A restore may have brought the conversation back.
  const restored = await conversations.at(store).get(id);
  if (restored) await commitPatiently(input, removeConversation(store, restored));
  await removeRemains(store, tombstone, input);
  await commitPatiently(input, [recordPurge(store, id, timestamp(input.nowMs()))]);
}

/** Removes what is left of a conversation that no longer exists, except its entries in the list index. */
export async function removeRemains(
  store: ProjectStore,
  removed: Pick<Tombstone, 'id' | 'erasedAt'>,
  input: WorkerInput,
): Promise<void> {
  await removeMessages(store, removed.id, input);
  await removeCounts(store, removed, input);
  await commitPatiently(input, [removeTimer(store, removed.id)]);
}

/**
 * Removes the messages of a conversation that no longer exists, and everything that is found through them.
 * @returns the number of removed items in the table of messages
 */
export async function removeMessages(store: ProjectStore, id: string, input: WorkerInput): Promise<number> {
  const eraseRecords = (items: readonly { recordRef?: string }[]) => {
    const recordRefs = new Set(items.flatMap(({ recordRef }) => recordRef ?? []));
    const writes = [...recordRefs].map((ref) => eraseRecordedResponse(store, store.projectId, ref));
    return commitEach(input, writes);
  };
  return (
    (await removeAll(messages.at(store, id), input, async (found) => {
      await eraseRecords(found);
      for (const message of found) {
        await input.writeEach(changePostings(store, indexedMessage(id, message), undefined));
      }
    })) +
    (await removeAll(messagePointers.at(store, id), input)) +
    (await removeAll(recordNotes.at(store, id), input, eraseRecords))
  );
}

/** @param before runs before the items of a page are removed */
async function removeAll<Kind extends Item>(
  items: Items<Kind>,
  input: WorkerInput,
  before: (found: readonly Kind[]) => Promise<void> = async () => {},
): Promise<number> {
  for (let removed = 0; ; ) {
    // The items of the previous page are gone, so this is the first page again.
    const { items: found } = await items.page({ order: 'oldest', limit: pageSize });
    if (found.length === 0) return removed;
    await before(found);
    const writes = found.map(({ id }) => items.remove(id, { condition: { kind: 'any' } }));
    await commitEach(input, writes);
    removed += found.length;
    checkRemainingTime(input);
  }
}

async function removeCounts(
  store: ProjectStore,
  { id, erasedAt }: Pick<Tombstone, 'id' | 'erasedAt'>,
  input: WorkerInput,
): Promise<void> {
  const removeOnce = async () => {
    const counted = await contributions.at(store).get(id);
    if (!counted) return undefined;
    const refusal = await commitPatiently(input, await uncount(store, counted, erasedAt));
    return refusal && again;
  };
  await retry(removeOnce, { maxAttempts, failure: () => new Error('lost too many races for the sums') });
}
