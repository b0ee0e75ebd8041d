import * as z from 'zod';
import { Environment } from '../../lib/avatars/deployments/schema.ts';
import {
  deleteEnvironment,
  environmentInPath,
  showEnvironment,
} from '../../lib/avatars/deployments/store/environments.ts';
import { timestamp } from '../../lib/base/time.ts';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { id } from '../../lib/schema/common.ts';
import { environmentName } from '../../lib/schema/names.ts';

export default defineEndpoint({
  id: 'environments.delete',
  method: 'DELETE',
  path: '/projects/{project_id}/environments/{name}',
  summary: 'Delete an environment',
  description:
    'Deletes the environment: it serves nothing any more. Its deployments stay readable, and become `superseded`. An index ' +
    'that no deployment of another environment has is kept for 7 more days, in which calls can search it with their ' +
    '`deploymentId`. A search, rollback or deployment with a retired index is 409 `index_retired`. The next deployment to ' +
    'the name creates an environment with an empty history. While a rollout runs, the request is 409 `environment_has_rollout`.',
  auth: 'deploy:write',
  project: 'active',
  loads: { environment: environmentInPath },
  environments: ({ params }) => [params.name],
  request: { params: z.strictObject({ project_id: id('project'), name: environmentName }) },
  causes: ['environment.deleted', 'deployment.updated'],
  responses: { 200: Environment },
  errors: ['environment_has_rollout'],
  access: { deployments: ['PutItem', 'UpdateItem', 'DeleteItem'] },

  async handle({ loaded: { environment }, store, nowMs }) {
    if (environment.rollout) return fail('environment_has_rollout');
    const ended = { ...environment, history: [], rollback: null, updatedAt: timestamp(nowMs) };
    return { status: 200, data: showEnvironment(ended), writes: deleteEnvironment(store, environment) };
  },
});
