import { canonicalJson } from '../../base/json.ts';
import type { Deployment, FrozenAvatar } from './schema.ts';

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

const fields = ['name', 'persona', 'voice', 'imageUrl', 'knowledgeTags', 'metadata'] as const;

/** @returns the names of the fields that differ */
export const changedFields = (
  before: Omit<FrozenAvatar, 'id' | 'version'>,
  after: Omit<FrozenAvatar, 'id' | 'version'>,
): string[] => fields.filter((field) => canonicalJson(before[field]) !== canonicalJson(after[field]));
