import * as z from 'zod';
import { AvatarVersion } from '../../../lib/avatars/schema.ts';
import { getAvatar, listAvatarVersions, versionIdPattern } from '../../../lib/avatars/store.ts';
import { defineEndpoint, fail } from '../../../lib/http/endpoint.ts';
import { id, listOf } from '../../../lib/schema/common.ts';
import { defaultLimit, pageQuery } from '../../../lib/schema/page.ts';

export default defineEndpoint({
  id: 'avatars.versions.list',
  method: 'GET',
  path: '/projects/{project_id}/avatars/{avatar_id}/versions',
  summary: 'List the versions of an avatar',
  description: 'Returns all versions, newest first. The first one is the current avatar.',
  auth: 'avatars:read',
  project: 'existing',
  request: {
    params: z.strictObject({ project_id: id('project'), avatar_id: id('avatar') }),
    query: z.strictObject(pageQuery),
  },
  responses: { 200: listOf(AvatarVersion).meta({ id: 'AvatarVersionList' }) },
  errors: ['not_found'],
  access: { avatars: ['GetItem', 'Query'] },

  async handle({ params, query, store, cursor }) {
    const { project_id: projectId, avatar_id: avatarId } = params;
    const list = {
      after: cursor.position(query.cursor, versionIdPattern),
      limit: query.limit ?? defaultLimit,
    };
    const [avatar, page] = await Promise.all([
      getAvatar(store, projectId, avatarId),
      listAvatarVersions(store, projectId, avatarId, list),
    ]);
    if (!avatar) return fail('not_found');
    return { status: 200, data: { items: page.items, nextCursor: cursor.next(page.next) } };
  },
});
