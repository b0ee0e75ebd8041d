import * as z from 'zod';
import { AvatarVersion } from '../../../lib/avatars/schema.ts';
import { avatarInPath, listAvatarVersions, versionIdPattern } from '../../../lib/avatars/store.ts';
import { defineEndpoint } from '../../../lib/http/endpoint.ts';
import { id, listOf } from '../../../lib/schema/common.ts';
import { defaultLimit, pageQuery } from '../../../lib/schema/query.ts';

export default defineEndpoint({
  id: 'avatars.versions.list',
  method: 'GET',
  path: '/projects/{project_id}/avatars/{avatar_id}/versions',
  summary: 'List the versions of an avatar',
  description: 'Returns all versions, newest first. The first version is the current avatar.',
  auth: 'avatars:read',
  project: 'existing',
  loads: { avatar: avatarInPath },
  request: {
    params: z.strictObject({ project_id: id('project'), avatar_id: id('avatar') }),
    query: z.strictObject(pageQuery),
  },
  responses: { 200: listOf(AvatarVersion).meta({ id: 'AvatarVersionList' }) },
  access: { avatars: ['Query'] },

  async handle({ loaded: { avatar }, query, store, cursor }) {
    const page = await listAvatarVersions(store, avatar.id, {
      after: cursor.position(query.cursor, versionIdPattern),
      limit: query.limit ?? defaultLimit,
    });
    return { status: 200, data: { items: page.items, nextCursor: cursor.next(page.next) } };
  },
});
