/**
 * Erases removed resources from their events and deliveries. Their notices are due when no worker can still write data that it read
 * before the removal.
 */

import { eraseFromEvents } from '../events/store/events.ts';
import type { Notice } from '../workers/notice.ts';
import { unschedule } from '../workers/schedule/schedule.ts';
import { TurnOver } from '../workers/turn.ts';
import type { WorkerInput } from '../workers/worker.ts';
import { eraseFromHistory, eraseInTurns } from './erase-history.ts';
import { removalPositions } from './store/positions.ts';

/**
 * Each turn erases something. What is left when the turn is over comes again by itself, without the other notices of the batch.
 * @param worker the worker that gets the notices
 */
export async function eraseRemoved(
  worker: string,
  notices: readonly Notice[],
  input: WorkerInput,
): Promise<void> {
  for (const [at, notice] of notices.entries()) {
    const isErased = (at === 0 || !input.turn.isOver()) && (await eraseOne(notice, input));
    const { table, partition, id } = notice;
    if (isErased) await unschedule(input.store, { worker, table, partition, id }, input);
    // The turn has made progress, so this is no pause in a row.
    else input.later({ ...notice, pauses: 0 }, 0);
  }
}

/** @returns false if the turn is over before */
async function eraseOne({ partition, id, atMs }: Notice, input: WorkerInput): Promise<boolean> {
  const { store } = input;
  const [projectId] = partition;
  try {
    await eraseInTurns(removalPositions.at(store), `${id}#${atMs}`, input, (checkpoint) =>
      projectId === undefined
        ? eraseFromEvents(store, id, input, checkpoint)
        : eraseFromHistory(store.inProject(projectId), id, input, checkpoint),
    );
    return true;
  } catch (error) {
    if (error instanceof TurnOver) return false;
    throw error;
  }
}
