/** What keeps the index of a deployment that becomes current, or is deployed again. */

import type { Deployment } from '../avatars/deployments/schema.ts';
import { type DeploymentItem, getDeployment } from '../avatars/deployments/store/deployments.ts';
import { hasDeployment, type StoredEnvironment } from '../avatars/deployments/store/environments.ts';
import type { ProjectStore } from '../documents/store/documents.ts';
import { findReplacement, isLive, pinIndexVersion } from './store/versions.ts';

type Held = { version: string | null; writes: ReturnType<typeof pinIndexVersion>[] };

/**
 * @returns the version of the index, after an expunge the version that has replaced it, and what keeps it; undefined if it is
 *   retired, because the environment of the deployment was deleted
 */
export async function holdIndex(store: ProjectStore, deployment: Deployment): Promise<Held | undefined> {
  const { id, knowledgeIndexVersion } = deployment;
  if (knowledgeIndexVersion === null) return { version: null, writes: [] };
  const manifest = await findReplacement(store, knowledgeIndexVersion);
  const version = manifest?.id ?? knowledgeIndexVersion;
  const hold = { version, writes: [pinIndexVersion(store, version)] };
  if (manifest && isLive(manifest)) return hold;
  // If an expunge has pointed the deployment to another version since it was read, the write fails, and the request is retried.
  const current = await getDeployment(store, id);
  return current?.knowledgeIndexVersion === knowledgeIndexVersion ? undefined : hold;
}

/**
 * @param environment where the deployment becomes current. Until it is deleted, it keeps the indexes of its deployments
 * @returns as holdIndex. Only a deployment of a deleted environment of the same name costs a read
 */
export async function holdIndexIn(
  store: ProjectStore,
  environment: StoredEnvironment,
  deployment: DeploymentItem,
): Promise<Held | undefined> {
  if (hasDeployment(environment, deployment))
    return { version: deployment.knowledgeIndexVersion, writes: [] };
  return holdIndex(store, deployment);
}
