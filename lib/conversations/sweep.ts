/**
 * Stores that a conversation has timed out, even if nobody uses it any more. The sweeper uses the current state of the
 * conversation, so changes may arrive twice, late or out of order.
 */

import type { Change } from '../workers/change.ts';
import { commitPatiently } from '../workers/commit-each.ts';
import type { WorkerInput } from '../workers/worker.ts';
import { changeConversation } from './store/changes.ts';
import { conversations, type ProjectStore } from './store/conversations.ts';
import { conversationAt } from './store/state.ts';
import { removeTimer, setTimer, timersPartition } from './store/timers.ts';

/** @returns whether the change may mean that a timer is missing, unnecessary or due */
export function affectsTimer({ kind, partition, id, before, after }: Change): boolean {
  const [projectId, kindOfItem] = partition;
  if (!projectId || !id.startsWith('conv_')) return false;
  if (kindOfItem !== undefined) return kindOfItem === timersPartition && kind === 'REMOVE';
  return kind !== 'MODIFY' || before?.status !== after?.status;
}

/** Ends the conversation if it has timed out. Otherwise ensures that it has a timer if, and only if, it is active. */
export async function sweep(
  store: ProjectStore,
  id: string,
  input: Pick<WorkerInput, 'commit' | 'sleep' | 'nowMs'>,
): Promise<void> {
  for (;;) {
    const stored = await conversations.at(store).get(id);
    if (stored?.status !== 'active') {
      await commitPatiently(input, [removeTimer(store, id)]);
      return;
    }
    const conversation = conversationAt(stored, input.nowMs());
    if (conversation.status === 'ended') {
      if (!(await commitPatiently(input, changeConversation(store, conversation, {})))) return;
      // Somebody has changed the conversation meanwhile.
      continue;
    }
    await commitPatiently(input, [setTimer(store, conversation)]);
    // The conversation may have ended since it was read. If that change was already handled, only this removes it.
    const since = await conversations.at(store).get(id);
    if (since?.status === 'active') return;
  }
}
