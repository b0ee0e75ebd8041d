import * as z from 'zod';
import { checkedSize, contentOf, newAvatar } from '../../lib/avatars/avatar.ts';
import { Avatar, avatarExternalId, sentAvatar, UpsertedAvatar } from '../../lib/avatars/schema.ts';
import {
  changeAvatar,
  createAvatar,
  findAvatarByExternalId,
  giveExternalId,
} from '../../lib/avatars/store.ts';
import { canonicalJson } from '../../lib/base/json.ts';
import { parserWithOwnJson } from '../../lib/base/own-json.ts';
import { timestamp } from '../../lib/base/time.ts';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { entityTag } from '../../lib/http/entity-tags.ts';
import { id } from '../../lib/schema/common.ts';
import { externalIdInPath } from '../../lib/schema/names.ts';

export default defineEndpoint({
  id: 'avatars.put',
  method: 'PUT',
  path: '/projects/{project_id}/avatars/by-external-id/{external_id}',
  summary: 'Create or update an avatar by externalId',
  description:
    'Creates an avatar with this externalId, or replaces the content of the existing avatar and creates a new ' +
    'version. An omitted field gets its default. The status does not change: an archived avatar stays ' +
    'archived.\n\nYou can repeat the request without an Idempotency-Key: it creates one avatar, and writes ' +
    'nothing if nothing has changed. With `If-Match`, only the avatar with this ETag is changed. Percent-encode ' +
    'the externalId.',
  auth: 'avatars:write',
  project: 'active',
  ifMatch: true,
  parseBody: parserWithOwnJson(['runtime']),
  request: {
    params: z.strictObject({ project_id: id('project'), external_id: avatarExternalId }),
    body: z.strictObject({ ...sentAvatar, externalId: externalIdInPath(avatarExternalId) }),
  },
  causes: ['avatar.created', 'avatar.updated'],
  responses: { 200: UpsertedAvatar, 201: UpsertedAvatar },
  headers: {
    ETag: {
      description: 'The version of the avatar, for `If-Match`.',
      value: ({ avatar }: UpsertedAvatar) => entityTag(avatar.version),
    },
  },
  errors: ['version_mismatch'],
  access: { avatars: ['GetItem', 'PutItem', 'UpdateItem'] },

  async handle(input) {
    const { params, body, caller, matches, store, nowMs } = input;
    const externalId = params.external_id;
    const entry = await findAvatarByExternalId(store, externalId);
    const existing = entry.resource;
    if (!matches(existing && entityTag(existing.version))) return fail('version_mismatch');
    if (!existing) {
      const avatar = newAvatar({ ...body, externalId }, input);
      return {
        status: 201,
        data: { outcome: 'created', avatar },
        writes: [...createAvatar(store, avatar), giveExternalId(store, avatar, externalId, entry.pointer)],
      };
    }
    const draft = { ...existing, ...contentOf(body) };
    if (canonicalJson(draft) === canonicalJson(existing)) {
      return { status: 200, data: { outcome: 'unchanged', avatar: existing } };
    }
    const avatar = checkedSize(
      Avatar.parse({ ...draft, version: existing.version + 1, updatedAt: timestamp(nowMs) }),
    );
    return {
      status: 200,
      data: { outcome: 'updated', avatar },
      writes: changeAvatar(store, existing, avatar, caller.principal),
    };
  },
});
