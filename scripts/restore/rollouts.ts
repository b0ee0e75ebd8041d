/**
 * Rollouts and environments that were lost and come back with a restore. What one of them was when it was lost may not fit to what the
 * other one is now: an environment that serves the candidate of a rollout that has ended could never be changed again.
 */

import { getDeployment } from '../../lib/avatars/deployments/store/deployments.ts';
import {
  environments,
  getEnvironment,
  type ServedDeployment,
} from '../../lib/avatars/deployments/store/environments.ts';
import { timestamp } from '../../lib/base/time.ts';
import type { ProjectStore } from '../../lib/dynamodb/store.ts';
import type { Item } from '../../lib/dynamodb/write.ts';
import { end, pause } from '../../lib/rollouts/moves.ts';
import {
  getRollout,
  lastRollout,
  type RolloutItem,
  rollouts,
  withRollout,
} from '../../lib/rollouts/store.ts';

/**
 * @param store of the stage, which lacks the rollout
 * @returns the rollout as it is copied: paused, until somebody has looked at it; aborted if its environment has ended it since
 */
export async function returningRollout(store: ProjectStore, item: Item, nowMs: number): Promise<Item> {
  const rollout = rollouts.read(item);
  const environment = await getEnvironment(store, rollout.environment);
  const actor = { at: timestamp(nowMs), by: 'script:copy-missing', reason: 'restored' };
  const isServed = environment === undefined || environment.rollout?.id === rollout.id;
  const moved = isServed ? pause(rollout, 0, actor) : end(rollout, 'aborted', actor);
  if ('refused' in moved) return item;
  const { hold: _, holdLeftMs: __, ...rest } = item;
  return { ...rest, tenant: item.tenant, ...moved.rollout };
}

/**
 * @param store of the stage, which lacks the environment
 * @returns the environment as it is copied, with the rollout that it has now
 */
export async function returningEnvironment(store: ProjectStore, item: Item): Promise<Item> {
  const environment = environments.read(item);
  const served = environment.rollout;
  const last = await lastRollout(store, environment.id);
  const running = last?.endedAt === null ? last : served && (await getRollout(store, served.id));
  // Otherwise its rollout is lost, too, and comes back.
  if (!running) return item;
  const candidate = served?.id === running.id ? served.candidate : await candidateOf(store, running);
  const { rollout: _, ...rest } = item;
  if (!candidate) return { ...rest, tenant: item.tenant, id: item.id };
  const { rollout } = withRollout(environment, running, candidate);
  return { ...rest, tenant: item.tenant, id: item.id, ...(rollout && { rollout }) };
}

async function candidateOf(
  store: ProjectStore,
  { deploymentId }: RolloutItem,
): Promise<ServedDeployment | undefined> {
  const deployment = await getDeployment(store, deploymentId);
  if (!deployment) return undefined;
  const { avatars, knowledgeIndexVersion, configHash } = deployment;
  return { deploymentId, avatars, knowledgeIndexVersion, configHash };
}
