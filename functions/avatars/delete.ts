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
    'Deletes the avatar permanently. An avatar that an environment serves cannot be deleted: archive it ' +
    'and deploy first. Earlier deployments keep their versions of the avatar, so you can still roll ' +
    'back to them.',
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
        `The environment ${environment} serves this avatar in its current deployment ${deploymentId}. ` +
          'Archive the avatar and deploy first.',
      );
    }
    return { status: 200, data: avatar, writes: deleteAvatar(store, projectId, avatar, changes) };
  },
});
