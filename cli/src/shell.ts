/** The surroundings that the process gives to the commands. Tests pass others. */

import type { Readable, Writable } from 'node:stream';

/** A stream of the process, which may be a terminal. */
export type Out = Writable & { isTTY?: boolean; columns?: number };
export type In = Readable & { isTTY?: boolean };

export type Shell = {
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  platform: NodeJS.Platform;
  stdin: In;
  stdout: Out;
  stderr: Out;
  nowMs: () => number;
  /** Rejects as soon as the signal is aborted. */
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** @returns a signal that Ctrl+C and SIGTERM abort from now on, with `Interrupted` */
  interrupted: () => AbortSignal;
};
