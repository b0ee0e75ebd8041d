import * as z from 'zod';
import { Deployment, phase, shaPrefix } from '../../lib/avatars/deployments/schema.ts';
import { listDeployments } from '../../lib/avatars/deployments/store/deployments.ts';
import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { id, listOf } from '../../lib/schema/common.ts';
import { environmentName } from '../../lib/schema/names.ts';
import { defaultLimit, pageQuery } from '../../lib/schema/query.ts';

export default defineEndpoint({
  id: 'deployments.list',
  method: 'GET',
  path: '/projects/{project_id}/deployments',
  summary: 'List deployments',
  description:
    'Returns deployments, newest first.\n\nWith a selective filter, a page may have fewer than `limit` ' +
    'items, or no items. Continue until `nextCursor` is null.',
  auth: 'deploy:read',
  project: 'existing',
  environments: 'left_out',
  request: {
    params: z.strictObject({ project_id: id('project') }),
    query: z.strictObject({
      ...pageQuery,
      environment: environmentName.optional().meta({ description: 'Only deployments to this environment.' }),
      phase: phase.optional().meta({ description: 'Only deployments in this phase.' }),
      sha: shaPrefix
        .optional()
        .meta({ description: 'Only deployments whose commit starts with these digits.' }),
    }),
  },
  responses: { 200: listOf(Deployment).meta({ id: 'DeploymentList' }) },
  access: { deployments: ['Query'] },

  async handle({ query, caller, store, cursor }) {
    const list = {
      environments: caller.environments,
      environment: query.environment,
      phase: query.phase,
      shaPrefix: query.sha,
      after: cursor.position(query.cursor),
      limit: query.limit ?? defaultLimit,
    };
    const page = await listDeployments(store, list);
    return { status: 200, data: { items: page.items, nextCursor: cursor.next(page.next) } };
  },
});
