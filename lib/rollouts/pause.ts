/** Pauses the rollouts of credentials that have ended with everything that they have started. Nothing changes for users. */

import { timestamp } from '../base/time.ts';
import { type PauseInput, pauseSetBy } from '../workers/pause-set.ts';
import type { WorkerInput } from '../workers/worker.ts';
import { credentialRevoked, heldMs, pause } from './moves.ts';
import { changeRollout, getRollout, movesByItself, rolloutSetters } from './store.ts';

/** A repeated call changes nothing. A rollout that somebody has paused before stays as it is. */
export async function pauseRolloutsOf(
  keys: ReadonlySet<string>,
  input: PauseInput & Pick<WorkerInput, 'organisation'>,
): Promise<void> {
  const paused = {
    setters: rolloutSetters,
    get: async (...place: Parameters<typeof getRollout>) => {
      const rollout = await getRollout(...place);
      if (!rollout) return undefined;
      return { ...rollout, pausedReason: movesByItself(rollout) ? null : 'key_revoked' };
    },
    pause(store: Parameters<typeof getRollout>[0], { pausedReason: _, ...rollout }: Found) {
      const nowMs = input.nowMs();
      const actor = { at: timestamp(nowMs), by: 'worker:key-revoker', reason: credentialRevoked };
      const moved = pause(rollout, heldMs(rollout, input.organisation, nowMs), actor);
      return 'rollout' in moved ? changeRollout(store, rollout, moved.rollout) : [];
    },
  };
  await pauseSetBy<Found>(paused, keys, input);
}

type Found = NonNullable<Awaited<ReturnType<typeof getRollout>>> & { pausedReason: string | null };
