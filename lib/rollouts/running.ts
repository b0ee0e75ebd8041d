/** The rollout that a request moves. */

import type { StoredEnvironment } from '../avatars/deployments/store/environments.ts';
import { getRollout, lastRollout, type ProjectStore, type StoredRollout } from './store.ts';

/** @returns the rollout that has not ended, or why there is none */
export async function runningRollout(
  store: ProjectStore,
  environment: StoredEnvironment,
): Promise<StoredRollout | 'rollout_ended' | 'not_found'> {
  const running = environment.rollout && (await getRollout(store, environment.rollout.id));
  if (running) return running;
  return (await lastRollout(store, environment.id)) ? 'rollout_ended' : 'not_found';
}
