/** How the contents of two deployments differ. */

import type { Deployment } from '../../../../clients/typescript/src/index.ts';

/** The id is missing for what is not deployed yet. */
export type Contents = Pick<Deployment, 'avatars' | 'knowledgeIndexVersion'> & { id?: string };

export const nothing: Contents = { avatars: [], knowledgeIndexVersion: null };

export type AvatarChange = {
  avatarId: string;
  kind: 'added' | 'changed' | 'removed';
  /** Null if the avatar was not deployed. */
  from: number | null;
  to: number | null;
};

/** @returns the avatars that differ, by id */
export function avatarChanges(before: Contents, after: Contents): AvatarChange[] {
  const old = new Map(before.avatars.map(({ avatarId, version }) => [avatarId, version]));
  const next = new Map(after.avatars.map(({ avatarId, version }) => [avatarId, version]));
  const ids = [...new Set([...old.keys(), ...next.keys()])].sort();
  return ids.flatMap((avatarId): AvatarChange[] => {
    const from = old.get(avatarId) ?? null;
    const to = next.get(avatarId) ?? null;
    if (from === to) return [];
    return [{ avatarId, kind: from === null ? 'added' : to === null ? 'removed' : 'changed', from, to }];
  });
}
