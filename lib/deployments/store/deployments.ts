/**
 * Deployments, in their project's partition: references to versions of avatars, which hold the content. Only the phase of
 * one changes, always together with its environment.
 */

import type { Page, Store } from '../../dynamodb/store.ts';
import type { Item, Write } from '../../dynamodb/write.ts';
import { idRangeOf } from '../../ids.ts';
import type { Deployment } from '../schema.ts';

const { first: from, last: to } = idRangeOf('deployment');

export type StoredDeployment = Deployment & { changedIn: string };

export const getDeployment = (
  store: Store,
  projectId: string,
  id: string,
): Promise<StoredDeployment | undefined> =>
  store.get('deployments', id, [projectId]) as unknown as Promise<StoredDeployment | undefined>;

export type DeploymentList = {
  environment: string | undefined;
  phase: Deployment['phase'] | undefined;
  /** In lower case. */
  shaPrefix: string | undefined;
  after: string | undefined;
  limit: number;
};

export function listDeployments(
  store: Store,
  projectId: string,
  { environment, phase, shaPrefix = '', after, limit }: DeploymentList,
): Promise<Page<StoredDeployment>> {
  const keep = (item: Item) => {
    const deployment = item as unknown as Deployment;
    if (environment !== undefined && deployment.environment !== environment) return false;
    if (phase !== undefined && deployment.phase !== phase) return false;
    return shaPrefix === '' || deployment.git?.sha.startsWith(shaPrefix) === true;
  };
  const query = { within: [projectId], from, to, after, limit, keep };
  return store.page('deployments', query) as unknown as Promise<Page<StoredDeployment>>;
}

export const createDeployment = (store: Store, projectId: string, deployment: Deployment): Write<never> =>
  store.put('deployments', deployment, { within: [projectId], condition: { kind: 'absent' } });

/** The deployment that an environment leaves. Goes with a conditional write of the environment, which one of two gets. */
export const supersedeDeployment = (store: Store, projectId: string, id: string): Write<never> =>
  store.update(
    'deployments',
    id,
    { phase: 'superseded' },
    { within: [projectId], condition: { kind: 'present' } },
  );

/** Makes a deployment current, with what it was read to hold: an expunge may replace its knowledge index meanwhile. */
export const markCurrent = (
  store: Store,
  projectId: string,
  { id, changedIn }: StoredDeployment,
  changes: { phase: 'current'; promotedAt: string },
): Write<never> =>
  store.update('deployments', id, changes, {
    within: [projectId],
    condition: { kind: 'unchanged', changedIn },
  });

/** For an expunge. */
export const replaceDeployedIndex = (
  store: Store,
  projectId: string,
  { id, changedIn }: StoredDeployment,
  changes: Pick<Deployment, 'knowledgeIndexVersion' | 'configHash'>,
): Write<never> =>
  store.update('deployments', id, changes, {
    within: [projectId],
    condition: { kind: 'unchanged', changedIn },
  });
