/** `sam local start-api` as a child process, and the containers that it starts. */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { killWithUs, localCredentials, SetupError } from './dynamodb.ts';

export type Sam = {
  /**
   * Resolves when a function has answered through SAM.
   * @throws SetupError when SAM ends before that, or the response is not 200
   */
  ready: Promise<void>;
  /** Resolves when SAM has ended, with its exit code; null after a signal. */
  ended: Promise<number | null>;
  /** Stops SAM and its containers. Resolves when none is left. */
  stop(): Promise<void>;
};

type Settings = {
  command: string;
  args: readonly string[];
  /** A request that succeeds only when a function of this SAM runs and reaches the database. */
  probe: { url: string; key: string };
  /** Where the functions' code is; the containers that have it mounted are ours. */
  folder: string;
};

export function startSam({ command, args, probe, folder }: Settings): Sam {
  const child = spawn(command, args, {
    // A process group of its own: Ctrl+C goes to the whole group of the terminal, and a second SIGINT would end SAM
    // while it removes its containers.
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

/** SAM gives its own region and credentials to the functions. They get none that could reach an account. */
function samEnvironment({ AWS_PROFILE, AWS_SESSION_TOKEN, ...env }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...env, ...localCredentials, SAM_CLI_TELEMETRY: '0' };
}

const isRunning = ({ exitCode, signalCode }: ChildProcess) => exitCode === null && signalCode === null;

async function answering(child: ChildProcess, { url, key }: Settings['probe']): Promise<void> {
  for (;;) {
    // SAM listens before the first container runs, which may take minutes the first time: so no timeout.
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

/** SAM removes its containers when it ends; one that is being created at that moment is left over. */
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

/** @returns the lines that it prints */
const docker = (...args: string[]): string[] =>
  execFileSync('docker', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
    .split('\n')
    .filter((line) => line !== '');
