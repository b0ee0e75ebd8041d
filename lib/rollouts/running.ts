/** The rollout that a request moves. */

import type { StoredEnvironment } from '../avatars/deployments/store/environments.ts';
import type { Moved, MoveError } from './moves.ts';
import { getRollout, lastRollout, type ProjectStore, type RolloutItem, type StoredRollout } from './store.ts';
import { writeMove } from './write-move.ts';

/** @returns the rollout that has not ended, or why there is none */
async function runningRollout(
  store: ProjectStore,
  environment: StoredEnvironment,
): Promise<StoredRollout | 'rollout_ended' | 'not_found'> {
  const running = environment.rollout && (await getRollout(store, environment.rollout.id));
  if (running) return running;
  return (await lastRollout(store, environment.id)) ? 'rollout_ended' : 'not_found';
}

type Refused<Code> = { refused: Code | 'rollout_ended' | 'not_found' | 'version_mismatch' };
type MoveOfRequest = {
  before: StoredRollout;
  rollout: RolloutItem;
  /** Empty if the move changes nothing. */
  writes: Awaited<ReturnType<typeof writeMove>>;
};

/**
 * @param isExpected whether the caller wants to move the rollout in this version
 * @param move decides
 */
export async function moveRunning<Code extends MoveError>(
  store: ProjectStore,
  environment: StoredEnvironment,
  isExpected: (version: number) => boolean,
  move: (rollout: StoredRollout) => Moved<Code>,
): Promise<Refused<Code> | MoveOfRequest> {
  const before = await runningRollout(store, environment);
  if (typeof before === 'string') return { refused: before };
  if (!isExpected(before.version)) return { refused: 'version_mismatch' };
  const moved = move(before);
  if ('refused' in moved) return moved;
  const { rollout } = moved;
  const writes = rollout === before ? [] : await writeMove(store, { rollout: before, environment }, rollout);
  return { before, rollout, writes };
}
