/** Rollouts that tests start from. */

import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { type Json, storedOf, type TestApi } from '../../samples/api.ts';

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
