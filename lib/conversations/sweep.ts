/**
 * Writing down that a conversation has ended by time, though nobody asks for it any more. Whatever woke the sweeper, it
 * goes by what the conversation is now; so a change that comes twice, late or out of order does no harm.
 */

import type { Change } from '../workers/change.ts';
import { commitPatiently } from '../workers/commit-each.ts';
import type { WorkerInput } from '../workers/worker.ts';
import { asOf, changeConversation, getStoredConversation } from './store/conversations.ts';
import { removeTimer, setTimer, timersPartition } from './store/timers.ts';

/** @returns whether a change may mean that a conversation has no timer and needs one, has one and needs none, or is due */
export function concernsTimer({ kind, partition, before, after }: Change): boolean {
  const [, timers] = partition;
  if (timers !== undefined) return timers === timersPartition && kind === 'REMOVE';
  return kind !== 'MODIFY' || before?.status !== after?.status;
}

/** Ends the conversation where it has timed out; else sees to it that it has a timer exactly while it is active. */
export async function sweep(projectId: string, id: string, input: WorkerInput): Promise<void> {
  const { store, nowMs } = input;
  for (;;) {
    const stored = await getStoredConversation(store, projectId, id);
    if (stored?.status !== 'active') {
      await commitPatiently(input, [removeTimer(store, projectId, id)]);
      return;
    }
    const conversation = asOf(stored, nowMs());
    if (conversation.status === 'ended') {
      const ending = changeConversation(store, { id: projectId }, conversation, {});
      // Refused where somebody has changed it meanwhile: it is looked at again.
      if (!(await commitPatiently(input, ending))) return;
      continue;
    }
    await commitPatiently(input, [setTimer(store, projectId, conversation)]);
    // It may have ended between the read and the timer, and its end been worked off: then the timer has to go again.
    const since = await getStoredConversation(store, projectId, id);
    if (since?.status === 'active') return;
  }
}
