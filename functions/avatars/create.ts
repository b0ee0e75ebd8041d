import * as z from 'zod';
import { newAvatar } from '../../lib/avatars/avatar.ts';
import { Avatar, avatarExternalId, sentAvatar } from '../../lib/avatars/schema.ts';
import { createAvatar, nameAvatar } from '../../lib/avatars/store.ts';
import { parserWithOwnJson } from '../../lib/base/own-json.ts';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { versionHeader } from '../../lib/http/entity-tags.ts';
import { id } from '../../lib/schema/common.ts';

export default defineEndpoint({
  id: 'avatars.create',
  method: 'POST',
  path: '/projects/{project_id}/avatars',
  summary: 'Create an avatar',
  description: 'Creates an active avatar with version 1.',
  auth: 'avatars:write',
  project: 'active',
  parseBody: parserWithOwnJson(['runtime']),
  request: {
    params: z.strictObject({ project_id: id('project') }),
    body: z.strictObject({ ...sentAvatar, externalId: avatarExternalId.nullable().optional() }),
  },
  causes: ['avatar.created'],
  responses: { 201: Avatar },
  headers: versionHeader,
  errors: ['external_id_taken'],
  access: { avatars: ['GetItem', 'PutItem'] },

  async handle(input) {
    const { body, store } = input;
    const avatar = newAvatar({ ...body, externalId: body.externalId ?? null }, input);
    const { holder, writes } = await nameAvatar(store, undefined, avatar);
    if (holder) return fail('external_id_taken', `The avatar ${holder.id} already has this externalId.`);
    return { status: 201, data: avatar, writes: [...createAvatar(store, avatar), ...writes] };
  },
});
