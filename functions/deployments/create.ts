import * as z from 'zod';
import { getActiveAvatars, getAvatarChanges, noteChangeSince } from '../../lib/avatars/store.ts';
import { configHashOf } from '../../lib/deployments/config-hash.ts';
import { environmentName } from '../../lib/deployments/environment-name.ts';
import { type Deployment, maxAvatars, NewDeployment, newGit, reason } from '../../lib/deployments/schema.ts';
import { createDeployment, getDeployment } from '../../lib/deployments/store/deployments.ts';
import {
  getEnvironment,
  newEnvironment,
  promote,
  putEnvironment,
} from '../../lib/deployments/store/environments.ts';
import { warningsOf } from '../../lib/deployments/warnings.ts';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { countUnindexed } from '../../lib/knowledge/store/documents.ts';
import { getPublishedIndexVersion, holdIndexVersion } from '../../lib/knowledge/store/indexes.ts';
import { maxResponseBytes, responseBytes } from '../../lib/response-bytes.ts';
import { id } from '../../lib/schema/common.ts';
import { timestamp } from '../../lib/time.ts';

export default defineEndpoint({
  id: 'deployments.create',
  method: 'POST',
  path: '/projects/{project_id}/deployments',
  summary: 'Deploy a project',
  description:
    'Freezes all active avatars, at most 100, and the published knowledge index, as they are together at one moment, ' +
    'and promotes the deployment to be what its environment serves. With `"promote": false` it stays staged. It stays ' +
    'staged too while the environment is pinned by a rollback, and `heldBack` says so.\n\n' +
    'With `"ifChanged": true` nothing is deployed if the current deployment has the same `configHash`: the response is ' +
    'then 200 with that deployment. `warnings` says how many documents are `pending` or `failed`.\n\n' +
    'An `Idempotency-Key` stands for one run, not for a commit: sent again within 24 hours, it returns the same ' +
    'deployment, although avatars or knowledge have changed since.',
  auth: 'deploy:write',
  project: 'active',
  request: {
    params: z.strictObject({ project_id: id('project') }),
    body: z.strictObject({
      environment: environmentName,
      git: newGit.nullable().optional().meta({ description: 'The commit, where there is one.' }),
      reason: reason.nullable().optional(),
      promote: z.boolean().optional().meta({ description: 'True when left out.' }),
      ifChanged: z
        .boolean()
        .optional()
        .meta({ description: 'Deploys only what differs from the current deployment. False when left out.' }),
    }),
  },
  responses: { 200: NewDeployment, 201: NewDeployment },
  errors: ['too_many_avatars', 'deployment_too_large'],
  access: {
    avatars: ['GetItem', 'Query', 'BatchGetItem', 'PutItem'],
    deployments: ['GetItem', 'PutItem', 'UpdateItem'],
    knowledge: ['Query'],
    knowledgeIndexes: ['GetItem', 'UpdateItem'],
  },

  async handle({ params: { project_id: projectId }, body, caller, store, nowMs, newId }) {
    // First of all: a change that comes while the avatars are read is seen by the write.
    const [changes, environment, knowledgeIndexVersion, unindexed] = await Promise.all([
      getAvatarChanges(store, projectId),
      getEnvironment(store, projectId, body.environment),
      getPublishedIndexVersion(store, projectId),
      countUnindexed(store, projectId),
    ]);
    const avatars = await getActiveAvatars(store, projectId, maxAvatars);
    if (!avatars) return fail('too_many_avatars');
    if (responseBytes(avatars) > maxResponseBytes) return fail('deployment_too_large');
    const configHash = configHashOf(avatars, knowledgeIndexVersion);
    const warnings = warningsOf(unindexed);
    if (body.ifChanged && environment?.serves?.configHash === configHash) {
      const [current, changesSince] = await Promise.all([
        getDeployment(store, projectId, environment.serves.deploymentId),
        getAvatarChanges(store, projectId),
      ]);
      // If an avatar has changed meanwhile, the write below fails, and all is decided again.
      if (current && changesSince === changes) {
        return { status: 200, data: { ...current, heldBack: false, warnings } };
      }
    }

    const isWanted = body.promote ?? true;
    const isPinned = environment !== undefined && environment.rollback !== null;
    const isPromoted = isWanted && !isPinned;
    const createdAt = timestamp(nowMs);
    const deployment: Deployment = {
      id: newId('deployment'),
      environment: body.environment,
      git: body.git ?? null,
      reason: body.reason ?? null,
      phase: isPromoted ? 'current' : 'staged',
      avatars: avatars.map(({ id: avatarId, version }) => ({ avatarId, version })),
      knowledgeIndexVersion,
      configHash,
      createdAt,
      createdBy: caller.id,
      promotedAt: isPromoted ? createdAt : null,
    };
    const writes = [
      createDeployment(store, projectId, deployment),
      noteChangeSince(store, projectId, changes),
    ];
    if (knowledgeIndexVersion !== null) {
      writes.push(...holdIndexVersion(store, projectId, knowledgeIndexVersion));
    }
    if (isPromoted) {
      writes.push(...promote(store, projectId, environment, deployment, createdAt).writes);
    } else if (!environment) {
      writes.push(putEnvironment(store, projectId, environment, newEnvironment(body.environment, createdAt)));
    }
    return { status: 201, data: { ...deployment, heldBack: isWanted && isPinned, warnings }, writes };
  },
});
