/** The command `platform`. */

import { setTimeout as sleep } from 'node:timers/promises';
import { exitCodes } from './exit-codes.ts';
import { abortOnInterrupt } from './interrupts.ts';
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
