import * as z from 'zod';
import { defineEndpoint } from '../../lib/endpoint.ts';
import { id, listOf } from '../../lib/models/common.ts';
import { Deployment, phases, shaPrefix } from '../../lib/models/deployment.ts';
import { environmentName } from '../../lib/models/environment-name.ts';
import { defaultLimit, pageQuery } from '../../lib/models/page.ts';
import { listDeployments } from '../../lib/store/deployments.ts';

export default defineEndpoint({
  id: 'deployments.list',
  method: 'GET',
  path: '/projects/{project_id}/deployments',
  summary: 'List deployments',
  description:
    'Newest first. Where a filter matches few of many, a page may hold fewer items than `limit`, or none: go on while ' +
    '`nextCursor` is not null.',
  auth: 'deploy:read',
  project: 'existing',
  request: {
    params: z.strictObject({ project_id: id('project') }),
    query: z.strictObject({
      ...pageQuery,
      environment: environmentName.optional().meta({ description: 'Only deployments to this environment.' }),
      phase: z.enum(phases).optional().meta({ description: 'Only deployments in this phase.' }),
      sha: shaPrefix.optional().meta({ description: 'Only deployments of commits that begin so.' }),
    }),
  },
  responses: { 200: listOf(Deployment).meta({ id: 'DeploymentList' }) },
  access: { deployments: ['Query'] },

  async handle({ params, query, store, cursor }) {
    const list = {
      environment: query.environment,
      phase: query.phase,
      shaPrefix: query.sha,
      after: cursor.position(query.cursor),
      limit: query.limit ?? defaultLimit,
    };
    const page = await listDeployments(store, params.project_id, list);
    return { status: 200, data: { items: page.items, nextCursor: cursor.next(page.next) } };
  },
});
