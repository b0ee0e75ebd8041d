import * as z from 'zod';
import { Environment } from '../../lib/avatars/deployments/schema.ts';
import { environmentInPath, showEnvironment } from '../../lib/avatars/deployments/store/environments.ts';
import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { id } from '../../lib/schema/common.ts';
import { environmentName } from '../../lib/schema/names.ts';

export default defineEndpoint({
  id: 'environments.get',
  method: 'GET',
  path: '/projects/{project_id}/environments/{name}',
  summary: 'Get an environment',
  description:
    'Returns the current deployment, the deployment to which a rollback returns, and whether the environment is ' +
    'pinned.',
  auth: 'deploy:read',
  project: 'existing',
  loads: { environment: environmentInPath },
  environments: ({ params }) => [params.name],
  request: { params: z.strictObject({ project_id: id('project'), name: environmentName }) },
  responses: { 200: Environment },

  async handle({ loaded }) {
    return { status: 200, data: showEnvironment(loaded.environment) };
  },
});
