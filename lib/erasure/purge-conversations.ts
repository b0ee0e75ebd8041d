/**
 * Removes the remaining data of an erased conversation: messages, their pointers and postings, scores, its part of the sums, the responses
 * in idempotency records, the data of its events and deliveries, and the files of exports. Other workers remove some of this data
 * too. This worker does not rely on them, so `purgedAt` is correct. It begins after a fixed pause (lib/runtime/fence.ts). After this
 * pause, every worker that still writes has seen the erasure. A run can be killed between any two lines, so a message is removed
 * after the items that it leads to.
 */

import { again, retry } from '../base/retry.ts';
import { timestamp } from '../base/time.ts';
import { removePartsWithRecord } from '../bulk/exports/files/remove.ts';
import { recordPurge, removeConversation } from '../conversations/store/changes.ts';
import {
  conversations,
  type ProjectStore,
  type Tombstone,
  tombstones,
} from '../conversations/store/conversations.ts';
import { contributionsIn, recount } from '../conversations/store/counters.ts';
import { getGenerations, storedGenerations } from '../conversations/store/generations.ts';
import { removeEntries } from '../conversations/store/list-index.ts';
import { messagePointers, messages, recordNotes } from '../conversations/store/messages.ts';
import { removePostings } from '../conversations/store/postings.ts';
import { scored, scores, valuesOfScores } from '../conversations/store/scores.ts';
import { timerOf } from '../conversations/sweep.ts';
import { reservations } from '../evaluations/store/reservations.ts';
import { previewsOf } from '../evaluations/store/runs.ts';
import { eraseRecordedResponse } from '../idempotency/store.ts';
import { replyContents } from '../replies/store/contents.ts';
import { unschedule } from '../workers/schedule/schedule.ts';
import type { WorkerInput, Write } from '../workers/worker.ts';
import { commitEach, commitPatiently, removeAll, waitForFence } from '../workers/writes.ts';
import { eraseFromHistory, eraseInTurns } from './erase-history.ts';
import { purgePositions } from './store/positions.ts';

/**
 * @param erasedMs a time at which the erasure had taken effect: epoch milliseconds
 * @returns whether something was left to do
 * @throws TurnOver after a piece that the next turn does not find again
 */
export async function purgeConversation(
  store: ProjectStore,
  id: string,
  erasedMs: number,
  input: WorkerInput,
): Promise<boolean> {
  const tombstone = await tombstones.at(store).get(id);
  if (!tombstone || tombstone.purgedAt !== undefined) return false;
  await waitForFence(input, erasedMs);
  await removePartsWithRecord(store, 'conversations', id, 'conversation_erased', input);
  // A restore may have brought the conversation back.
  const conversation = await conversations.at(store).get(id);
  if (conversation) await commitPatiently(input, await removeConversation(store, conversation));
  await removeRemains(store, tombstone, input);
  await commitPatiently(input, [recordPurge(store, id, timestamp(input.nowMs()))]);
  return true;
}

/** Removes the remaining data of a conversation that no longer exists, except its entries in the list index. */
export async function removeRemains(
  store: ProjectStore,
  tombstone: Pick<Tombstone, 'id' | 'erasedAt'>,
  input: WorkerInput,
): Promise<void> {
  await removeMessages(store, tombstone.id, input);
  await removeScores(store, tombstone.id, input);
  await removeAll(previewsOf(store, tombstone.id), input, (writes) => commitEach(input, writes));
  await removeCounts(store, tombstone, input);
  await eraseInTurns(purgePositions.at(store), tombstone.id, input, (checkpoint) =>
    eraseFromHistory(store, tombstone.id, input, checkpoint),
  );
  await unschedule(store, timerOf(store, tombstone.id), input);
}

/**
 * Removes the messages of a conversation that no longer exists, and everything that is found through them.
 * @param count gets the number of removed items after each page
 */
export async function removeMessages(
  store: ProjectStore,
  id: string,
  input: WorkerInput,
  count?: (removed: number) => void,
): Promise<void> {
  const eraseRecords = (items: readonly { recordRef?: string }[]) => {
    const recordRefs = new Set(items.flatMap(({ recordRef }) => recordRef ?? []));
    const writes = [...recordRefs].map((ref) => eraseRecordedResponse(store, store.projectId, ref));
    return commitEach(input, writes);
  };
  const write = (writes: readonly Write<never>[]) => commitEach(input, writes);
  const generations = storedGenerations(await getGenerations(store));
  const counted = count && { count };
  await removeAll(messages.at(store, id), input, write, {
    ...counted,
    async before(found) {
      await eraseRecords(found);
      const indexed = found.map(({ seq, text }) => ({ conversationId: id, seq, text }));
      for (const generation of generations) {
        await input.writeEach(removePostings(store, generation, indexed));
      }
    },
  });
  await removeAll(messagePointers.at(store, id), input, write, counted);
  await removeAll(recordNotes.at(store, id), input, write, { before: eraseRecords, ...counted });
  for (const items of replyContents(store, id)) await removeAll(items, input, write, counted);
}

/**
 * Removes the scores of a conversation that no longer exists, with their entries in the list index.
 * @param count gets the number of removed facts after each page
 */
export async function removeScores(
  store: ProjectStore,
  id: string,
  input: WorkerInput,
  count?: (removed: number) => void,
): Promise<void> {
  const write = (writes: readonly Write<never>[]) => commitEach(input, writes);
  const counted = count && { count };
  await removeAll(scores.at(store, id), input, write, counted);
  await removeAll(reservations.at(store, id), input, write, counted);
  const summary = await scored.at(store).get(id);
  // The summary goes last, because it leads to the entries.
  if (summary) {
    await write(removeEntries(store, id, valuesOfScores(summary)));
    await write([scored.at(store).remove(id, { condition: { kind: 'any' } })]);
  }
}

async function removeCounts(
  store: ProjectStore,
  { id, erasedAt }: Pick<Tombstone, 'id' | 'erasedAt'>,
  input: WorkerInput,
): Promise<void> {
  for (const generation of storedGenerations(await getGenerations(store))) {
    const removeOnce = async () => {
      const before = await contributionsIn(store, generation).get(id);
      if (!before) return undefined;
      const difference = { id, before, after: undefined };
      const refusal = await commitPatiently(input, await recount(store, generation, [difference], erasedAt));
      return refusal && again;
    };
    await retry(removeOnce, {
      failure: () => new Error('lost too many races for the sums'),
    });
  }
}
