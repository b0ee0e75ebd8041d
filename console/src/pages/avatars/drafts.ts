/** Changes that are not saved yet, by avatar: another page of the console does not lose them. */

import type { Avatar } from '../../../../clients/typescript/src/index.ts';
import { onSignOut } from '../../session/session.ts';
import type { Draft } from './content.ts';

export type Unsaved = {
  /** The version that was changed. */
  base: Avatar;
  draft: Draft;
};

const unsaved = new Map<string, Unsaved>();
onSignOut(() => unsaved.clear());

export const unsavedOf = (avatar: string): Unsaved | undefined => unsaved.get(avatar);
export const keepUnsaved = (avatar: string, changes: Unsaved): void => {
  unsaved.set(avatar, changes);
};
export const forgetUnsaved = (avatar: string): void => {
  unsaved.delete(avatar);
};
