/** The writes of a move: the rollout, its environment, and the deployments whose phase changes. All are one transaction. */

import { markCurrent, type StoredDeployment } from '../avatars/deployments/store/deployments.ts';
import {
  type EnvironmentItem,
  generationOf,
  promote,
  putEnvironment,
  rollBack,
  type StoredEnvironment,
} from '../avatars/deployments/store/environments.ts';
import { type Actor, type EndStatus, end } from './moves.ts';
import {
  changeRollout,
  getRollout,
  type ProjectStore,
  type RolloutItem,
  type StoredRollout,
  withRollout,
} from './store.ts';

/** What a move is decided on. `candidate` and `current` are read for a move that ends the rollout. */
export type MoveFrom = {
  rollout: StoredRollout;
  environment: StoredEnvironment;
};

/** The deployments that the end of a rollout may change. */
export type Sides = { candidate: StoredDeployment; current: StoredDeployment };

type Written = { environment: EnvironmentItem; writes: ReturnType<typeof changeRollout> };

/**
 * @param sides needed only if the move ends the rollout as `completed` or `rolled_back`
 * @returns the environment after the move, and the writes
 */
export function writeMove(
  store: ProjectStore,
  { rollout: before, environment }: MoveFrom,
  after: RolloutItem,
  sides: Sides | undefined,
): Written {
  const { writes, environment: served } = moveEnvironment(store, environment, before, after, sides);
  return { environment: served, writes: [...changeRollout(store, before, after), ...writes] };
}

function moveEnvironment(
  store: ProjectStore,
  environment: StoredEnvironment,
  before: RolloutItem,
  after: RolloutItem,
  sides: Sides | undefined,
): Written {
  const at = after.history.at(-1)?.at ?? after.since;
  if (after.status === 'completed' && sides) {
    const { environment: served, writes } = promote(store, environment, sides.candidate, at);
    const changes = { phase: 'current', promotedAt: at, ...generationOf(environment) } as const;
    return { environment: served, writes: [...writes, markCurrent(store, sides.candidate, changes)] };
  }
  if (after.status === 'rolled_back' && sides) {
    const rollback = { from: after.deploymentId, reason: after.reason, at, by: after.by };
    return rollBack(store, environment, sides.current, rollback);
  }
  const { candidate } = environment.rollout ?? {};
  // A pause and a wait change nothing for users.
  if (!candidate || (after.endedAt === null && after.percent === before.percent))
    return { environment, writes: [] };
  const served = { ...withRollout(environment, after, candidate), updatedAt: at };
  return { environment: served, writes: [putEnvironment(store, environment, served)] };
}

/** @returns the writes that end the rollout of an environment, besides those of the environment itself; none without a rollout */
export async function endRollout(
  store: ProjectStore,
  environment: StoredEnvironment,
  status: EndStatus,
  actor: Actor,
): Promise<ReturnType<typeof changeRollout>> {
  const rollout = environment.rollout && (await getRollout(store, environment.rollout.id));
  const ended = rollout && end(rollout, status, actor);
  return ended && 'rollout' in ended ? changeRollout(store, rollout, ended.rollout) : [];
}
