/** The writes of a move: the rollout, its environment, and the deployments whose phase changes. All are one transaction. */

import {
  getDeployment,
  markCurrent,
  type StoredDeployment,
} from '../avatars/deployments/store/deployments.ts';
import {
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

/** What a move is decided on. */
export type MoveFrom = {
  rollout: StoredRollout;
  environment: StoredEnvironment;
};

type Writes = ReturnType<typeof changeRollout>;

/** @param after the rollout after the move. Its end may change the deployments, which are read then */
export async function writeMove(
  store: ProjectStore,
  { rollout: before, environment }: MoveFrom,
  after: RolloutItem,
): Promise<Writes> {
  const moved = await moveEnvironment(store, environment, before, after);
  return [...changeRollout(store, before, after), ...moved];
}

async function moveEnvironment(
  store: ProjectStore,
  environment: StoredEnvironment,
  before: RolloutItem,
  after: RolloutItem,
): Promise<Writes> {
  const at = after.history.at(-1)?.at ?? after.since;
  if (after.status === 'completed') {
    const candidate = await readSide(store, before.deploymentId);
    const changes = { phase: 'current', promotedAt: at, ...generationOf(environment) } as const;
    return [...promote(store, environment, candidate, at).writes, markCurrent(store, candidate, changes)];
  }
  if (after.status === 'rolled_back') {
    const rollback = { from: after.deploymentId, reason: after.reason, at, by: after.by };
    return rollBack(store, environment, await readSide(store, before.currentDeploymentId), rollback).writes;
  }
  const { candidate } = environment.rollout ?? {};
  // A pause and a wait change nothing for users.
  if (!candidate || (after.endedAt === null && after.percent === before.percent)) return [];
  return [
    putEnvironment(store, environment, { ...withRollout(environment, after, candidate), updatedAt: at }),
  ];
}

/** Deployments are never removed, but a restore may have lost the latest ones. */
async function readSide(store: ProjectStore, id: string): Promise<StoredDeployment> {
  const deployment = await getDeployment(store, id);
  if (!deployment) throw new Error(`the deployment ${id} of a rollout does not exist`);
  return deployment;
}

/** @returns the writes that end the rollout of an environment, besides those of the environment itself; none without a rollout */
export async function endRollout(
  store: ProjectStore,
  environment: StoredEnvironment,
  status: EndStatus,
  actor: Actor,
): Promise<Writes> {
  const rollout = environment.rollout && (await getRollout(store, environment.rollout.id));
  const ended = rollout && end(rollout, status, actor);
  return ended && 'rollout' in ended ? changeRollout(store, rollout, ended.rollout) : [];
}
