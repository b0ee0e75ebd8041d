/** Handles Ctrl+C during work that must be completed or undone before the process ends. */

import { Interrupted } from './errors.ts';

/**
 * @returns a signal that Ctrl+C and SIGTERM abort; a second Ctrl+C ends the process at once. Without this signal, the first does
 * that.
 */
export function abortOnInterrupt(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.once(name, () => {
      controller.abort(new Interrupted(name));
      process.once(name, () => process.exit(name === 'SIGINT' ? 130 : 143));
    });
  return controller.signal;
}
