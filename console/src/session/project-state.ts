/** Whether the project of the page can be changed: an archived project is read-only. */

import { signal } from '@preact/signals';
import type { Scope } from '../../../lib/base/scopes.ts';
import { can, onSignOut } from './session.ts';

/** The project that was opened last. The menu keeps it on the pages of the organisation. */
export const lastProject = signal<string | undefined>(undefined);
onSignOut(() => {
  lastProject.value = undefined;
});

/** Whether the project is archived; false until the project is loaded, and for a credential that may not read it. */
export const isArchived = signal(false);

/** @returns whether the credential has a scope, and the project of the page is not archived */
export const mayChange = (scope: Scope): boolean => can(scope) && !isArchived.value;
