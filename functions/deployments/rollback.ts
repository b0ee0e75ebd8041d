import * as z from 'zod';
import { currentOf, previousOf } from '../../lib/avatars/deployments/release-history.ts';
import { Environment, reason } from '../../lib/avatars/deployments/schema.ts';
import { getDeployment, markCurrent } from '../../lib/avatars/deployments/store/deployments.ts';
import {
  generationOf,
  getEnvironment,
  rollBack,
  showEnvironment,
} from '../../lib/avatars/deployments/store/environments.ts';
import { timestamp } from '../../lib/base/time.ts';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { holdIndexIn } from '../../lib/indexing/hold.ts';
import { endRollout } from '../../lib/rollouts/write-move.ts';
import { id } from '../../lib/schema/common.ts';
import { environmentName } from '../../lib/schema/names.ts';

export default defineEndpoint({
  id: 'deployments.rollback',
  method: 'POST',
  path: '/projects/{project_id}/rollback',
  summary: 'Roll back an environment',
  description:
    'Makes an earlier deployment current again, with its avatars and knowledge: the previous deployment, or the ' +
    'deployment in `deploymentId`. The rollback takes effect at once.\n\nThe environment is then pinned: new ' +
    'deployments stay staged until you promote a deployment with `POST …/deployments/{deployment_id}/promote`. ' +
    'Two rollbacks go back two steps.\n\nWhile a rollout runs, its end is the default: everybody gets the current deployment, and the ' +
    'rollout is `aborted`.',
  auth: 'deploy:write',
  project: 'active',
  environments: ({ body }) => [body.environment, body.deploymentId],
  request: {
    params: z.strictObject({ project_id: id('project') }),
    body: z.strictObject({
      environment: environmentName,
      deploymentId: id('deployment').optional().meta({
        description: 'The deployment to return to. Default: the `previous` deployment of the environment.',
      }),
      reason: reason.nullable().optional(),
    }),
  },
  causes: ['deployment.rolled_back', 'deployment.updated', 'environment.updated', 'rollout.aborted'],
  removes: 'It takes the current deployment out of use.',
  responses: { 200: Environment },
  errors: [
    'not_found',
    'nothing_to_roll_back',
    'environment_mismatch',
    'deployment_never_current',
    'index_retired',
  ],
  access: {
    deployments: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
    knowledgeIndexes: ['GetItem', 'UpdateItem'],
  },

  async handle({ body, caller, store, nowMs }) {
    const [environment, explicitTarget] = await Promise.all([
      getEnvironment(store, body.environment),
      body.deploymentId === undefined ? undefined : getDeployment(store, body.deploymentId),
    ]);
    if (!environment) return fail('not_found', 'The environment does not exist.');
    const from = currentOf(environment.history);
    // A rollout has changed nothing for most users: its end returns everybody to the current deployment.
    const target = body.deploymentId ?? (environment.rollout ? from : previousOf(environment.history));
    if (target === null || from === null) return fail('nothing_to_roll_back');
    const deployment = explicitTarget ?? (await getDeployment(store, target));
    if (!deployment) return fail('not_found', 'The deployment does not exist.');
    if (deployment.environment !== body.environment) return fail('environment_mismatch');
    if (deployment.promotedAt === null) return fail('deployment_never_current');
    if (target === from && environment.rollback !== null && !environment.rollout) {
      return { status: 200, data: showEnvironment(environment) };
    }

    const at = timestamp(nowMs);
    const rollback = {
      from: target === from ? (environment.rollout?.candidate.deploymentId ?? from) : from,
      reason: body.reason ?? null,
      at,
      by: caller.principal,
    };
    const move = rollBack(store, environment, deployment, rollback);
    const data = showEnvironment(move.environment);
    const ended = await endRollout(store, environment, 'aborted', rollback);
    if (target === from) return { status: 200, data, writes: [...move.writes, ...ended] };
    const held = await holdIndexIn(store, environment, deployment);
    if (!held) return fail('index_retired');
    const changes = { phase: 'current', promotedAt: at, ...generationOf(environment) } as const;
    const writes = [...move.writes, ...ended, ...held.writes, markCurrent(store, deployment, changes)];
    return { status: 200, data, writes };
  },
});
