/** A shell for the parts of the command line: nothing is typed, and nobody reads what is printed. */

import { PassThrough } from 'node:stream';
import type { Shell } from '../../cli/src/shell.ts';

export const silentShell = (): Shell => ({
  env: {},
  cwd: '/',
  platform: 'linux',
  stdin: new PassThrough(),
  stdout: new PassThrough(),
  stderr: new PassThrough(),
  nowMs: () => 0,
  sleep: async () => {},
  interrupted: () => new AbortController().signal,
});
