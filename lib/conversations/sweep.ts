/**
 * Stores that a conversation has timed out, even if nobody uses the conversation. The sweeper uses the current state of the
 * conversation, so changes may arrive twice, late or out of order.
 */

import type { Change } from '../workers/change.ts';
import { type ScheduleInput, schedule, type Target, unschedule } from '../workers/schedule/schedule.ts';
import { commitPatiently } from '../workers/writes.ts';
import { changeConversation } from './store/changes.ts';
import { conversations, type ProjectStore } from './store/conversations.ts';
import { conversationAt } from './store/state.ts';

/** The worker that ends conversations. */
export const sweeper = 'conversation-sweeper';

/** The schedule says when an active conversation may have timed out. */
export const timerOf = ({ projectId }: ProjectStore, id: string): Target => ({
  worker: sweeper,
  table: 'conversations',
  partition: [projectId],
  id,
});

/** @returns whether the change may mean that a timer is missing or unnecessary */
export function affectsTimer({ kind, partition, id, changedBy, before, after }: Change): boolean {
  if (partition.length !== 1 || !id.startsWith('conv_')) return false;
  // The sweeper removes the timer of a conversation that it ends.
  if (changedBy === `worker:${sweeper}`) return false;
  return kind !== 'MODIFY' || before?.status !== after?.status;
}

/** Ends the conversation if it has timed out. Otherwise ensures that it has a timer if, and only if, it is active. */
export async function sweep(store: ProjectStore, id: string, input: ScheduleInput): Promise<void> {
  const timer = timerOf(store, id);
  for (;;) {
    const stored = await conversations.at(store).get(id);
    if (stored?.status !== 'active') return unschedule(store, timer, input);
    const conversation = conversationAt(stored, input.nowMs());
    if (conversation.status === 'ended') {
      const refusal = await commitPatiently(input, changeConversation(store, conversation, {}));
      if (!refusal) return unschedule(store, timer, input);
      // Somebody has changed the conversation meanwhile.
      continue;
    }
    await schedule(store, timer, Date.parse(conversation.timesOutAt), input);
    // The conversation may have ended since it was read. If that change was already handled, only this removes the timer.
    const latestConversation = await conversations.at(store).get(id);
    if (latestConversation?.status === 'active') return;
  }
}
