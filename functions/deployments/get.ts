import * as z from 'zod';
import { defineEndpoint, fail } from '../../lib/endpoint.ts';
import { id } from '../../lib/models/common.ts';
import { Deployment } from '../../lib/models/deployment.ts';
import { getDeployment } from '../../lib/store/deployments.ts';

export default defineEndpoint({
  id: 'deployments.get',
  method: 'GET',
  path: '/projects/{project_id}/deployments/{deployment_id}',
  summary: 'Get a deployment',
  description: 'What it froze never changes, unless a document is expunged; its phase does.',
  auth: 'deploy:read',
  project: 'existing',
  request: { params: z.strictObject({ project_id: id('project'), deployment_id: id('deployment') }) },
  responses: { 200: Deployment },
  errors: ['not_found'],
  access: { deployments: ['GetItem'] },

  async handle({ params, store }) {
    const deployment = await getDeployment(store, params.project_id, params.deployment_id);
    return deployment ? { status: 200, data: deployment } : fail('not_found');
  },
});
