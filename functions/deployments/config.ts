import * as z from 'zod';
import { EnvironmentConfig } from '../../lib/avatars/deployments/schema.ts';
import { configTag, readConfig } from '../../lib/avatars/deployments/store/config.ts';
import { deploymentInPath } from '../../lib/avatars/deployments/store/deployments.ts';
import { anyOf } from '../../lib/base/scopes.ts';
import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { id } from '../../lib/schema/common.ts';

export default defineEndpoint({
  id: 'deployments.config',
  method: 'GET',
  path: '/projects/{project_id}/deployments/{deployment_id}/config',
  summary: 'Get the configuration of a deployment',
  description:
    'Returns the data that a runtime needs, in any phase of the deployment. A conversation that began before a ' +
    'promotion or a rollback ends with its avatars, and with `deploymentId` in the search also with its knowledge. ' +
    'The configuration changes only if a document is expunged: then the index without this document replaces the ' +
    'old index. Send the `ETag` as `If-None-Match` to get 304 without a body if nothing has changed.',
  auth: anyOf('deploy:read', 'runtime:read'),
  project: 'existing',
  loads: { deployment: deploymentInPath },
  environments: ({ loaded }) => [loaded.deployment.environment],
  ifNoneMatch: true,
  request: { params: z.strictObject({ project_id: id('project'), deployment_id: id('deployment') }) },
  responses: { 200: EnvironmentConfig, 304: EnvironmentConfig.pick({ configHash: true, rollout: true }) },
  headers: {
    ETag: { description: 'The `configHash`.', value: configTag },
  },
  access: { avatars: ['BatchGetItem'] },

  async handle({ loaded: { deployment }, isKnown, store }) {
    const tagged = { configHash: deployment.configHash, rollout: null };
    if (isKnown(configTag(tagged))) return { status: 304, data: tagged };
    const frozen = { ...deployment, deploymentId: deployment.id };
    return { status: 200, data: await readConfig(store, deployment.environment, frozen) };
  },
});
