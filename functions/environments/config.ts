import * as z from 'zod';
import { EnvironmentConfig } from '../../lib/avatars/deployments/schema.ts';
import { configTag, readConfig } from '../../lib/avatars/deployments/store/config.ts';
import { environmentInPath, type ServedRollout } from '../../lib/avatars/deployments/store/environments.ts';
import { anyOf } from '../../lib/base/scopes.ts';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { type Assignment, showAssignment } from '../../lib/rollouts/assign.ts';
import { servedTo, unit } from '../../lib/rollouts/served.ts';
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
    'that keeps its `deploymentId` goes on with `GET …/deployments/{deployment_id}/config` after the next promotion.\n\n' +
    'While a rollout runs, `rollout` says which part of the units gets the candidate. With `unit`, the configuration is that of ' +
    'the unit: of the current deployment, or of the candidate. Send its `rollout.assignment` with the conversation.',
  auth: anyOf('deploy:read', 'runtime:read'),
  project: 'existing',
  loads: { environment: environmentInPath },
  environments: ({ params }) => [params.name],
  ifNoneMatch: true,
  request: {
    params: z.strictObject({ project_id: id('project'), name: environmentName }),
    query: z.strictObject({ unit: unit.optional() }),
  },
  responses: { 200: EnvironmentConfig, 304: EnvironmentConfig.pick({ configHash: true, rollout: true }) },
  headers: {
    ETag: { description: 'The `configHash`. While a rollout runs, also the `rollout`.', value: configTag },
  },
  errors: ['not_found'],
  access: { avatars: ['BatchGetItem'] },

  async handle({ loaded: { environment }, query, isKnown, store }) {
    const { served, assignment } = servedTo(environment, query.unit);
    if (!served) return fail('not_found', 'No deployment has been promoted in this environment.');
    const rollout = shownRollout(environment.rollout, assignment);
    const { configHash } = served;
    if (isKnown(configTag({ configHash, rollout }))) return { status: 304, data: { configHash, rollout } };
    return { status: 200, data: await readConfig(store, environment.id, served, rollout) };
  },
});

function shownRollout(
  rollout: ServedRollout | undefined,
  assignment: Assignment | undefined,
): EnvironmentConfig['rollout'] {
  if (!rollout) return null;
  const { id, percent, span, candidate } = rollout;
  const { deploymentId, configHash } = candidate;
  return {
    id,
    percent,
    span,
    candidate: { deploymentId, configHash },
    ...(assignment && { variant: assignment.variant, assignment: showAssignment(assignment) }),
  };
}
