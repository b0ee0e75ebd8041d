/** The differences of two deployments: the comparison of avatars, and the schema of the list. One endpoint needs them. */

import * as z from 'zod';
import { differences } from '../../base/differences.ts';
import { id, listOf } from '../../schema/common.ts';
import { versionNumber } from '../schema.ts';
import type { Deployment, FreezableAvatar } from './schema.ts';

export type Deployed = Pick<Deployment, 'avatars'>;

export type AvatarChange = {
  id: string;
  change: 'added' | 'changed' | 'removed';
  /** The version is null if the avatar was not deployed. */
  from: number | null;
  to: number | null;
};

/** @returns the avatars with another version, sorted by id */
export function avatarChanges(before: Deployed, after: Deployed): AvatarChange[] {
  const old = new Map(before.avatars.map(({ avatarId, version }) => [avatarId, version]));
  const next = new Map(after.avatars.map(({ avatarId, version }) => [avatarId, version]));
  const ids = [...new Set([...old.keys(), ...next.keys()])].sort();
  return ids.flatMap((id): AvatarChange[] => {
    const from = old.get(id) ?? null;
    const to = next.get(id) ?? null;
    if (from === to) return [];
    return [{ id, change: from === null ? 'added' : to === null ? 'removed' : 'changed', from, to }];
  });
}

type Content = Omit<FreezableAvatar, 'id'>;

const contentOf = ({ name, persona, voice, imageUrl, knowledgeTags, model, runtime, metadata }: Content) => ({
  name,
  persona,
  voice,
  imageUrl,
  knowledgeTags,
  model: model ?? null,
  runtime: runtime ?? null,
  metadata,
});

const maxPaths = 50;

/** @returns the names of the fields that differ, and the paths in them */
export function changedFields(before: Content, after: Content): { fields: string[]; paths: string[] } {
  const fields = new Set<string>();
  const paths: string[] = [];
  for (const path of differences(contentOf(before), contentOf(after))) {
    fields.add(path.split('.', 1).join());
    if (paths.length < maxPaths) paths.push(path);
  }
  return { fields: [...fields], paths };
}

export const DeploymentChange = z
  .object({
    kind: z.enum(['avatar', 'document']).meta({
      isOpen: true,
      description: 'The kind of the changed resource.',
      example: 'avatar',
    }),
    id: z.string().meta({
      description: 'The id of the avatar or the document.',
      example: 'avtr_01ARZ3NDEKTSV4RRFFQ69G5FAV',
    }),
    name: z
      .string()
      .nullable()
      .meta({
        description:
          'The name of the avatar, or the title of the document, in the newer content that has it. Null for a document if ' +
          'the credential lacks `knowledge:read`.',
        example: 'Ada',
      }),
    change: z
      .enum(['added', 'changed', 'removed'])
      .meta({ description: 'The difference.', example: 'changed' }),
    from: versionNumber.nullable().meta({
      description: 'The version of the avatar in `since`. Null for an added avatar, and for documents.',
      example: 2,
    }),
    to: versionNumber.nullable().meta({
      description:
        'The version of the avatar in the deployment. Null for a removed avatar, and for documents.',
      example: 3,
    }),
    fields: z.array(z.string()).meta({
      description:
        'The fields that differ: of an avatar, such as `persona`; of a document, `title`, `tags`, `url`, `content` ' +
        'or `metadata`. Empty unless `change` is `changed`. Also empty for an avatar whose new version has the same content.',
      example: ['persona'],
    }),
    paths: z.array(z.string()).meta({
      description:
        'The paths of an avatar that differ, at most 50: of the parts of a field, such as `persona.prompt` or ' +
        '`runtime.tools.0.name`. A path of more than 100 characters ends earlier. Empty for a document, and where `fields` is.',
      example: ['persona.prompt'],
    }),
  })
  .meta({ id: 'DeploymentChange', description: 'An avatar or a document that differs in two deployments.' });

export type DeploymentChange = z.infer<typeof DeploymentChange>;

export const DeploymentChanges = listOf(DeploymentChange)
  .extend({
    since: id('deployment').nullable().meta({
      description: 'The deployment that was compared with. Null if nothing was served before.',
    }),
    documents: z.enum(['same', 'compared', 'unknown']).meta({
      isOpen: true,
      description:
        'Whether the list has the documents. `same`: both deployments have the same index. `unknown`: the indexes ' +
        'differ, and a list of the documents is missing for an index, because it was built by an earlier version of ' +
        'the service.',
      example: 'compared',
    }),
  })
  .meta({ id: 'DeploymentChangeList', description: 'A page of the differences.' });
