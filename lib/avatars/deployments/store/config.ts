/** The configuration that a runtime reads: what a deployment has frozen. */

import type { ProjectStore } from '../../../dynamodb/store.ts';
import { frozenAvatar, getAvatarVersions } from '../../store.ts';
import type { Deployment, EnvironmentConfig, FrozenAvatar } from '../schema.ts';

type Frozen = Pick<Deployment, 'avatars' | 'knowledgeIndexVersion' | 'configHash'> & { deploymentId: string };

/** @returns the entity tag */
export const configTag = ({ configHash }: Pick<EnvironmentConfig, 'configHash'>): string => `"${configHash}"`;

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
): Promise<EnvironmentConfig> {
  const contents = await getFrozenAvatars(store, avatars);
  return { environment, deploymentId, configHash, knowledgeIndexVersion, avatars: contents };
}
