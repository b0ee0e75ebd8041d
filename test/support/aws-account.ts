/** An emulated AWS account on this machine: MiniStack, on one port. */

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createWriteStream, mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from '../../scripts/shared/root.ts';
import { commandOf } from '../../scripts/shared/tools.ts';

export type Account = {
  /** The emulator's process. Its functions are in its process group. */
  pid: number;
  /** The environment variables of a command that works in this account. */
  env: Record<string, string>;
  endpoint: string;
  stop(): Promise<void>;
};

/** The pinned Node, on which the functions run. The emulator uses the first Node in PATH. */
const nodeFolder = resolve(process.execPath, '..');

/**
 * @param variables are in the environment of all functions, in addition to their own
 * @throws Error if the port is in use, or the emulator stops before it responds
 */
export async function startAccount(port = 4566, variables: Record<string, string> = {}): Promise<Account> {
  await mustBeFree(port);
  const command = commandOf('ministack');
  mkdirSync(resolve(root, '.local'), { recursive: true });
  const log = createWriteStream(resolve(root, '.local/ministack.log'));
  const child = spawn(command, {
    env: {
      ...process.env,
      ...variables,
      PATH: `${nodeFolder}:${process.env.PATH}`,
      GATEWAY_PORT: String(port),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Its workers are its own children, so the whole group is stopped.
    detached: true,
  });
  child.stdout.pipe(log);
  child.stderr.pipe(log);
  const stopGroup = () => end(child);
  process.on('exit', stopGroup);

  const endpoint = `http://127.0.0.1:${port}`;
  for (let tries = 0; ; tries += 1) {
    if (child.exitCode !== null || tries > 600)
      throw new Error('MiniStack does not respond. See .local/ministack.log');
    const healthy = await fetch(`${endpoint}/_ministack/health`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (healthy) break;
    await sleep(100);
  }
  return {
    pid: child.pid ?? 0,
    endpoint,
    env: {
      AWS_ENDPOINT_URL: endpoint,
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      AWS_REGION: 'us-east-1',
      AWS_DEFAULT_REGION: 'us-east-1',
      // CDK would ask a public registry for a newer version.
      CDK_DISABLE_VERSION_CHECK: '1',
    },
    async stop() {
      process.off('exit', stopGroup);
      const ended = new Promise((done) => child.once('exit', done));
      end(child);
      await ended;
    },
  };
}

function end(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The group has already stopped.
  }
}

function mustBeFree(port: number): Promise<void> {
  return new Promise((done, reject) => {
    const server = createServer();
    server.once('error', () => reject(new Error(`Port ${port} is in use. Stop the process that uses it.`)));
    server.listen(port, '127.0.0.1', () => server.close(() => done()));
  });
}

/** Runs a command in the account. @returns its output (both streams). Rejects with the output if the command fails */
export function run(
  account: Account,
  command: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<string> {
  return new Promise((done, reject) => {
    const options = {
      cwd: root,
      env: { ...process.env, ...account.env, ...env },
      maxBuffer: 64 * 1024 * 1024,
    };
    execFile(command, args, options, (error, stdout, stderr) => {
      const output = stdout + stderr;
      if (error) reject(new Error(`${command} ${args.join(' ')} failed:\n${output.slice(-3000)}`));
      else done(output);
    });
  });
}

/** Runs the project's CDK, on the pinned Node. */
export const cdk = (account: Account, ...args: string[]): Promise<string> =>
  run(account, process.execPath, [resolve(root, 'node_modules/aws-cdk/bin/cdk'), ...args]);
