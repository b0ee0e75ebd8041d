import * as z from 'zod';
import { Avatar } from '../../lib/avatars/schema.ts';
import { avatarInPath } from '../../lib/avatars/store.ts';
import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { versionHeader } from '../../lib/http/entity-tags.ts';
import { id } from '../../lib/schema/common.ts';

export default defineEndpoint({
  id: 'avatars.get',
  method: 'GET',
  path: '/projects/{project_id}/avatars/{avatar_id}',
  summary: 'Get an avatar',
  description:
    'Returns the latest version. `GET …/environments/{environment}/config` returns what an environment ' +
    'serves.',
  auth: 'avatars:read',
  project: 'existing',
  loads: { avatar: avatarInPath },
  request: { params: z.strictObject({ project_id: id('project'), avatar_id: id('avatar') }) },
  responses: { 200: Avatar },
  headers: versionHeader,

  async handle({ loaded }) {
    return { status: 200, data: loaded.avatar };
  },
});
