/**
 * Deployments, in the partition of their project. A deployment refers to versions of avatars, which have the content. Its phase
 * changes together with its environment. Only an expunge changes something else: it replaces the index.
 */

import { hash } from 'node:crypto';
import type { Caller } from '../../../base/caller.ts';
import { idRangeOf } from '../../../base/ids.ts';
import { canonicalJson } from '../../../base/json.ts';
import { withDiscreetNext } from '../../../base/pages.ts';
import { projectCollection, type Stored, unchanged } from '../../../dynamodb/collection.ts';
import { load } from '../../../dynamodb/load.ts';
import type { Page, ProjectStore } from '../../../dynamodb/store.ts';
import type { Write } from '../../../dynamodb/write.ts';
import type { Deployment, FreezableAvatar } from '../schema.ts';

const { first: from, last: to } = idRangeOf('deployment');

/**
 * `generation` names the environment that it belongs to, among those that have had this name. It is the id of the deployment that
 * created the environment, and missing in an environment that was created before environments could be deleted.
 */
export type DeploymentItem = Deployment & { generation?: string };

export type StoredDeployment = Stored<DeploymentItem>;

export const deployments = projectCollection<StoredDeployment>('deployments');

export const deploymentInPath = load({
  from: [deployments],
  read: (get, { deployment_id }: { deployment_id: string }) => get(deployments, deployment_id),
});

export const getDeployment = (store: ProjectStore, id: string): Promise<StoredDeployment | undefined> =>
  deployments.at(store).get(id);

type Bound = Pick<Caller, 'environments'>;

/** @returns whether the deployment is in an environment of the caller. Without a deployment, nothing belongs to an environment */
export async function isWithin(
  store: ProjectStore,
  { environments }: Bound,
  deploymentId: string | null,
): Promise<boolean> {
  if (environments === null || deploymentId === null) return true;
  const deployment = await getDeployment(store, deploymentId);
  return deployment !== undefined && environments.includes(deployment.environment);
}

/** @returns those of the deployments that are in the environments */
export async function deploymentsWithin(
  store: ProjectStore,
  environments: readonly string[],
  deploymentIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const ids = [...new Set(deploymentIds)];
  const found = ids.length > 0 ? await deployments.at(store).getMany(ids) : [];
  return new Set(found.filter(({ environment }) => environments.includes(environment)).map(({ id }) => id));
}

/** @returns the items whose deployment is in an environment of the caller, or that have none */
export async function withinEnvironments<Item extends { deploymentId: string | null }>(
  store: ProjectStore,
  { environments }: Bound,
  items: readonly Item[],
): Promise<readonly Item[]> {
  if (environments === null) return items;
  const ids = items.flatMap(({ deploymentId }) => deploymentId ?? []);
  const allowed = await deploymentsWithin(store, environments, ids);
  return items.filter(({ deploymentId }) => deploymentId === null || allowed.has(deploymentId));
}

export type DeploymentList = {
  /** The environments of the caller; null or missing for all. */
  environments?: readonly string[] | null;
  environment: string | undefined;
  phase: Deployment['phase'] | undefined;
  /** The prefix is in lower case. */
  shaPrefix: string | undefined;
  after: string | undefined;
  limit: number;
};

/** @returns a page, newest first. Its `next` names no deployment of another environment */
export async function listDeployments(
  store: ProjectStore,
  { environments = null, environment, phase, shaPrefix = '', after, limit }: DeploymentList,
): Promise<Page<StoredDeployment>> {
  const filter = (deployment: StoredDeployment) => {
    if (environments !== null && !environments.includes(deployment.environment)) return false;
    if (environment !== undefined && deployment.environment !== environment) return false;
    if (phase !== undefined && deployment.phase !== phase) return false;
    return shaPrefix === '' || deployment.git?.sha.startsWith(shaPrefix) === true;
  };
  const page = await deployments.at(store).page({ from, to, after, limit, filter });
  return environments === null ? page : withDiscreetNext('deployment', page, { order: 'newest', after });
}

export const createDeployment = (store: ProjectStore, deployment: DeploymentItem): Write<never> =>
  deployments.at(store).put(deployment);

/** Marks the previous deployment. The transaction also has a conditional write of the environment, against races. */
export const supersedeDeployment = (store: ProjectStore, id: string): Write<never> =>
  deployments.at(store).update(id, { phase: 'superseded' }, { condition: { kind: 'present' } });

/** Marks a deployment of a deleted environment, if it is unchanged since it was read. */
export const endDeployment = (store: ProjectStore, deployment: StoredDeployment): Write<never> =>
  deployments.at(store).update(deployment.id, { phase: 'superseded' }, { condition: unchanged(deployment) });

/** Makes a deployment current, if it is unchanged since it was read. An expunge may replace its knowledge index. */
export const markCurrent = (
  store: ProjectStore,
  deployment: StoredDeployment,
  changes: { phase: 'current'; promotedAt: string; generation?: string },
): Write<never> => deployments.at(store).update(deployment.id, changes, { condition: unchanged(deployment) });

/** Makes a deployment one of its environment that is there now, if it is unchanged since it was read. */
export const adoptDeployment = (
  store: ProjectStore,
  deployment: StoredDeployment,
  changes: { generation?: string },
): Write<never> => deployments.at(store).update(deployment.id, changes, { condition: unchanged(deployment) });

/** Fails if the deployment was changed since it was read. */
export const requireDeployment = (store: ProjectStore, deployment: StoredDeployment): Write<never> =>
  deployments.at(store).check(deployment.id, { condition: unchanged(deployment) });

/** Replaces the index of a deployment, for an expunge. */
export const replaceDeployedIndex = (
  store: ProjectStore,
  deployment: StoredDeployment,
  changes: Pick<Deployment, 'knowledgeIndexVersion' | 'configHash'>,
): Write<never> => deployments.at(store).update(deployment.id, changes, { condition: unchanged(deployment) });

/**
 * The hash identifies the content of a configuration: equal content has an equal hash.
 * @returns SHA-256, in hex, of this content as canonical JSON (RFC 8785):
 *   `{"avatars":{"<id>":{imageUrl,knowledgeTags,metadata,model,name,persona,runtime,voice},…},"knowledgeIndexVersion"}`. An avatar
 *   without a `model` or a `runtime` does not have this field, so it has the hash of earlier versions of the service
 */
export function configHashOf(
  avatars: readonly FreezableAvatar[],
  knowledgeIndexVersion: string | null,
): string {
  const contents = avatars.map(
    ({ id, name, persona, voice, imageUrl, knowledgeTags, model, runtime, metadata }) => [
      id,
      {
        name,
        persona,
        voice,
        imageUrl,
        knowledgeTags,
        metadata,
        ...((model ?? null) !== null && { model }),
        ...((runtime ?? null) !== null && { runtime }),
      },
    ],
  );
  return hash('sha256', canonicalJson({ avatars: Object.fromEntries(contents), knowledgeIndexVersion }));
}
