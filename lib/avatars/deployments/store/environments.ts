/**
 * Environments are in a partition of their project, by name. The item of an environment is a pointer. It is written on
 * condition that it is unchanged, so one of two concurrent changes is retried.
 */

import { pagesOf } from '../../../base/pages.ts';
import { projectCollection, type Stored, unchanged } from '../../../dynamodb/collection.ts';
import type { Contents } from '../../../dynamodb/contents.ts';
import { load } from '../../../dynamodb/load.ts';
import { gonePlace } from '../../../dynamodb/resources.ts';
import { type Page, type ProjectStore, toPage } from '../../../dynamodb/store.ts';
import type { Write } from '../../../dynamodb/write.ts';
import { currentOf, previousOf, promoteTo, type ReleaseHistory, rollBackTo } from '../release-history.ts';
import type { Deployment, Environment } from '../schema.ts';
import { type DeploymentItem, deployments, supersedeDeployment } from './deployments.ts';

/** A copy of the references of the current deployment, so that a runtime does not have to read the deployment. */
export type ServedDeployment = Pick<Deployment, 'avatars' | 'knowledgeIndexVersion' | 'configHash'> & {
  deploymentId: string;
};

/** A part of the units gets the candidate. A copy of the rollout's item, so that a runtime does not have to read it. */
export type ServedRollout = {
  id: string;
  percent: number;
  /** The number of the span of constant percent, from 1. */
  span: number;
  candidate: ServedDeployment;
};

export type EnvironmentItem = Pick<Environment, 'rollback' | 'createdAt' | 'updatedAt'> & {
  id: string;
  generation?: string;
  history: ReleaseHistory;
  serves: ServedDeployment | null;
  /** The rollout that has not ended. Missing for none. */
  rollout?: ServedRollout;
};

export type StoredEnvironment = Stored<EnvironmentItem>;

export const environments = projectCollection<StoredEnvironment>('deployments', () => ['environments']);

/** The part of the partition key that tombstones of environments have. Deployments are never removed, so they have none. */
export const environmentTombstones = gonePlace;

export const environmentInPath = load({
  from: [environments],
  read: (get, { name }: { name: string }) => get(environments, name),
});

export const showEnvironment = ({ id, history, rollback, createdAt, updatedAt }: EnvironmentItem) => ({
  name: id,
  current: currentOf(history),
  previous: previousOf(history),
  pinned: rollback !== null,
  rollback,
  createdAt,
  updatedAt,
});

export const getEnvironment = (store: ProjectStore, name: string): Promise<StoredEnvironment | undefined> =>
  environments.at(store).get(name);

/**
 * The environments are sorted by name.
 * @param names lists only these environments; null or missing for all
 */
export async function listEnvironments(
  store: ProjectStore,
  {
    names = null,
    after,
    limit,
  }: { names?: readonly string[] | null; after: string | undefined; limit: number },
): Promise<Page<StoredEnvironment>> {
  if (names === null) return environments.at(store).page({ after, limit, order: 'oldest' });
  // Such a page ends at no other environment, so its cursor names none.
  const found = await environments.at(store).getMany(names.filter((name) => name > (after ?? '')));
  return toPage(
    found.toSorted((one, other) => (one.id < other.id ? -1 : 1)),
    limit,
    null,
  );
}

/** The deployment is current, or the candidate of a rollout. */
type Serving = { environment: string; deploymentId: string; isCandidate: boolean };

/** @returns an environment that serves the avatar, if any; reads all environments of the project */
export async function findServing(store: ProjectStore, avatarId: string): Promise<Serving | undefined> {
  for await (const items of pagesOf((after) => listEnvironments(store, { after, limit: 100 }))) {
    for (const environment of items) {
      const served = servedBy(environment).find(({ avatars }) =>
        avatars.some((reference) => reference.avatarId === avatarId),
      );
      if (!served) continue;
      const { deploymentId } = served;
      const isCandidate = deploymentId !== environment.serves?.deploymentId;
      return { environment: environment.id, deploymentId, isCandidate };
    }
  }
  return undefined;
}

/** @returns what the units of the environment get: the current deployment, and the candidate of its rollout */
export const servedBy = ({ serves, rollout }: EnvironmentItem): ServedDeployment[] => [
  ...(serves ? [serves] : []),
  ...(rollout ? [rollout.candidate] : []),
];

type Move = { environment: EnvironmentItem; writes: Write<never>[] };

