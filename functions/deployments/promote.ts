import * as z from 'zod';
import { currentOf } from '../../lib/avatars/deployments/release-history.ts';
import { Deployment } from '../../lib/avatars/deployments/schema.ts';
import { deploymentInPath, markCurrent } from '../../lib/avatars/deployments/store/deployments.ts';
import { generationOf, getEnvironment, promote } from '../../lib/avatars/deployments/store/environments.ts';
import { timestamp } from '../../lib/base/time.ts';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { holdIndexIn } from '../../lib/indexing/hold.ts';
import { id } from '../../lib/schema/common.ts';

export default defineEndpoint({
  id: 'deployments.promote',
  method: 'POST',
  path: '/projects/{project_id}/deployments/{deployment_id}/promote',
  summary: 'Promote a deployment',
  description:
    'Makes the deployment current: its environment serves it at once. Nothing is built. If a rollback ' +
    'has pinned the environment, the pin ends, and new deployments are promoted again. If the ' +
    'deployment is already current, only the pin ends. A deployment of a deleted environment cannot be promoted, unless ' +
    'the environment has come back and the index is still kept.',
  auth: 'deploy:write',
  project: 'active',
  loads: { deployment: deploymentInPath },
  environments: ({ loaded }) => [loaded.deployment.environment],
  request: { params: z.strictObject({ project_id: id('project'), deployment_id: id('deployment') }) },
  causes: ['deployment.promoted', 'deployment.updated', 'environment.updated'],
  responses: { 200: Deployment },
  errors: ['not_found', 'index_retired'],
  access: { deployments: ['GetItem', 'PutItem', 'UpdateItem'], knowledgeIndexes: ['GetItem', 'UpdateItem'] },

  async handle({ loaded: { deployment }, store, nowMs }) {
    const environment = await getEnvironment(store, deployment.environment);
    if (!environment) return fail('not_found', 'The environment of the deployment was deleted.');
    const isCurrent = currentOf(environment.history) === deployment.id;
    if (isCurrent && environment.rollback === null) return { status: 200, data: deployment };

    const promotedAt = timestamp(nowMs);
    const { writes } = promote(store, environment, deployment, promotedAt);
    if (isCurrent) return { status: 200, data: deployment, writes };
    const held = await holdIndexIn(store, environment, deployment);
    if (!held) return fail('index_retired');
    const changes = { phase: 'current', promotedAt, ...generationOf(environment) } as const;
    return {
      status: 200,
      data: { ...deployment, ...changes },
      writes: [...writes, ...held.writes, markCurrent(store, deployment, changes)],
    };
  },
});
