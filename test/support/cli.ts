/** The command line as users run it: the bundle, in a process of its own, with a service in this process. */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll } from 'vitest';
import { Platform } from '../../client/src/index.ts';
import type { Worker } from '../../lib/workers/worker.ts';
import { root } from '../../scripts/shared/root.ts';
import { serveApi } from './served-api.ts';
import { follow } from './workers.ts';

export type Ran = { code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string };
export type RunOptions = {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  input?: string | Uint8Array;
  /** The program that runs it. Default: the project's Node. */
  node?: string;
};

type Opened = Awaited<ReturnType<typeof open>>;

/**
 * Opens the command line, a service and a project before the tests of a file. With a dev server per file, the tests took twice
 * the CPU time.
 * @param workers what works in the background. Each reads a stream all the time, so name only what the tests need
 * @returns what the tests and hooks of the file can use
 */
export function useCli({ workers = [] }: { workers?: readonly Worker[] } = {}) {
  let opened: Opened | undefined;
  beforeAll(async () => {
    opened = await open(workers);
  });
  afterAll(() => opened?.close());
  const now = (): Opened => {
    if (!opened) throw new Error('the tests have not begun');
    return opened;
  };
  return {
    /** The user's home, empty at first. */
    get home() {
      return now().home;
    },
    /** The bundle. */
    get file() {
      return now().file;
    },
    get service() {
      return now().service;
    },
    /** The API behind the service. */
    get api() {
      return now().api;
    },
    /** A project of the service. */
    get project() {
      return now().project;
    },
    newProject: () => newProject(now().service),
    /** Starts `platform` with these arguments, without any setting of this process. */
    start: (args: readonly string[], options?: RunOptions) => start(now(), args, options),
    /** The same, until it ends. */
    run: (args: readonly string[], options?: RunOptions) => run(now(), args, options),
  };
}

async function open(workers: readonly Worker[]) {
  const folder = mkdtempSync(join(tmpdir(), 'platform-cli-'));
  const home = join(folder, 'home');
  mkdirSync(home);
  execFileSync(process.execPath, [resolve(root, 'cli/build.mjs'), join(folder, 'bin')]);
  const { api, baseUrl, apiKey, close } = await serveApi();
  const feed = workers.length > 0 ? await follow(api, workers) : undefined;
  const service = { baseUrl, apiKey, testApiKey: await api.testModeKey() };
  return {
    home,
    file: join(folder, 'bin/platform.js'),
    api,
    service,
    project: await newProject(service),
    async close() {
      close();
      await feed?.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A project, and the variables with which the command line uses it. */
async function newProject({ baseUrl, apiKey }: { baseUrl: string; apiKey: string }) {
  const platform = new Platform({ baseUrl, apiKey });
  const { id } = await platform.projects.create({ name: 'Support' });
  const env = { PLATFORM_BASE_URL: baseUrl, PLATFORM_API_KEY: apiKey, PLATFORM_PROJECT: id };
  return { id, env, project: platform.projects(id) };
}

function start(
  { file, home }: Pick<Opened, 'file' | 'home'>,
  args: readonly string[],
  { cwd = home, env = {}, input, node = process.execPath }: RunOptions = {},
): ChildProcess {
  const child = spawn(node, [file, ...args], {
    cwd,
    env: { PATH: process.env.PATH, HOME: home, ...env },
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  child.stdin?.end(input);
  return child;
}

async function run(...started: Parameters<typeof start>): Promise<Ran> {
  const child = start(...started);
  const ended = new Promise<Pick<Ran, 'code' | 'signal'>>((done) =>
    child.once('close', (code, signal) => done({ code, signal })),
  );
  const [stdout, stderr] = await Promise.all([outputOf(child.stdout), outputOf(child.stderr)]);
  return { ...(await ended), stdout, stderr };
}

const outputOf = (stream: ChildProcess['stdout']) => (stream ? text(stream) : '');

/** The lines of JSON that a command has printed. */
export const jsonLines = ({ stdout }: Pick<Ran, 'stdout'>): Record<string, unknown>[] =>
  stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
