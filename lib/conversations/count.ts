/**
 * Counting a conversation. A change says only that there is something to count; what is counted is what the conversation
 * is by now. So changes may come twice, late or out of order, and each conversation is in the sums once, as it is.
 */

import { again, retry } from '../retry.ts';
import { timestamp } from '../time.ts';
import type { Change } from '../workers/change.ts';
import { commitPatiently } from '../workers/commit-each.ts';
import type { WorkerInput } from '../workers/worker.ts';
import {
  getStoredConversation,
  getTombstone,
  reopenErasure,
  type StoredConversation,
  showConversation,
} from './store/conversations.ts';
import { type Counts, count, type Group, getCounted, uncount } from './store/counters.ts';

const maxAttempts = 20;

/** @returns whether the change is one of a conversation, and of what is counted of it */
export function concernsCounts({ kind, partition, before, after }: Change): boolean {
  if (partition.length !== 1) return false;
  return (
    kind !== 'MODIFY' ||
    before?.messageCount !== after?.messageCount ||
    before?.lastMessageAt !== after?.lastMessageAt
  );
}

export async function countConversation(
  projectId: string,
  { id, atMs }: Pick<Change, 'id' | 'atMs'>,
  input: Pick<WorkerInput, 'store' | 'commit' | 'sleep'>,
): Promise<void> {
  const { store } = input;
  const countOnce = async () => {
    // In this order: who writes on what was counted then has seen the conversation as it was then, or later.
    const counted = await getCounted(store, projectId, id);
    const [conversation, tombstone] = await Promise.all([
      getStoredConversation(store, projectId, id),
      getTombstone(store, projectId, id),
    ]);
    // A restore has brought it back: the eraser removes it again.
    if (conversation && tombstone?.purgedAt) {
      await commitPatiently(input, [reopenErasure(store, projectId, tombstone)]);
    }
    const writes =
      conversation && !tombstone
        ? count(store, projectId, id, counted, countsOf(conversation), timestamp(atMs))
        : counted
          ? await uncount(store, projectId, counted, timestamp(atMs))
          : [];
    const refusal = writes.length > 0 ? await commitPatiently(input, writes) : undefined;
    return refusal && again;
  };
  const failure = () => new Error('lost too many races for the counts of the conversation');
  await retry(countOnce, { maxAttempts, failure });
}

function countsOf(conversation: StoredConversation): Group & Counts {
  const { startedAt, avatarId, channel, messageCount } = conversation;
  const { durationSeconds } = showConversation(conversation);
  return {
    day: startedAt.slice(0, 10),
    avatarId,
    channel,
    conversations: 1,
    messages: messageCount,
    durationSeconds,
  };
}