/** @param firstDeployment the deployment that creates it */
export const newEnvironment = (
  name: string,
  firstDeployment: string,
  createdAt: string,
): EnvironmentItem & { generation: string } => ({
  id: name,
  generation: firstDeployment,
  history: [],
  serves: null,
  rollback: null,
  createdAt,
  updatedAt: createdAt,
});

/** @returns the attribute of a deployment that belongs to the environment */
export const generationOf = ({ generation }: Pick<EnvironmentItem, 'generation'>): { generation?: string } =>
  generation === undefined ? {} : { generation };

/** @returns whether the environment has the deployment. A deleted environment of the same name has others */
export const hasDeployment = (
  environment: EnvironmentItem | undefined,
  { id, generation }: Pick<DeploymentItem, 'id' | 'generation'>,
): boolean =>
  environment !== undefined && (environment.generation === generation || environment.history.includes(id));

/** Fails if the environment was changed or deleted since it was read. */
export const requireEnvironment = (store: ProjectStore, environment: StoredEnvironment): Write<never> =>
  environments.at(store).check(environment.id, { condition: unchanged(environment) });

/** Removes an environment, and ends its current deployment. A worker ends the others. */
export function deleteEnvironment(store: ProjectStore, environment: StoredEnvironment): Write<never>[] {
  const current = currentOf(environment.history);
  return [
    environments.at(store).remove(environment.id, { condition: unchanged(environment) }),
    ...(current === null ? [] : [supersedeDeployment(store, current)]),
  ];
}

/** @param before the environment that was read; undefined if it does not exist */
export const putEnvironment = (
  store: ProjectStore,
  before: StoredEnvironment | undefined,
  after: EnvironmentItem,
): Write<never> =>
  environments.at(store).put(after, { condition: before ? unchanged(before) : { kind: 'absent' } });

/**
 * Replaces the indexes of the current deployment and of the candidate, for an expunge.
 * @param changes by the id of the deployment
 */
export function replaceServedIndexes(
  store: ProjectStore,
  before: StoredEnvironment,
  changes: ReadonlyMap<string, Pick<ServedDeployment, 'knowledgeIndexVersion' | 'configHash'>>,
  updatedAt: string,
): Write<never> {
  const replaced = (served: ServedDeployment) => ({ ...served, ...changes.get(served.deploymentId) });
  const { serves, rollout } = before;
  return putEnvironment(store, before, {
    ...before,
    serves: serves && replaced(serves),
    ...(rollout && { rollout: { ...rollout, candidate: replaced(rollout.candidate) } }),
    updatedAt,
  });
}

/** Makes a deployment current, and removes the pin of a rollback. Everybody gets it, so the environment has no rollout any more. */
export function promote(
  store: ProjectStore,
  before: StoredEnvironment | undefined,
  deployment: Deployment,
  updatedAt: string,
): Move {
  const { rollout: _, ...environment }: EnvironmentItem =
    before ?? newEnvironment(deployment.environment, deployment.id, updatedAt);
  const history = promoteTo(environment.history, deployment.id);
  const after = { ...environment, history, rollback: null, updatedAt };
  return point(store, before, after, deployment);
}

/** Makes an earlier deployment current for everybody, or keeps the current one, and pins the environment to it. */
export function rollBack(
  store: ProjectStore,
  before: StoredEnvironment,
  deployment: Deployment,
  rollback: NonNullable<Environment['rollback']>,
): Move {
  const { rollout: _, ...environment } = before;
  const history = rollBackTo(before.history, deployment.id);
  const after = { ...environment, history, rollback, updatedAt: rollback.at };
  return point(store, before, after, deployment);
}

/** @returns the writes of the pointer and of the previous deployment. The caller writes the phase of the new deployment */
function point(
  store: ProjectStore,
  before: StoredEnvironment | undefined,
  after: EnvironmentItem,
  { id, avatars, knowledgeIndexVersion, configHash }: Deployment,
): Move {
  // The copy of the environment may be newer than the deployment that was read.
  const copies = [before?.serves, before?.rollout?.candidate];
  const copy = copies.find((one) => one?.deploymentId === id);
  const serves = copy ?? { deploymentId: id, avatars, knowledgeIndexVersion, configHash };
  const environment = { ...after, serves };
  const writes = [putEnvironment(store, before, environment)];
  const previousId = before && currentOf(before.history);
  if (previousId && previousId !== id) {
    writes.push(supersedeDeployment(store, previousId));
  }
  return { environment, writes };
}

/** @returns the deployments and environments of a project, for its purge */
export const deploymentContents = (store: ProjectStore): Contents[] => [
  deployments.at(store),
  environments.at(store),
];
