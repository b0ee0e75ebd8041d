/** The configuration that a runtime reads: what a deployment has frozen. */

import type { ProjectStore } from '../../../dynamodb/store.ts';
import { getAvatarVersions } from '../../store.ts';
import type { Deployment, EnvironmentConfig } from '../schema.ts';

type Frozen = Pick<Deployment, 'avatars' | 'knowledgeIndexVersion' | 'configHash'> & { deploymentId: string };

/** @returns the entity tag */
export const configTag = ({ configHash }: Pick<EnvironmentConfig, 'configHash'>): string => `"${configHash}"`;

/** @returns what was frozen, with the content of the avatars */
export async function readConfig(
  store: ProjectStore,
  environment: string,
  { deploymentId, configHash, knowledgeIndexVersion, avatars }: Frozen,
): Promise<EnvironmentConfig> {
  const versions = await getAvatarVersions(store, avatars);
  const contents = versions.map(({ avatarId, ...content }) => ({ ...content, id: avatarId }));
  return { environment, deploymentId, configHash, knowledgeIndexVersion, avatars: contents };
}
