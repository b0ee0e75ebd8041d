import * as z from 'zod';
import { Environment } from '../../lib/avatars/deployments/schema.ts';
import { listEnvironments, showEnvironment } from '../../lib/avatars/deployments/store/environments.ts';
import { environmentNamePattern } from '../../lib/base/ids.ts';
import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { id, listOf } from '../../lib/schema/common.ts';
import { defaultLimit, pageQuery } from '../../lib/schema/query.ts';

export default defineEndpoint({
  id: 'environments.list',
  method: 'GET',
  path: '/projects/{project_id}/environments',
  summary: 'List environments',
  description: 'Returns environments, sorted by name. The first deployment to an environment creates it.',
  auth: 'deploy:read',
  project: 'existing',
  environments: 'left_out',
  request: {
    params: z.strictObject({ project_id: id('project') }),
    query: z.strictObject(pageQuery),
  },
  responses: { 200: listOf(Environment).meta({ id: 'EnvironmentList' }) },
  access: { deployments: ['Query', 'BatchGetItem'] },

  async handle({ query, caller, store, cursor }) {
    const page = await listEnvironments(store, {
      after: cursor.position(query.cursor, environmentNamePattern),
      limit: query.limit ?? defaultLimit,
      names: caller.environments,
    });
    return {
      status: 200,
      data: { items: page.items.map(showEnvironment), nextCursor: cursor.next(page.next) },
    };
  },
});
