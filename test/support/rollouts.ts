/** Environments with a rollout, as they are stored: what reads them does not need the endpoints that start it. */

import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { getDeployment } from '../../lib/avatars/deployments/store/deployments.ts';
import {
  type EnvironmentItem,
  getEnvironment,
  putEnvironment,
  type ServedRollout,
} from '../../lib/avatars/deployments/store/environments.ts';
import { commit } from '../../lib/dynamodb/commit.ts';
import { openSession } from '../../lib/dynamodb/session.ts';
import { bindStore } from '../../lib/dynamodb/store.ts';
import type { Runtime } from '../../lib/http/runtime.ts';
import { type Json, storedOf, type TestApi } from '../../samples/api.ts';

type At = { runtime: Pick<Runtime, 'client' | 'tableNames' | 'newId' | 'nowMs'>; organisationId: string };

async function changeEnvironment(
  { runtime, organisationId }: At,
  projectId: string,
  name: string,
  change: (
    environment: EnvironmentItem,
    candidateOf: (id: string) => Promise<ServedRollout['candidate']>,
  ) => Promise<EnvironmentItem>,
): Promise<void> {
  const session = openSession(runtime.client, runtime.tableNames, { deployments: ['GetItem', 'PutItem'] });
  const store = bindStore(session, `${organisationId}#live`).inProject(projectId);
  const environment = await getEnvironment(store, name);
  if (!environment) throw new Error(`there is no environment ${name}`);
  const after = await change(environment, async (id) => {
    const deployment = await getDeployment(store, id);
    if (!deployment) throw new Error(`there is no deployment ${id}`);
    const { avatars, knowledgeIndexVersion, configHash } = deployment;
    return { deploymentId: id, avatars, knowledgeIndexVersion, configHash };
  });
  const nowMs = runtime.nowMs();
  const refusal = await commit(session, [putEnvironment(store, environment, after)], {
    changedBy: 'worker:test',
    changedThrough: 'worker:test',
    changedIn: runtime.newId('call', nowMs),
    nowMs,
  });
  if (refusal) throw new Error(`${name} was changed by somebody else`);
}

/** Serves the candidate to a part of the units. A rollout that is there is replaced. */
export const serveRollout = (
  at: At,
  projectId: string,
  name: string,
  { deploymentId, ...rollout }: Omit<ServedRollout, 'candidate'> & { deploymentId: string },
): Promise<void> =>
  changeEnvironment(at, projectId, name, async (environment, candidateOf) => ({
    ...environment,
    rollout: { ...rollout, candidate: await candidateOf(deploymentId) },
  }));

/** Serves the current deployment to everybody. */
export const endRollout = (at: At, projectId: string, name: string): Promise<void> =>
  changeEnvironment(at, projectId, name, async ({ rollout: _, ...environment }) => environment);

type Api = Pick<TestApi, 'organisationId' | 'runtime'>;

/** Lets an environment serve a candidate to a tenth of its units, without an endpoint. @returns the id of the rollout */
export async function serveCandidate(
  api: Api,
  environment: string,
  { id: deploymentId, knowledgeIndexVersion, configHash, avatars }: Json,
): Promise<string> {
  const items = await storedOf(api, 'deployments');
  const item = items.find(({ id, tenant }) => id === environment && `${tenant}`.endsWith('#environments'));
  if (!item) throw new Error(`${environment} does not exist`);
  const id = api.runtime.newId('rollout', api.runtime.nowMs());
  const candidate = { deploymentId, avatars, knowledgeIndexVersion, configHash };
  await api.runtime.client.send(
    new PutCommand({
      TableName: api.runtime.tableNames.deployments,
      Item: { ...item, rollout: { id, percent: 10, span: 1, candidate } },
    }),
  );
  return id;
}
