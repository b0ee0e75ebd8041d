/** The command line as users run it: the bundle, in a process of its own, with a dev server. */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { Platform } from '../../client/src/index.ts';
import { root } from '../../scripts/shared/root.ts';

export type Ran = { code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string };
export type RunOptions = { cwd?: string; env?: NodeJS.ProcessEnv; input?: string };

export type Cli = {
  /** The user's home, empty at first. */
  home: string;
  /** Runs `platform` with these arguments, without any setting of this process. */
  run: (args: string[], options?: RunOptions) => Promise<Ran>;
  start: (args: string[], options?: RunOptions) => ChildProcess;
  remove: () => void;
};

/** Builds the bundle into a folder of its own. */
export function buildCli(): Cli {
  const folder = mkdtempSync(join(tmpdir(), 'platform-cli-'));
  execFileSync(process.execPath, [resolve(root, 'cli/build.mjs'), join(folder, 'bin')]);
  const home = join(folder, 'home');
  mkdirSync(home);
  const start: Cli['start'] = (args, { cwd = home, env = {}, input } = {}) => {
    const child = spawn(process.execPath, [join(folder, 'bin/platform.js'), ...args], {
      cwd,
      env: { PATH: process.env.PATH, HOME: home, ...env },
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    child.stdin?.end(input);
    return child;
  };
  return {
    home,
    start,
    async run(args, options) {
      const child = start(args, options);
      const ended = new Promise<Pick<Ran, 'code' | 'signal'>>((done) =>
        child.once('close', (code, signal) => done({ code, signal })),
      );
      const [stdout, stderr] = await Promise.all([outputOf(child.stdout), outputOf(child.stderr)]);
      return { ...(await ended), stdout, stderr };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

const outputOf = (stream: ChildProcess['stdout']) => (stream ? text(stream) : '');

export type DevServer = {
  folder: string;
  baseUrl: string;
  apiKey: string;
  testApiKey: string;
  stop: () => Promise<void>;
};

/** `npm run dev`, with its `.local` in a folder of its own. */
export async function startDevServer(): Promise<DevServer> {
  const folder = mkdtempSync(join(tmpdir(), 'platform-dev-'));
  const child = spawn(process.execPath, [resolve(root, 'scripts/dev.ts')], {
    cwd: folder,
    env: { ...process.env, AWS_ENDPOINT_URL_DYNAMODB: '', PORT: String(await freePort()) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  const file = join(folder, '.local/dev.json');
  while (!existsSync(file)) {
    if (child.exitCode !== null) throw new Error(`the dev server has ended: ${output}`);
    await new Promise((done) => setTimeout(done, 50));
  }
  const ended = new Promise((done) => child.once('exit', done));
  return {
    ...JSON.parse(readFileSync(file, 'utf8')),
    folder,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const freePort = () =>
  new Promise<number>((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => done(typeof address === 'object' && address ? address.port : 0));
    });
  });

/** A project, and the variables with which the command line uses it. */
export async function newProject({ baseUrl, apiKey }: Pick<DevServer, 'baseUrl' | 'apiKey'>) {
  const platform = new Platform({ baseUrl, apiKey });
  const { id } = await platform.projects.create({ name: 'Support' });
  const env = { PLATFORM_BASE_URL: baseUrl, PLATFORM_API_KEY: apiKey, PLATFORM_PROJECT: id };
  return { id, env, project: platform.projects(id) };
}

/** The lines of JSON that a command has printed. */
export const jsonLines = ({ stdout }: Ran): Record<string, unknown>[] =>
  stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
