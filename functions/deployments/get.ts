import * as z from 'zod';
import { Deployment } from '../../lib/avatars/deployments/schema.ts';
import { deploymentInPath } from '../../lib/avatars/deployments/store/deployments.ts';
import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { id } from '../../lib/schema/common.ts';

export default defineEndpoint({
  id: 'deployments.get',
  method: 'GET',
  path: '/projects/{project_id}/deployments/{deployment_id}',
  summary: 'Get a deployment',
  description:
    'Returns a deployment. Its phase can change. Its content changes only if a document is expunged.',
  auth: 'deploy:read',
  project: 'existing',
  loads: { deployment: deploymentInPath },
  environments: ({ loaded }) => [loaded.deployment.environment],
  request: { params: z.strictObject({ project_id: id('project'), deployment_id: id('deployment') }) },
  responses: { 200: Deployment },

  async handle({ loaded }) {
    return { status: 200, data: loaded.deployment };
  },
});
