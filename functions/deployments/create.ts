import * as z from 'zod';
import { configHashOf } from '../../lib/config-hash.ts';
import { defineEndpoint, fail } from '../../lib/endpoint.ts';
import { id } from '../../lib/models/common.ts';
import { type Deployment, maxAvatars, NewDeployment, newGit, reason } from '../../lib/models/deployment.ts';
import { environmentName } from '../../lib/models/environment-name.ts';
import { getActiveAvatars, getAvatarChanges, noteChangeSince } from '../../lib/store/avatars.ts';
import { createDeployment } from '../../lib/store/deployments.ts';
import { getEnvironment, newEnvironment, promote, putEnvironment } from '../../lib/store/environments.ts';
import { getPublishedIndexVersion, holdIndexVersion } from '../../lib/store/knowledge-indexes.ts';
import { timestamp } from '../../lib/time.ts';

/** What a runtime reads at once; a function's response is at most 6 MB ("Lambda quotas"). */
const maxContentBytes = 4 * 1024 * 1024;

export default defineEndpoint({
  id: 'deployments.create',
  method: 'POST',
  path: '/projects/{project_id}/deployments',
  summary: 'Deploy a project',
  description:
    'Freezes all active avatars, at most 100, and the published knowledge index, as they are together at one moment, ' +
    'and promotes the deployment to be what its environment serves. With `"promote": false` it stays staged. It stays ' +
    'staged too while the environment is pinned by a rollback, and `heldBack` says so.',
  auth: 'deploy:write',
  project: 'active',
  request: {
    params: z.strictObject({ project_id: id('project') }),
    body: z.strictObject({
      environment: environmentName,
      git: newGit,
      reason: reason.nullable().optional(),
      promote: z.boolean().optional().meta({ description: 'True when left out.' }),
    }),
  },
  responses: { 201: NewDeployment },
  errors: ['too_many_avatars', 'deployment_too_large'],
  access: {
    avatars: ['GetItem', 'Query', 'BatchGetItem', 'PutItem'],
    deployments: ['GetItem', 'PutItem', 'UpdateItem'],
    knowledgeIndexes: ['GetItem', 'UpdateItem'],
  },

  async handle({ params: { project_id: projectId }, body, caller, store, nowMs, newId }) {
    // First of all: a change that comes while the avatars are read is seen by the write.
    const [changes, environment, knowledgeIndexVersion] = await Promise.all([
      getAvatarChanges(store, projectId),
      getEnvironment(store, projectId, body.environment),
      getPublishedIndexVersion(store, projectId),
    ]);
    const avatars = await getActiveAvatars(store, projectId, maxAvatars);
    if (!avatars) return fail('too_many_avatars');
    if (Buffer.byteLength(JSON.stringify(avatars)) > maxContentBytes) return fail('deployment_too_large');

    const isWanted = body.promote ?? true;
    const isPinned = environment !== undefined && environment.rollback !== null;
    const isPromoted = isWanted && !isPinned;
    const createdAt = timestamp(nowMs);
    const deployment: Deployment = {
      id: newId('deployment'),
      environment: body.environment,
      git: body.git,
      reason: body.reason ?? null,
      phase: isPromoted ? 'current' : 'staged',
      avatars: avatars.map(({ id: avatarId, version }) => ({ avatarId, version })),
      knowledgeIndexVersion,
      configHash: configHashOf(avatars, knowledgeIndexVersion),
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
    return { status: 201, data: { ...deployment, heldBack: isWanted && isPinned }, writes };
  },
});
