/** Runs the installed program jq (https://jqlang.org), which prints what it selects from the output. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { CliError } from '../errors.ts';
import type { Out, Shell } from '../shell.ts';
import { safeText } from './text.ts';

export type Jq = {
  write: (data: string | Uint8Array) => Promise<void>;
  /** Waits until jq has printed everything. @throws CliError if the filter is wrong */
  end: () => Promise<void>;
};

/**
 * The output of jq is not changed, but has no control characters in a terminal.
 * @throws CliError if jq is not installed
 */
export async function startJq(
  { env, stdout, stderr }: Pick<Shell, 'env' | 'stdout' | 'stderr'>,
  filter: string,
): Promise<Jq> {
  // A filter is never an option, and jq needs no key.
  const text = filter.startsWith('-') ? `(${filter})` : filter;
  const { PLATFORM_API_KEY: _, ...rest } = env;
  const child = spawn('jq', [...(stdout.isTTY ? ['--unbuffered'] : []), '-r', text], {
    env: rest,
    stdio: ['pipe', ...[stdout, stderr].map(({ isTTY }) => (isTTY ? 'pipe' : 'inherit'))],
  });
  const { stdin } = child;
  if (!stdin) throw new Error('jq has no input');
  const closed = Promise.all([
    once(child, 'close') as Promise<[number | null]>,
    show(child.stdout, stdout),
    show(child.stderr, stderr),
  ]);
  closed.catch(() => {});
  // jq may end before it has read everything, such as after an error in the filter.
  stdin.on('error', () => {});
  try {
    await once(child, 'spawn');
  } catch {
    throw new CliError(
      'usage',
      '--jq needs the program jq, which is not installed.',
      'Install it (https://jqlang.org/download), or pipe --json to another program.',
    );
  }
  return {
    async write(data) {
      if (!stdin.write(data) && child.exitCode === null) await Promise.race([once(stdin, 'drain'), closed]);
    },
    async end() {
      stdin.end();
      const [[code]] = await closed;
      if (code !== 0) throw new CliError('usage', `jq failed with exit code ${code}.`);
    },
  };
}

/** Copies text of others to a terminal. A sequence that two parts share loses its beginning, so the rest is only text. */
async function show(from: Readable | null, terminal: Out): Promise<void> {
  if (!from) return;
  from.setEncoding('utf8');
  for await (const part of from) if (!terminal.write(safeText(part))) await once(terminal, 'drain');
}
