import * as z from 'zod';
import { defineEndpoint, fail } from '../../lib/endpoint.ts';
import { entityTagOf } from '../../lib/if-match.ts';
import { Avatar } from '../../lib/models/avatar.ts';
import { id } from '../../lib/models/common.ts';
import { deleteAvatar, getAvatar, getAvatarChanges } from '../../lib/store/avatars.ts';

export default defineEndpoint({
  id: 'avatars.delete',
  method: 'DELETE',
  path: '/projects/{project_id}/avatars/{avatar_id}',
  summary: 'Delete an avatar',
  description: 'For good. Its versions stay where deployments hold them, and are not found otherwise.',
  auth: 'avatars:write',
  project: 'active',
  ifMatch: true,
  request: { params: z.strictObject({ project_id: id('project'), avatar_id: id('avatar') }) },
  responses: { 200: Avatar },
  errors: ['not_found', 'version_mismatch'],
  access: { avatars: ['GetItem', 'PutItem', 'DeleteItem'] },

  async handle({ params, matches, store }) {
    const { project_id: projectId, avatar_id: avatarId } = params;
    const [changes, avatar] = await Promise.all([
      getAvatarChanges(store, projectId),
      getAvatar(store, projectId, avatarId),
    ]);
    if (!avatar) return fail('not_found');
    if (!matches(entityTagOf(avatar.version))) return fail('version_mismatch');
    return { status: 200, data: avatar, writes: deleteAvatar(store, projectId, avatar, changes) };
  },
});
