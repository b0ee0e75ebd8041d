import * as z from 'zod';
import { environmentInPath } from '../../lib/avatars/deployments/store/environments.ts';
import { idPattern } from '../../lib/base/ids.ts';
import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { RolloutSummary } from '../../lib/rollouts/schema.ts';
import { showRollout } from '../../lib/rollouts/show.ts';
import { listRollouts } from '../../lib/rollouts/store.ts';
import { id, listOf } from '../../lib/schema/common.ts';
import { environmentName } from '../../lib/schema/names.ts';
import { defaultLimit, pageQuery } from '../../lib/schema/query.ts';

export default defineEndpoint({
  id: 'rollouts.list',
  method: 'GET',
  path: '/projects/{project_id}/environments/{name}/rollouts',
  summary: 'List the rollouts of an environment',
  description: 'Returns the rollouts of the environment, newest first, without their comparisons.',
  auth: 'deploy:read',
  project: 'existing',
  loads: { environment: environmentInPath },
  environments: ({ params }) => [params.name],
  request: {
    params: z.strictObject({ project_id: id('project'), name: environmentName }),
    query: z.strictObject(pageQuery),
  },
  responses: { 200: listOf(RolloutSummary).meta({ id: 'RolloutList' }) },
  access: { deployments: ['Query', 'BatchGetItem'] },

  async handle({ params, query, caller, store, cursor }) {
    const page = await listRollouts(store, params.name, {
      after: cursor.position(query.cursor, idPattern('rollout')),
      limit: query.limit ?? defaultLimit,
    });
    return {
      status: 200,
      data: {
        items: page.items.map((rollout) => showRollout(rollout, caller)),
        nextCursor: cursor.next(page.next),
      },
    };
  },
});
