import * as z from 'zod';
import { currentOf } from '../../lib/avatars/deployments/release-history.ts';
import { Deployment } from '../../lib/avatars/deployments/schema.ts';
import { deploymentInPath, markCurrent } from '../../lib/avatars/deployments/store/deployments.ts';
import { generationOf, getEnvironment, promote } from '../../lib/avatars/deployments/store/environments.ts';
import { timestamp } from '../../lib/base/time.ts';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { holdIndexIn } from '../../lib/indexing/hold.ts';
import { endRollout } from '../../lib/rollouts/write-move.ts';
import { id } from '../../lib/schema/common.ts';

export default defineEndpoint({
  id: 'deployments.promote',
  method: 'POST',
  path: '/projects/{project_id}/deployments/{deployment_id}/promote',
  summary: 'Promote a deployment',
  description:
    'Makes the deployment current: its environment serves it at once. Nothing is built. If a rollback ' +
    'has pinned the environment, the pin ends, and new deployments are promoted again. If the ' +
    'deployment is already current, only the pin ends. While a rollout runs, only its candidate can be promoted, which completes ' +
    'the rollout. A deployment of a deleted environment cannot be promoted, unless ' +
    'the environment has come back and the index is still kept.',
  auth: 'deploy:write',
  project: 'active',
  loads: { deployment: deploymentInPath },
  environments: ({ loaded }) => [loaded.deployment.environment],
  request: { params: z.strictObject({ project_id: id('project'), deployment_id: id('deployment') }) },
  causes: ['deployment.promoted', 'deployment.updated', 'environment.updated', 'rollout.completed'],
  responses: { 200: Deployment },
  errors: ['not_found', 'index_retired', 'rollout_running'],
  access: {
    deployments: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
    knowledgeIndexes: ['GetItem', 'UpdateItem'],
  },

  async handle({ loaded: { deployment }, caller, store, nowMs }) {
    const environment = await getEnvironment(store, deployment.environment);
    if (!environment) return fail('not_found', 'The environment of the deployment was deleted.');
    if (environment.rollout && environment.rollout.candidate.deploymentId !== deployment.id)
      return fail('rollout_running', `The rollout ${environment.rollout.id} has not ended.`);
    const isCurrent = currentOf(environment.history) === deployment.id;
    if (isCurrent && environment.rollback === null) return { status: 200, data: deployment };

    const promotedAt = timestamp(nowMs);
    const { writes } = promote(store, environment, deployment, promotedAt);
    const ended = await endRollout(store, environment, 'completed', {
      at: promotedAt,
      by: caller.principal,
      reason: null,
    });
    if (isCurrent) return { status: 200, data: deployment, writes };
    const held = await holdIndexIn(store, environment, deployment);
    if (!held) return fail('index_retired');
    const changes = { phase: 'current', promotedAt, ...generationOf(environment) } as const;
    return {
      status: 200,
      data: { ...deployment, ...changes },
      writes: [...writes, ...ended, ...held.writes, markCurrent(store, deployment, changes)],
    };
  },
});
