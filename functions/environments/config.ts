import * as z from 'zod';
import { EnvironmentConfig } from '../../lib/avatars/deployments/schema.ts';
import { configTag, readConfig } from '../../lib/avatars/deployments/store/config.ts';
import { environmentInPath } from '../../lib/avatars/deployments/store/environments.ts';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { id } from '../../lib/schema/common.ts';
import { environmentName } from '../../lib/schema/names.ts';

export default defineEndpoint({
  id: 'environments.config',
  method: 'GET',
  path: '/projects/{project_id}/environments/{name}/config',
  summary: 'Get the configuration of an environment',
  description:
    'Returns the data that a runtime needs: the avatars and the knowledge index of the current deployment. To ' +
    'poll, send the `ETag` as `If-None-Match`. If nothing has changed, the response is 304 without a body. A conversation ' +
    'that keeps its `deploymentId` goes on with `GET …/deployments/{deployment_id}/config` after the next promotion.',
  auth: 'deploy:read',
  alsoFor: ['runtime:read'],
  project: 'existing',
  loads: { environment: environmentInPath },
  environments: ({ params }) => [params.name],
  ifNoneMatch: true,
  request: { params: z.strictObject({ project_id: id('project'), name: environmentName }) },
  responses: { 200: EnvironmentConfig, 304: EnvironmentConfig.pick({ configHash: true }) },
  headers: {
    ETag: { description: 'The `configHash`.', value: configTag },
  },
  errors: ['not_found'],
  access: { avatars: ['BatchGetItem'] },

  async handle({ loaded: { environment }, isKnown, store }) {
    if (!environment.serves) return fail('not_found', 'No deployment has been promoted in this environment.');
    if (isKnown(configTag(environment.serves))) return { status: 304, data: environment.serves };
    return { status: 200, data: await readConfig(store, environment.id, environment.serves) };
  },
});
