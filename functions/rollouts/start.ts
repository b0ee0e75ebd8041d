import * as z from 'zod';
import { requireCaller } from '../../lib/api-keys/store/credentials.ts';
import {
  adoptDeployment,
  getDeployment,
  requireDeployment,
} from '../../lib/avatars/deployments/store/deployments.ts';
import {
  environmentInPath,
  generationOf,
  hasDeployment,
  putEnvironment,
} from '../../lib/avatars/deployments/store/environments.ts';
import { invalidField } from '../../lib/base/errors.ts';
import { timestamp } from '../../lib/base/time.ts';
import { countDeployed } from '../../lib/conversations/rollout-sums.ts';
import { assertGuards } from '../../lib/evaluations/rollout-guards.ts';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { versionHeader } from '../../lib/http/entity-tags.ts';
import { holdIndexIn } from '../../lib/indexing/hold.ts';
import { start } from '../../lib/rollouts/moves.ts';
import { newRollout, Rollout } from '../../lib/rollouts/schema.ts';
import { showRollout } from '../../lib/rollouts/show.ts';
import { startRollout, withRollout } from '../../lib/rollouts/store.ts';
import { id } from '../../lib/schema/common.ts';
import { environmentName } from '../../lib/schema/names.ts';

export default defineEndpoint({
  id: 'rollouts.start',
  method: 'POST',
  path: '/projects/{project_id}/environments/{name}/rollout',
  summary: 'Start a rollout',
  description:
    'A part of the units (usually users) gets another deployment of the environment, the candidate: with `percent`, until ' +
    '`complete` or `abort`, or in `steps`, which rise by themselves. A unit that has the candidate keeps it. Guards compare both ' +
    'deployments by scores, and end the rollout if the candidate harms.\n\nWhile a rollout runs, new deployments to the ' +
    'environment stay staged. A rollout in a pinned environment is allowed: its completion removes the pin.',
  auth: 'deploy:write',
  project: 'active',
  loads: { environment: environmentInPath },
  environments: ({ params, body }) => [params.name, body.deploymentId],
  request: {
    params: z.strictObject({ project_id: id('project'), name: environmentName }),
    body: newRollout,
  },
  causes: ['rollout.started'],
  responses: { 201: Rollout },
  headers: versionHeader,
  errors: ['not_found', 'nothing_served', 'rollout_running', 'index_retired', 'service_unavailable'],
  access: {
    deployments: ['GetItem', 'PutItem', 'UpdateItem', 'ConditionCheckItem'],
    knowledgeIndexes: ['GetItem', 'UpdateItem'],
    conversations: ['BatchGetItem'],
    conversationSearch: ['GetItem'],
    conversationStats: ['BatchGetItem'],
    apiKeys: ['ConditionCheckItem'],
  },

  async handle({ loaded: { environment }, body, caller, store, nowMs, newId }) {
    const [deployment] = await Promise.all([
      getDeployment(store, body.deploymentId),
      assertGuards(store, body.guards),
    ]);
    if (deployment?.environment !== environment.id)
      throw invalidField('deploymentId', 'must be a deployment of this environment');
    if (environment.rollout)
      return fail('rollout_running', `The rollout ${environment.rollout.id} has not ended.`);
    if (!environment.serves) return fail('nothing_served');
    const currentDeploymentId = environment.serves.deploymentId;
    if (deployment.id === currentDeploymentId)
      throw invalidField('deploymentId', 'must not be the current deployment');
    const held = await holdIndexIn(store, environment, deployment);
    if (!held) return fail('index_retired');
    const createdAt = timestamp(nowMs);
    const sides = [currentDeploymentId, deployment.id];
    const begun = {
      id: newId('rollout'),
      environment: environment.id,
      currentDeploymentId,
      conversationsBefore: await countDeployed(store, sides, { from: createdAt, until: createdAt }),
    };
    const rollout = start(body, begun, { at: createdAt, by: caller.principal, setBy: caller.id });
    // After an expunge, its worker replaces both the index and the hash.
    const { configHash, avatars, knowledgeIndexVersion } = deployment;
    const candidate = {
      deploymentId: deployment.id,
      avatars,
      configHash,
      knowledgeIndexVersion,
    };
    const belongs = hasDeployment(environment, deployment);
    return {
      status: 201,
      data: showRollout(rollout, caller),
      writes: [
        ...startRollout(store, rollout),
        putEnvironment(store, environment, withRollout(environment, rollout, candidate)),
        // An expunge replaces the index of the deployment and of the environment.
        belongs
          ? requireDeployment(store, deployment)
          : adoptDeployment(store, deployment, generationOf(environment)),
        ...held.writes,
        ...requireCaller(store, caller),
      ],
    };
  },
});
