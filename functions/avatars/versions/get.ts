import * as z from 'zod';
import { AvatarVersion, versionInPath } from '../../../lib/avatars/schema.ts';
import { getAvatar, getAvatarVersion } from '../../../lib/avatars/store.ts';
import { defineEndpoint, fail } from '../../../lib/http/endpoint.ts';
import { id } from '../../../lib/schema/common.ts';

export default defineEndpoint({
  id: 'avatars.versions.get',
  method: 'GET',
  path: '/projects/{project_id}/avatars/{avatar_id}/versions/{version}',
  summary: 'Get a version of an avatar',
  description: 'Returns the version as it was created. Versions never change.',
  auth: 'avatars:read',
  project: 'existing',
  request: {
    params: z.strictObject({ project_id: id('project'), avatar_id: id('avatar'), version: versionInPath }),
  },
  responses: { 200: AvatarVersion },
  errors: ['not_found'],
  access: { avatars: ['GetItem'] },

  async handle({ params, store }) {
    const { project_id: projectId, avatar_id: avatarId } = params;
    const [avatar, version] = await Promise.all([
      getAvatar(store, projectId, avatarId),
      getAvatarVersion(store, projectId, avatarId, params.version),
    ]);
    return avatar && version ? { status: 200, data: version } : fail('not_found');
  },
});
