import * as z from 'zod';
import { environmentInPath } from '../../lib/avatars/deployments/store/environments.ts';
import { timestamp } from '../../lib/base/time.ts';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { entityTag, versionHeader } from '../../lib/http/entity-tags.ts';
import { advance } from '../../lib/rollouts/moves.ts';
import { moveRunning } from '../../lib/rollouts/running.ts';
import { moveReason, Rollout } from '../../lib/rollouts/schema.ts';
import { showRollout } from '../../lib/rollouts/show.ts';
import { id } from '../../lib/schema/common.ts';
import { environmentName } from '../../lib/schema/names.ts';

export default defineEndpoint({
  id: 'rollouts.advance',
  method: 'POST',
  path: '/projects/{project_id}/environments/{name}/rollout/advance',
  summary: 'Advance a rollout',
  description:
    'Begins the next step at once, in place of the rest of the present step, whatever the guards say. After the last step, the ' +
    'rollout completes: the candidate is promoted.',
  auth: 'deploy:write',
  project: 'active',
  loads: { environment: environmentInPath },
  environments: ({ params }) => [params.name],
  ifMatch: true,
  request: {
    params: z.strictObject({ project_id: id('project'), name: environmentName }),
    body: z.strictObject({ reason: moveReason }),
  },
  causes: [
    'rollout.advanced',
    'rollout.waiting',
    'rollout.completed',
    'deployment.promoted',
    'deployment.updated',
    'environment.updated',
  ],
  responses: { 200: Rollout },
  headers: versionHeader,
  errors: ['not_found', 'rollout_ended', 'rollout_paused', 'rollout_without_steps', 'version_mismatch'],
  access: { deployments: ['GetItem', 'Query', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'] },

  async handle({ loaded: { environment }, body, caller, matches, store, nowMs }) {
    const actor = { at: timestamp(nowMs), by: caller.principal, reason: body.reason };
    const isExpected = (version: number) => matches(entityTag(version));
    const moved = await moveRunning(store, environment, isExpected, (rollout) => advance(rollout, actor));
    if ('refused' in moved) return fail(moved.refused);
    return { status: 200, data: showRollout(moved.rollout, caller), writes: moved.writes };
  },
});
