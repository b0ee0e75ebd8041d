import * as z from 'zod';
import {
  Avatar,
  avatarName,
  avatarStatuses,
  imageUrl,
  knowledgeTags,
  newVoice,
  personaChanges,
} from '../../lib/avatars/schema.ts';
import { changeAvatar, getAvatar } from '../../lib/avatars/store.ts';
import { canonicalJson } from '../../lib/canonical-json.ts';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { entityTagOf, versionHeader } from '../../lib/http/if-match.ts';
import { id } from '../../lib/schema/common.ts';
import { metadata } from '../../lib/schema/metadata.ts';
import { atLeastOneField } from '../../lib/schema/patch.ts';
import { timestamp } from '../../lib/time.ts';

export default defineEndpoint({
  id: 'avatars.update',
  method: 'PATCH',
  path: '/projects/{project_id}/avatars/{avatar_id}',
  summary: 'Change an avatar',
  description:
    'Changes the fields that are sent, and makes a new version; where nothing is different, it makes none. Of ' +
    '`persona` the members that are sent are changed, and the others stay. Every other field is changed as a whole: ' +
    '`voice` with both its members, `metadata` with all its pairs. Archive an avatar with `"status": "archived"`, and ' +
    'take it up again with `"active"`. What is deployed stays as it is until the next deployment.',
  auth: 'avatars:write',
  project: 'active',
  ifMatch: true,
  request: {
    params: z.strictObject({ project_id: id('project'), avatar_id: id('avatar') }),
    body: atLeastOneField(
      z.strictObject({
        name: avatarName.exactOptional(),
        persona: personaChanges.exactOptional(),
        voice: newVoice.nullable().exactOptional(),
        imageUrl: imageUrl.nullable().exactOptional(),
        knowledgeTags: knowledgeTags.exactOptional(),
        metadata: metadata.exactOptional(),
        status: z.enum(avatarStatuses).exactOptional(),
      }),
    ),
  },
  responses: { 200: Avatar },
  headers: versionHeader,
  errors: ['not_found', 'version_mismatch'],
  access: { avatars: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'] },

  async handle({ params, body, caller, matches, store, nowMs }) {
    const avatar = await getAvatar(store, params.project_id, params.avatar_id);
    if (!avatar) return fail('not_found');
    if (!matches(entityTagOf(avatar.version))) return fail('version_mismatch');
    const changed = { ...avatar, ...body, persona: { ...avatar.persona, ...body.persona } };
    if (canonicalJson(changed) === canonicalJson(avatar)) return { status: 200, data: avatar };
    const after = Avatar.parse({ ...changed, version: avatar.version + 1, updatedAt: timestamp(nowMs) });
    return {
      status: 200,
      data: after,
      writes: changeAvatar(store, params.project_id, avatar, after, caller.id),
    };
  },
});
