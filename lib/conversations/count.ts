/**
 * Counts a conversation. A change only triggers the count, which uses the current state of the conversation. So changes may
 * arrive twice, late or out of order, and each conversation is counted once.
 */

import { again, retry } from '../retry.ts';
import { timestamp } from '../time.ts';
import type { Change } from '../workers/change.ts';
import { commitPatiently } from '../workers/commit-each.ts';
import type { Notice } from '../workers/notice.ts';
import type { WorkerInput } from '../workers/worker.ts';
import { reopenErasure } from './store/changes.ts';
import {
  conversations,
  type ProjectStore,
  type StoredConversation,
  tombstones,
} from './store/conversations.ts';
import { type Counts, contributions, count, type Group, uncount } from './store/counters.ts';
import { showConversation } from './store/state.ts';

const maxAttempts = 20;

/** @returns whether the change is of a conversation, and may affect the sums */
export function affectsCounts({ kind, partition, id, before, after }: Change): boolean {
  if (partition.length !== 1 || !id.startsWith('conv_')) return false;
  return (
    kind !== 'MODIFY' ||
    before?.messageCount !== after?.messageCount ||
    before?.lastMessageAt !== after?.lastMessageAt
  );
}

export async function countConversation(
  store: ProjectStore,
  { id, atMs }: Pick<Notice, 'id' | 'atMs'>,
  input: Pick<WorkerInput, 'commit' | 'sleep'>,
): Promise<void> {
  const countOnce = async () => {
    // Read first: if this is unchanged at the commit, no other run has counted a later state of the conversation.
    const counted = await contributions.at(store).get(id);
    const [conversation, tombstone] = await Promise.all([
      conversations.at(store).get(id),
      tombstones.at(store).get(id),
    ]);
    // A restore has brought the conversation back. The eraser removes it again.
    if (conversation && tombstone?.purgedAt) {
      await commitPatiently(input, [reopenErasure(store, tombstone)]);
    }
    const writes =
      conversation && !tombstone
        ? count(store, counted, { id, ...currentCounts(conversation) }, timestamp(atMs))
        : counted
          ? await uncount(store, counted, timestamp(atMs))
          : [];
    const refusal = writes.length > 0 ? await commitPatiently(input, writes) : undefined;
    return refusal && again;
  };
  await retry(countOnce, { maxAttempts, failure: () => new Error('lost too many races for the sums') });
}

function currentCounts(conversation: StoredConversation): Group & Counts {
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
