/** The upload that a reload of the tab interrupts. Its names and numbers stay until the tab is closed or the user signs out. */

import { onSignOut } from '../../../session/session.ts';

export type InterruptedUpload = { source: string; tags: readonly string[]; total: number; done: number };

const prefix = 'platform-console-upload-';

export const noteRunning = (project: string, upload: InterruptedUpload): void =>
  sessionStorage.setItem(prefix + project, JSON.stringify(upload));

export const forgetInterrupted = (project: string): void => sessionStorage.removeItem(prefix + project);

onSignOut(() => {
  for (const name of Object.keys(sessionStorage))
    if (name.startsWith(prefix)) sessionStorage.removeItem(name);
});

/** @returns the upload that was running when the tab was reloaded */
export function interruptedUpload(project: string): InterruptedUpload | undefined {
  try {
    const upload: unknown = JSON.parse(sessionStorage.getItem(prefix + project) ?? 'null');
    return isInterruptedUpload(upload) ? upload : undefined;
  } catch {
    return undefined;
  }
}

const isInterruptedUpload = (value: unknown): value is InterruptedUpload =>
  typeof value === 'object' &&
  value !== null &&
  ['source', 'tags', 'total', 'done'].every((name) => name in value);
