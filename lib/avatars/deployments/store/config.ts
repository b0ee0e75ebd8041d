/** The configuration that a runtime reads: what a deployment has frozen. */

import type { ProjectStore } from '../../../dynamodb/store.ts';
import { frozenAvatar, getAvatarVersions } from '../../store.ts';
import type { Deployment, EnvironmentConfig, FrozenAvatar } from '../schema.ts';

type Frozen = Pick<Deployment, 'avatars' | 'knowledgeIndexVersion' | 'configHash'> & { deploymentId: string };

type Rollout = EnvironmentConfig['rollout'];

/** @returns the entity tag. While a rollout runs, it covers the rollout and the assignment of the unit, if there is one */
export function configTag({
  configHash,
  rollout,
}: Pick<EnvironmentConfig, 'configHash' | 'rollout'>): string {
  if (rollout === null) return `"${configHash}"`;
  const { id, span, percent, candidate, assignment = `${id}.${span}` } = rollout;
  return `"${[configHash, percent, candidate.configHash, assignment].join('.')}"`;
}

/** @returns the content of the avatars, sorted by id */
export async function getFrozenAvatars(
  store: ProjectStore,
  references: Deployment['avatars'],
): Promise<FrozenAvatar[]> {
  const versions = await getAvatarVersions(store, references);
  return versions.map(frozenAvatar);
}

/** @returns what was frozen, with the content of the avatars */
export async function readConfig(
  store: ProjectStore,
  environment: string,
  { deploymentId, configHash, knowledgeIndexVersion, avatars }: Frozen,
  rollout: Rollout = null,
): Promise<EnvironmentConfig> {
  const contents = await getFrozenAvatars(store, avatars);
  return { environment, deploymentId, configHash, knowledgeIndexVersion, avatars: contents, rollout };
}
