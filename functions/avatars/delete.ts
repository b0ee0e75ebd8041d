import * as z from 'zod';
import { findServing } from '../../lib/avatars/deployments/store/environments.ts';
import { Avatar } from '../../lib/avatars/schema.ts';
import { avatarChangesOfProject, avatarInPath, deleteAvatar, nameAvatar } from '../../lib/avatars/store.ts';
import { withinEnvironments } from '../../lib/base/caller.ts';
import { defineEndpoint, fail, optional } from '../../lib/http/endpoint.ts';
import { entityTag } from '../../lib/http/entity-tags.ts';
import { id } from '../../lib/schema/common.ts';

export default defineEndpoint({
  id: 'avatars.delete',
  method: 'DELETE',
  path: '/projects/{project_id}/avatars/{avatar_id}',
  summary: 'Delete an avatar',
  description:
    'Deletes the avatar permanently. An avatar that an environment serves cannot be deleted, nor one that the candidate of a ' +
    'rollout has: archive it and deploy first, or end the rollout. Earlier deployments keep their versions of the avatar, so you can still roll ' +
    'back to them.',
  auth: 'avatars:write',
  project: 'active',
  // If a deployment is created while the environments are read, it changes `changes`, and the write is refused.
  loads: { avatar: avatarInPath, changes: optional(avatarChangesOfProject) },
  ifMatch: true,
  request: { params: z.strictObject({ project_id: id('project'), avatar_id: id('avatar') }) },
  causes: ['avatar.deleted'],
  responses: { 200: Avatar },
  errors: ['version_mismatch', 'avatar_in_use'],
  access: { avatars: ['GetItem', 'PutItem', 'DeleteItem'], deployments: ['Query'] },

  async handle({ loaded: { avatar, changes }, matches, caller, store }) {
    if (!matches(entityTag(avatar.version))) return fail('version_mismatch');
    const serving = await findServing(store, avatar.id);
    if (serving) {
      const { environment, deploymentId, isCandidate } = serving;
      const deployment = `${isCandidate ? 'the candidate of its rollout' : 'its current deployment'} ${deploymentId}`;
      const place = withinEnvironments(caller, [environment])
        ? `The environment ${environment} serves this avatar in ${deployment}.`
        : 'An environment serves this avatar.';
      const first = isCandidate ? 'End the rollout' : 'Archive the avatar and deploy';
      return fail('avatar_in_use', `${place} ${first} first.`);
    }
    const naming = await nameAvatar(store, avatar, undefined);
    return {
      status: 200,
      data: avatar,
      writes: [...deleteAvatar(store, avatar, changes), ...naming.writes],
    };
  },
});
