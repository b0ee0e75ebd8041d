/** The command `platform`. */

import { setTimeout as sleep } from 'node:timers/promises';
import { Interrupted } from './errors.ts';
import { exitCodes } from './exit-codes.ts';
import { useProxy } from './proxy.ts';
import { report, runCommand } from './run-command.ts';
import type { Shell } from './shell.ts';

const shell: Shell = {
  env: process.env,
  cwd: process.cwd(),
  platform: process.platform,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  nowMs: Date.now,
  sleep: (ms, signal) => sleep(ms, undefined, { signal }),
  interrupted: abortOnInterrupt,
};
const words = process.argv.slice(2);

for (const stream of [process.stdout, process.stderr])
  stream.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    // The reader has ended, as `head` does after ten lines.
    if (code === 'EPIPE') process.exit(exitCodes.brokenPipe.code);
    // The disk may be full, for example.
    process.exit(
      report(shell, words, { exit: 'failed', message: `The output cannot be written: ${message}` }),
    );
  });

await useProxy();
process.exitCode = await runCommand(shell, words);

/**
 * Handles Ctrl+C during work that must be completed or undone before the process ends.
 *
 * @returns a signal that Ctrl+C and SIGTERM abort; a second Ctrl+C ends the process at once. Without this signal, the first does
 * that.
 */
function abortOnInterrupt(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.once(name, () => {
      controller.abort(new Interrupted(name));
      process.once(name, () => process.exit(name === 'SIGINT' ? 130 : 143));
    });
  return controller.signal;
}
