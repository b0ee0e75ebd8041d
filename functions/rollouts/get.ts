import * as z from 'zod';
import { environmentInPath } from '../../lib/avatars/deployments/store/environments.ts';
import { timestamp } from '../../lib/base/time.ts';
import { countDeployed, readRolloutSums, sumGeneration } from '../../lib/conversations/rollout-sums.ts';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { versionHeader } from '../../lib/http/entity-tags.ts';
import { compare } from '../../lib/rollouts/comparison.ts';
import { ComparedRollout } from '../../lib/rollouts/schema.ts';
import { showRollout } from '../../lib/rollouts/show.ts';
import { getRollout, lastRollout } from '../../lib/rollouts/store.ts';
import { id } from '../../lib/schema/common.ts';
import { environmentName } from '../../lib/schema/names.ts';

export default defineEndpoint({
  id: 'rollouts.get',
  method: 'GET',
  path: '/projects/{project_id}/environments/{name}/rollout',
  summary: 'Get the rollout of an environment',
  description:
    'Returns the rollout that runs, or else the last one, with the comparison of its candidate and the current deployment. Only ' +
    'conversations with an `assignment` count, and each unit once, with its first conversation. Both sides are compared within ' +
    'spans of constant percent. The interval of each difference is a confidence sequence: it holds however often somebody looks.',
  auth: 'deploy:read',
  project: 'existing',
  loads: { environment: environmentInPath },
  environments: ({ params }) => [params.name],
  request: { params: z.strictObject({ project_id: id('project'), name: environmentName }) },
  responses: { 200: ComparedRollout },
  headers: versionHeader,
  errors: ['not_found'],
  access: {
    deployments: ['GetItem', 'Query', 'BatchGetItem'],
    conversationSearch: ['GetItem'],
    conversationStats: ['Query', 'BatchGetItem'],
  },

  async handle({ loaded: { environment }, caller, store, nowMs }) {
    const [rollout, generation] = await Promise.all([
      environment.rollout ? getRollout(store, environment.rollout.id) : lastRollout(store, environment.id),
      sumGeneration(store),
    ]);
    if (!rollout) return fail('not_found', 'The environment has had no rollout.');
    const { deploymentId, currentDeploymentId, createdAt, endedAt, conversationsBefore } = rollout;
    const [sums, conversations] = await Promise.all([
      readRolloutSums(store, rollout, generation),
      countDeployed(
        store,
        [currentDeploymentId, deploymentId],
        { from: createdAt, until: endedAt ?? timestamp(nowMs) },
        generation,
      ),
    ]);
    const comparison = compare(rollout, sums, conversations - conversationsBefore);
    return { status: 200, data: { ...showRollout(rollout, caller), comparison } };
  },
});
