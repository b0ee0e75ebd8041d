/** The names of the avatars of a project. They arrive after the list, and only the elements that show them are drawn again. */

import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Avatar } from '../../../../clients/typescript/src/index.ts';
import { can, onSignOut, platform } from '../../session/session.ts';
import { Name } from '../../shared/text.tsx';

/** The avatars of the project whose pages are open. */
const projectAvatars = signal<{ project: string; avatars: readonly Avatar[] }>({ project: '', avatars: [] });
onSignOut(() => {
  projectAvatars.value = { project: '', avatars: [] };
});

const maxAvatars = 500;

/** Loads the avatars, if the credential may read them. @returns the avatars that are loaded */
export function useAvatars(project: string): readonly Avatar[] {
  useEffect(() => {
    if (!can('avatars:read')) return;
    const controller = new AbortController();
    const load = async () => {
      const avatars: Avatar[] = [];
      const list = platform().projects(project).avatars.list({ limit: 100 }, { signal: controller.signal });
      for await (const avatar of list) {
        avatars.push(avatar);
        if (avatars.length === maxAvatars) break;
      }
      projectAvatars.value = { project, avatars };
    };
    // Without the names, the pages show the ids.
    load().catch(() => {});
    return () => controller.abort();
  }, [project]);
  return projectAvatars.value.project === project ? projectAvatars.value.avatars : [];
}

/** @returns the name; undefined for an avatar that is not loaded */
export const avatarName = (id: string): string | undefined =>
  projectAvatars.value.avatars.find((avatar) => avatar.id === id)?.name;

export const AvatarName = ({ id }: { id: string }) => <Name value={avatarName(id) ?? `…${id.slice(-6)}`} />;
