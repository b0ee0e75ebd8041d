/** The differences between the contents of two deployments. */

import type { Deployment } from '../../../../clients/typescript/src/index.ts';

/** The contents of a deployment. Contents that are not deployed yet have no id. */
export type Contents = Pick<Deployment, 'avatars' | 'knowledgeIndexVersion'> & { id?: string };

export const noContents: Contents = { avatars: [], knowledgeIndexVersion: null };

export type AvatarChange = {
  avatarId: string;
  kind: 'added' | 'changed' | 'removed';
  /** The version before; null if the avatar was not deployed. */
  from: number | null;
  to: number | null;
};

/** @returns the avatars that differ, by id */
export function avatarChanges(before: Contents, after: Contents): AvatarChange[] {
  const versionsBefore = new Map(before.avatars.map(({ avatarId, version }) => [avatarId, version]));
  const versionsAfter = new Map(after.avatars.map(({ avatarId, version }) => [avatarId, version]));
  const ids = [...new Set([...versionsBefore.keys(), ...versionsAfter.keys()])].sort();
  return ids.flatMap((avatarId): AvatarChange[] => {
    const from = versionsBefore.get(avatarId) ?? null;
    const to = versionsAfter.get(avatarId) ?? null;
    if (from === to) return [];
    return [{ avatarId, kind: from === null ? 'added' : to === null ? 'removed' : 'changed', from, to }];
  });
}
