/** Runs the blocks of one document in one shell, like a reader who pastes them one after the other. */

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Block } from './blocks.ts';

export type Result = {
  /** `skipped`: the block does not run. `not reached`: the shell ended in an earlier block. */
  state: 'passed' | 'failed' | 'skipped' | 'not reached';
  /** The output of the block (both streams), and what is wrong with it. */
  output: string;
};

/** The kinds of blocks that run in the shell. */
const runsHere: ReadonlySet<Block['runs']> = new Set(['on the dev server', 'in the account']);

type Settings = {
  /** The folder in which the shell starts. */
  folder: string;
  env: Readonly<Record<string, string>>;
  /** Additional environment variables of blocks that run in the account. */
  accountEnv: Readonly<Record<string, string>>;
  timeoutSeconds: number;
};

/**
 * Variables, functions and the current folder are kept from block to block. The shell stops at the first command that
 * fails, also inside a pipeline.
 * @returns a result for each block
 */
export async function runBlocks(blocks: readonly Block[], settings: Settings): Promise<Result[]> {
  const work = mkdtempSync(join(tmpdir(), 'docs-'));
  try {
    const file = (index: number, what: string) => join(work, `${index}.${what}`);
    const names = Object.keys(settings.accountEnv);
    const script = blocks.map(({ code, runs }, index) => {
      if (!runsHere.has(runs)) return '';
      writeFileSync(file(index, 'sh'), code);
      const account = names.map((name) => `export ${name}=${quoted(settings.accountEnv[name] ?? '')}`);
      return [
        ...(runs === 'in the account' ? account : []),
        `. ${file(index, 'sh')} </dev/null >${file(index, 'output')} 2>&1`,
        ...(runs === 'in the account' && names.length > 0 ? [`unset ${names.join(' ')}`] : []),
        `declare -p >${file(index, 'variables')}`,
      ].join('\n');
    });
    writeFileSync(join(work, 'all.sh'), `set -euo pipefail\n${script.join('\n')}\n`);
    const child = spawn('bash', [join(work, 'all.sh')], {
      cwd: settings.folder,
      env: settings.env,
      stdio: 'ignore',
      detached: true,
    });
    const inTime = await endOf(child, settings.timeoutSeconds);
    return blocks.map((block, index): Result => {
      if (!runsHere.has(block.runs)) {
        return { state: 'skipped', output: '' };
      }
      if (!existsSync(file(index, 'output'))) return { state: 'not reached', output: '' };
      const output = readFileSync(file(index, 'output'), 'utf8');
      const wrong = existsSync(file(index, 'variables'))
        ? silentFailures(block, output, readFileSync(file(index, 'variables'), 'utf8'))
        : [inTime ? 'A command failed.' : `The block did not end within ${settings.timeoutSeconds} s.`];
      return { state: wrong.length === 0 ? 'passed' : 'failed', output: [output, ...wrong].join('\n') };
    });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Failures of a block whose commands all succeeded. */
function silentFailures({ announcedErrors }: Block, output: string, variables: string): string[] {
  const codes = [...output.matchAll(/"success":\s*false\b[\s\S]*?"code":\s*"(\w+)"/g)].map(
    ([, code]) => code ?? '',
  );
  const errors = [...new Set(codes)].sort();
  // Only upper case, because `cursor` is null at the end of a list.
  const empty = [...variables.matchAll(/^declare \S+ ([A-Z]\w*)="null"$/gm)].map(([, name]) => name);
  return [
    ...(errors.join() === announcedErrors.join()
      ? []
      : [`Errors: "${errors}"; the block's comments announce "${announcedErrors}".`]),
    ...empty.map((name) => `The variable ${name} is "null": jq did not find what it should hold.`),
  ];
}

/** @returns whether it ended by itself. Everything that it started has stopped in any case */
async function endOf(child: ChildProcess, timeoutSeconds: number): Promise<boolean> {
  let inTime = true;
  const timer = setTimeout(() => {
    inTime = false;
    endGroup(child, 'SIGKILL');
  }, timeoutSeconds * 1000);
  await new Promise((done) => child.once('exit', done));
  clearTimeout(timer);
  endGroup(child, 'SIGKILL');
  return inTime;
}

/** Sends a signal to a process and everything that it started. */
export function endGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // All have stopped.
  }
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
