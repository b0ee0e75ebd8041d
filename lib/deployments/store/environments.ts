/**
 * Environments, in a partition of their project, by name. An environment's item is the pointer: whoever moves it writes
 * under the condition that it is as it was read, so of two at the same time one decides again.
 */

import { projectCollection, type Stored, unchanged } from '../../dynamodb/collection.ts';
import { load } from '../../dynamodb/load.ts';
import type { Page, ProjectStore } from '../../dynamodb/store.ts';
import type { Write } from '../../dynamodb/write.ts';
import { currentOf, previousOf, promoteTo, type ReleaseHistory, rollBackTo } from '../release-history.ts';
import type { Deployment, Environment } from '../schema.ts';
import { supersedeDeployment } from './deployments.ts';

/** What is served: a copy from the current deployment, so that a runtime's read need not look for that one. */
type Served = Pick<Deployment, 'avatars' | 'knowledgeIndexVersion' | 'configHash'> & { deploymentId: string };

type EnvironmentItem = Pick<Environment, 'rollback' | 'createdAt' | 'updatedAt'> & {
  /** Its name. */
  id: string;
  history: ReleaseHistory;
  serves: Served | null;
};

export type StoredEnvironment = Stored<EnvironmentItem>;

export const environments = projectCollection<StoredEnvironment>('deployments', () => ['environments']);

export const environmentInPath = load({
  from: [environments],
  read: (get, { name }: { name: string }) => get(environments, name),
});

/** @returns the environment as the API shows it */
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

/** In the order of their names. */
export const listEnvironments = (
  store: ProjectStore,
  page: { after: string | undefined; limit: number },
): Promise<Page<StoredEnvironment>> => environments.at(store).page({ ...page, order: 'oldest' });

/** @returns an environment that serves the avatar, if there is one; reads all environments of the project */
export async function findServing(
  store: ProjectStore,
  avatarId: string,
): Promise<{ environment: string; deploymentId: string } | undefined> {
  for (let after: string | undefined; ; ) {
    const page = await listEnvironments(store, { after, limit: 100 });
    for (const { id, serves } of page.items) {
      const isServed = serves?.avatars.some((reference) => reference.avatarId === avatarId);
      if (serves && isServed) return { environment: id, deploymentId: serves.deploymentId };
    }
    if (page.next === null) return undefined;
    after = page.next;
  }
}

/** An environment as a decision leaves it, and what is to be written for it. */
type Move = { environment: EnvironmentItem; writes: Write<never>[] };

/** An environment without a deployment that was current, for its first one. */
export const newEnvironment = (name: string, createdAt: string): EnvironmentItem => ({
  id: name,
  history: [],
  serves: null,
  rollback: null,
  createdAt,
  updatedAt: createdAt,
});

/** @param before as it was read; undefined where there was none */
export const putEnvironment = (
  store: ProjectStore,
  before: StoredEnvironment | undefined,
  after: EnvironmentItem,
): Write<never> =>
  environments.at(store).put(after, { condition: before ? unchanged(before) : { kind: 'absent' } });

/** For an expunge: serves the deployment with another index. */
export const replaceServedIndex = (
  store: ProjectStore,
  before: StoredEnvironment,
  changes: Pick<Served, 'knowledgeIndexVersion' | 'configHash'>,
  updatedAt: string,
): Write<never> => {
  const serves = before.serves && { ...before.serves, ...changes };
  return putEnvironment(store, before, { ...before, serves, updatedAt });
};

/** Makes a deployment current, and ends what a rollback pinned. */
export function promote(
  store: ProjectStore,
  before: StoredEnvironment | undefined,
  deployment: Deployment,
  updatedAt: string,
): Move {
  const environment = before ?? newEnvironment(deployment.environment, updatedAt);
  const history = promoteTo(environment.history, deployment.id);
  const after = { ...environment, history, rollback: null, updatedAt };
  return point(store, before, after, deployment);
}

/** Makes a deployment current that was so before, and pins the environment to it. */
export function rollBack(
  store: ProjectStore,
  before: StoredEnvironment,
  deployment: Deployment,
  rollback: NonNullable<Environment['rollback']>,
): Move {
  const history = rollBackTo(before.history, deployment.id);
  const after = { ...before, history, rollback, updatedAt: rollback.at };
  return point(store, before, after, deployment);
}

/** The pointer, and the phase of the deployment that it leaves; whoever makes or reads the other one writes that. */
function point(
  store: ProjectStore,
  before: StoredEnvironment | undefined,
  after: EnvironmentItem,
  { id, avatars, knowledgeIndexVersion, configHash }: Deployment,
): Move {
  // What it serves already may be newer than what was read of the deployment.
  const isServed = before?.serves?.deploymentId === id;
  const serves = isServed ? before.serves : { deploymentId: id, avatars, knowledgeIndexVersion, configHash };
  const environment = { ...after, serves };
  const writes = [putEnvironment(store, before, environment)];
  const superseded = before && currentOf(before.history);
  if (superseded && superseded !== id) {
    writes.push(supersedeDeployment(store, superseded));
  }
  return { environment, writes };
}
