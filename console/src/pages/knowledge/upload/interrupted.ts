/** What a reload of the tab interrupts. Only names and numbers are kept, until the tab is closed or the user signs out. */

import { onSignOut } from '../../../session/session.ts';

export type Interrupted = { source: string; tags: readonly string[]; total: number; done: number };

const prefix = 'platform-console-upload-';

export const noteRunning = (project: string, upload: Interrupted): void =>
  sessionStorage.setItem(prefix + project, JSON.stringify(upload));

export const forgetInterrupted = (project: string): void => sessionStorage.removeItem(prefix + project);

onSignOut(() => {
  for (const name of Object.keys(sessionStorage))
    if (name.startsWith(prefix)) sessionStorage.removeItem(name);
});

/** @returns the upload that was running when the tab was reloaded */
export function interruptedUpload(project: string): Interrupted | undefined {
  try {
    const found: unknown = JSON.parse(sessionStorage.getItem(prefix + project) ?? 'null');
    return isInterrupted(found) ? found : undefined;
  } catch {
    return undefined;
  }
}

const isInterrupted = (value: unknown): value is Interrupted =>
  typeof value === 'object' &&
  value !== null &&
  ['source', 'tags', 'total', 'done'].every((name) => name in value);
