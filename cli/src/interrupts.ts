/** Ctrl+C during work that has to be put in order before the process ends. */

import { Interrupted } from './errors.ts';

/**
 * @returns a signal that Ctrl+C and SIGTERM abort; a second Ctrl+C ends the process at once. Without it, they end the process
 * as they end every program.
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
