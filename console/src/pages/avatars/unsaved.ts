/** Unsaved changes, by avatar. They survive a visit to another page of the console. */

import type { Avatar } from '../../../../clients/typescript/src/index.ts';
import { onSignOut } from '../../session/session.ts';
import type { Draft } from './content.ts';

export type UnsavedChanges = {
  /** The version that the user has changed. */
  base: Avatar;
  draft: Draft;
};

const unsavedChanges = new Map<string, UnsavedChanges>();
onSignOut(() => unsavedChanges.clear());

export const unsavedOf = (avatar: string): UnsavedChanges | undefined => unsavedChanges.get(avatar);
export const keepUnsaved = (avatar: string, changes: UnsavedChanges): void => {
  unsavedChanges.set(avatar, changes);
};
export const forgetUnsaved = (avatar: string): void => {
  unsavedChanges.delete(avatar);
};
