import * as z from 'zod';
import { AvatarVersion, versionInPath } from '../../../lib/avatars/schema.ts';
import { avatarInPath, avatarVersionInPath } from '../../../lib/avatars/store.ts';
import { defineEndpoint } from '../../../lib/http/endpoint.ts';
import { id } from '../../../lib/schema/common.ts';

export default defineEndpoint({
  id: 'avatars.versions.get',
  method: 'GET',
  path: '/projects/{project_id}/avatars/{avatar_id}/versions/{version}',
  summary: 'Get a version of an avatar',
  description: 'Returns the version as it was created. Versions never change.',
  auth: 'avatars:read',
  project: 'existing',
  // The versions of a deleted avatar are kept but not returned.
  loads: { avatar: avatarInPath, version: avatarVersionInPath },
  request: {
    params: z.strictObject({ project_id: id('project'), avatar_id: id('avatar'), version: versionInPath }),
  },
  responses: { 200: AvatarVersion },

  async handle({ loaded }) {
    return { status: 200, data: loaded.version };
  },
});
