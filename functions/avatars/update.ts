import * as z from 'zod';
import { checkedSize } from '../../lib/avatars/avatar.ts';
import { sentModel } from '../../lib/avatars/model.ts';
import { sentRuntime } from '../../lib/avatars/runtime.ts';
import {
  Avatar,
  avatarExternalId,
  avatarName,
  avatarStatus,
  knowledgeTags,
  newVoice,
  personaChanges,
  sentImageUrl,
} from '../../lib/avatars/schema.ts';
import { avatarInPath, changeAvatar, nameAvatar } from '../../lib/avatars/store.ts';
import { canonicalJson } from '../../lib/base/json.ts';
import { parserWithOwnJson } from '../../lib/base/own-json.ts';
import { timestamp } from '../../lib/base/time.ts';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { entityTag, versionHeader } from '../../lib/http/entity-tags.ts';
import { atLeastOneField, id } from '../../lib/schema/common.ts';
import { metadata } from '../../lib/schema/metadata.ts';

export default defineEndpoint({
  id: 'avatars.update',
  method: 'PATCH',
  path: '/projects/{project_id}/avatars/{avatar_id}',
  summary: 'Update an avatar',
  description:
    'Changes the fields in the body and creates a new version. If nothing changes, there is no new version.\n\nIn ' +
    '`persona`, only the fields in the body change. Every other field is replaced as a whole, including `voice`, ' +
    '`model`, `runtime` and `metadata`. Set `status` to `archived` to archive the avatar, and to `active` to use it again. ' +
    'Environments keep serving the deployed version until the next deployment.',
  auth: 'avatars:write',
  project: 'active',
  loads: { avatar: avatarInPath },
  ifMatch: true,
  parseBody: parserWithOwnJson(['runtime']),
  request: {
    params: z.strictObject({ project_id: id('project'), avatar_id: id('avatar') }),
    body: atLeastOneField(
      z.strictObject({
        externalId: avatarExternalId.nullable().exactOptional(),
        name: avatarName.exactOptional(),
        persona: personaChanges.exactOptional(),
        voice: newVoice.nullable().exactOptional(),
        imageUrl: sentImageUrl.nullable().exactOptional(),
        knowledgeTags: knowledgeTags.exactOptional(),
        model: sentModel.nullable().exactOptional(),
        runtime: sentRuntime.exactOptional(),
        metadata: metadata.exactOptional(),
        status: avatarStatus.exactOptional().meta({
          removes: 'The next deployment takes an archived avatar out of its environment.',
          removesIf: 'archived',
        }),
      }),
    ),
  },
  causes: ['avatar.updated'],
  responses: { 200: Avatar },
  headers: versionHeader,
  errors: ['version_mismatch', 'external_id_taken'],
  access: { avatars: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'] },

  async handle({ loaded: { avatar }, body, caller, matches, store, nowMs }) {
    if (!matches(entityTag(avatar.version))) return fail('version_mismatch');
    const draft = { ...avatar, ...body, persona: { ...avatar.persona, ...body.persona } };
    if (canonicalJson(draft) === canonicalJson(avatar)) return { status: 200, data: avatar };
    const after = checkedSize(
      Avatar.parse({ ...draft, version: avatar.version + 1, updatedAt: timestamp(nowMs) }),
    );
    const { holder, writes } = await nameAvatar(store, avatar, after);
    if (holder) return fail('external_id_taken', `The avatar ${holder.id} already has this externalId.`);
    return {
      status: 200,
      data: after,
      writes: [...changeAvatar(store, avatar, after, caller.principal), ...writes],
    };
  },
});
