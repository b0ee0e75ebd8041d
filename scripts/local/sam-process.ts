/** `sam local start-api` as a child process, and its containers. */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { killWithUs, localCredentials, SetupError } from './dynamodb.ts';

export type Sam = {
  /**
   * Resolves when a function has responded through SAM.
   * @throws SetupError if SAM stops before that, or the response is not 200
   */
  ready: Promise<void>;
  /** Resolves with SAM's exit code when SAM stops; null after a signal. */
  ended: Promise<number | null>;
  /** Stops SAM and its containers. Resolves when all are gone. */
  stop(): Promise<void>;
};

type Settings = {
  command: string;
  args: readonly string[];
  /** A request that succeeds only if a function of this SAM runs and reaches the database. */
  probe: { url: string; key: string };
  /** The folder of the functions' code. Containers that mount it are ours. */
  folder: string;
};

export function startSam({ command, args, probe, folder }: Settings): Sam {
  const child = spawn(command, args, {
    // In its own process group: Ctrl+C goes to the terminal's whole group, and a second SIGINT would stop SAM while it
    // removes its containers.
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: samEnvironment(process.env),
  });
  const ended = new Promise<number | null>((done, reject) => {
    child.once('exit', done);
    child.once('error', reject);
  });
  const watcher = killWithUs(child, 'SIGINT');
  return {
    ready: answering(child, probe),
    ended,
    async stop() {
      if (isRunning(child)) child.kill('SIGINT');
      await Promise.race([ended, sleep(30_000, undefined, { ref: false })]);
      if (isRunning(child)) child.kill('SIGKILL');
      watcher?.kill();
      removeContainers(folder);
    },
  };
}

/** SAM passes its region and credentials to the functions, so it gets none that work on AWS. */
function samEnvironment({ AWS_PROFILE, AWS_SESSION_TOKEN, ...env }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...env, ...localCredentials, SAM_CLI_TELEMETRY: '0' };
}

const isRunning = ({ exitCode, signalCode }: ChildProcess) => exitCode === null && signalCode === null;

async function answering(child: ChildProcess, { url, key }: Settings['probe']): Promise<void> {
  for (;;) {
    // SAM listens before the first container runs, which may take minutes. So there is no timeout.
    const status = await fetch(url, { headers: { Authorization: `Bearer ${key}` } }).then(
      (response) => response.status,
      () => undefined,
    );
    if (status === 200) return;
    if (!isRunning(child)) throw new SetupError('SAM stopped before it listened. Its output above says why.');
    if (status !== undefined) {
      throw new SetupError(`SAM listens, but GET ${url} responds ${status}. Its output above says why.`);
    }
    await sleep(200);
  }
}

/** SAM removes its containers when it stops, except one that is just being created. */
function removeContainers(folder: string): void {
  try {
    const ids = docker('ps', '--all', '--quiet', '--filter', 'label=sam.cli.container.type=lambda');
    if (ids.length === 0) return;
    const format = '{{.Id}} {{range .Mounts}}{{.Source}} {{end}}';
    const mounts = docker('inspect', '--format', format, ...ids);
    const ours = mounts.filter((line) => line.includes(`${folder}/`)).map((line) => line.split(' ')[0] ?? '');
    if (ours.length > 0) docker('rm', '--force', ...ours);
  } catch (error) {
    console.error(`Containers may be left over (see docker ps): ${(error as Error).message}`);
  }
}

/** @returns its output lines */
const docker = (...args: string[]): string[] =>
  execFileSync('docker', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
    .split('\n')
    .filter((line) => line !== '');
