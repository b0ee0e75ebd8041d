import * as z from 'zod';
import { Avatar } from '../../lib/avatars/schema.ts';
import { getAvatar } from '../../lib/avatars/store.ts';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { versionHeader } from '../../lib/http/if-match.ts';
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
  request: { params: z.strictObject({ project_id: id('project'), avatar_id: id('avatar') }) },
  responses: { 200: Avatar },
  headers: versionHeader,
  errors: ['not_found'],
  access: { avatars: ['GetItem'] },

  async handle({ params, store }) {
    const avatar = await getAvatar(store, params.project_id, params.avatar_id);
    return avatar ? { status: 200, data: avatar } : fail('not_found');
  },
});
