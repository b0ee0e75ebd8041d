/**
 * Removing what an erased conversation has left: its messages, their pointers, and what records of Idempotency-Keys
 * answered. A run may be killed between any two lines: a message, or a note, goes after the record that it names.
 */

import { commitEach, commitPatiently } from '../commit-each.ts';
import { getTombstone, notePurged } from '../store/conversations.ts';
import { eraseRecordedAnswer } from '../store/idempotency.ts';
import { erasedPartitions, pageMessageItems, removeMessageItem } from '../store/messages.ts';
import { timestamp } from '../time.ts';
import type { WorkerInput } from '../worker.ts';

/** With less time left than this, a run stops, and the next one goes on. */
const enoughMs = 30_000;

export async function purgeConversation(projectId: string, id: string, input: WorkerInput): Promise<void> {
  const { store } = input;
  const tombstone = await getTombstone(store, projectId, id);
  if (!tombstone || tombstone.purgedAt !== undefined) return;
  for (const within of erasedPartitions(projectId, id)) {
    for (;;) {
      // What was on the page before is gone, so the next one is the first again.
      const { items } = await pageMessageItems(store, within, undefined);
      if (items.length === 0) break;
      await eraseAnswers(
        input,
        projectId,
        items.flatMap(({ recordRef }) => recordRef ?? []),
      );
      const removals = items.map((item) => removeMessageItem(store, within, item));
      await commitEach(input, removals);
      if (input.remainingMs() < enoughMs) throw new Error('out of time: the next run goes on from here');
    }
  }
  await commitPatiently(input, [notePurged(store, projectId, id, timestamp(input.nowMs()))]);
}

const eraseAnswers = (input: WorkerInput, projectId: string, recordRefs: readonly string[]) =>
  commitEach(
    input,
    [...new Set(recordRefs)].map((recordRef) => eraseRecordedAnswer(input.store, projectId, recordRef)),
  );
