import * as z from 'zod';
import { Avatar } from '../../lib/avatars/schema.ts';
import { deleteAvatar, getAvatar, getAvatarChanges } from '../../lib/avatars/store.ts';
import { findServing } from '../../lib/deployments/store/environments.ts';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { entityTagOf } from '../../lib/http/if-match.ts';
import { id } from '../../lib/schema/common.ts';

export default defineEndpoint({
  id: 'avatars.delete',
  method: 'DELETE',
  path: '/projects/{project_id}/avatars/{avatar_id}',
  summary: 'Delete an avatar',
  description:
    'For good, unless an environment serves it: then archive it and deploy first. What was deployed before stays whole, ' +
    'and can be rolled back to.',
  auth: 'avatars:write',
  project: 'active',
  ifMatch: true,
  request: { params: z.strictObject({ project_id: id('project'), avatar_id: id('avatar') }) },
  responses: { 200: Avatar },
  errors: ['not_found', 'version_mismatch', 'avatar_in_use'],
  access: { avatars: ['GetItem', 'PutItem', 'DeleteItem'], deployments: ['Query'] },

  async handle({ params, matches, store }) {
    const { project_id: projectId, avatar_id: avatarId } = params;
    // First of all: a deployment that comes while the environments are read is seen by the write.
    const [changes, avatar] = await Promise.all([
      getAvatarChanges(store, projectId),
      getAvatar(store, projectId, avatarId),
    ]);
    if (!avatar) return fail('not_found');
    if (!matches(entityTagOf(avatar.version))) return fail('version_mismatch');
    const serving = await findServing(store, projectId, avatarId);
    if (serving) {
      const { environment, deploymentId } = serving;
      return fail(
        'avatar_in_use',
        `The environment ${environment} serves this avatar, by its current deployment ${deploymentId}: archive the ` +
          'avatar and deploy first.',
      );
    }
    return { status: 200, data: avatar, writes: deleteAvatar(store, projectId, avatar, changes) };
  },
});
