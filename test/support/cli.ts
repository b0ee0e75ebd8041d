/** The command line, with a service in this process. Most tests run it in this process, too: the bundle takes long to start. */

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, inject } from 'vitest';
import { Interrupted } from '../../cli/src/errors.ts';
import { runCommand } from '../../cli/src/run-command.ts';
import { Platform } from '../../clients/typescript/src/index.ts';
import type { Worker } from '../../lib/workers/worker.ts';
import type { openApi } from '../../samples/api.ts';
import { serveApi } from './served-api.ts';
import { follow } from './workers.ts';

export type Ran = { code: number | null; stdout: string; stderr: string };
type Options = { cwd?: string; env?: NodeJS.ProcessEnv; input?: string | Uint8Array };
/** `onStderr` gets what is printed for people, at once. */
export type RunOptions = Options & { onStderr?: (text: string) => void };
/** `node` is the program that runs the bundle. Default: the project's Node. */
export type ProcessOptions = Options & { node?: string };

/** A command that runs in this process. */
export type Started = {
  /** What it has printed. */
  shown: () => Omit<Ran, 'code'>;
  /** Ctrl+C, or what the system sends. */
  interrupt: (signal?: 'SIGINT' | 'SIGTERM') => void;
  ended: Promise<Ran>;
};

/** How much faster the intervals of commands are. */
const haste = 50;

type Opened = Awaited<ReturnType<typeof open>>;

/**
 * Opens a service and a project before the tests of a file. With a dev server per file, the tests took twice the CPU time.
 * @param workers what works in the background. Each reads a stream all the time, so name only what the tests need
 * @param adjust as of `openApi`
 * @returns what the tests and hooks of the file can use
 */
export function useCli({
  workers = [],
  adjust,
}: {
  workers?: readonly Worker[];
  adjust?: Parameters<typeof openApi>[0];
} = {}) {
  let opened: Opened | undefined;
  beforeAll(async () => {
    opened = await open(workers, adjust);
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
      return join(inject('cliFolder'), 'platform.js');
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
    start: (args: readonly string[], options?: RunOptions) => start(now().home, args, options),
    /** The same, until it ends. */
    run: (args: readonly string[], options?: RunOptions) => start(now().home, args, options).ended,
    /** Starts the bundle in a process of its own: signals, exit codes and pipes are those of the system. */
    startProcess: (args: readonly string[], options?: ProcessOptions) =>
      startProcess(now().home, args, options),
    /** The same, until it ends. */
    runProcess: (args: readonly string[], options?: ProcessOptions) =>
      ended(startProcess(now().home, args, options)),
  };
}

async function open(workers: readonly Worker[], adjust: Parameters<typeof openApi>[0]) {
  const before = process.cwd();
  const folder = mkdtempSync(join(tmpdir(), 'platform-cli-'));
  const home = join(folder, 'home');
  mkdirSync(home);
  const { api, baseUrl, apiKey, close } = await serveApi(adjust && { adjust });
  const feed = workers.length > 0 ? await follow(api, workers) : undefined;
  const service = { baseUrl, apiKey, testApiKey: await api.testModeKey() };
  return {
    home,
    api,
    service,
    project: await newProject(service),
    async close() {
      process.chdir(before);
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

const environment = (home: string, env: NodeJS.ProcessEnv) => ({
  PATH: process.env.PATH,
  HOME: home,
  ...env,
});

/** Collects what is printed. */
class Printed extends Writable {
  readonly #parts: Buffer[] = [];
  readonly #onText: (text: string) => void;

  constructor(onText: (text: string) => void = () => {}) {
    super();
    this.#onText = onText;
  }

  override _write(part: Buffer, _encoding: unknown, done: () => void): void {
    this.#parts.push(part);
    this.#onText(part.toString());
    done();
  }

  get text(): string {
    return Buffer.concat(this.#parts).toString();
  }
}

function start(
  home: string,
  words: readonly string[],
  { cwd = home, env = {}, input = '', onStderr }: RunOptions = {},
): Started {
  const [stdout, stderr] = [new Printed(), new Printed(onStderr)];
  const interrupts = new AbortController();
  const shown = () => ({ stdout: stdout.text, stderr: stderr.text });
  // The names of files are relative to it.
  process.chdir(cwd);
  const ended = runCommand(
    {
      env: environment(home, env),
      cwd,
      platform: process.platform,
      stdin: Readable.from([Buffer.from(input)], { objectMode: false }),
      stdout,
      stderr,
      nowMs: Date.now,
      sleep: (ms, signal) => sleep(ms / haste, undefined, { signal }),
      interrupted: () => interrupts.signal,
    },
    words,
  ).then((code) => ({ code, ...shown() }));
  return { shown, interrupt: (signal = 'SIGINT') => interrupts.abort(new Interrupted(signal)), ended };
}

function startProcess(
  home: string,
  words: readonly string[],
  { cwd = home, env = {}, input, node = process.execPath }: ProcessOptions = {},
): ChildProcess {
  const child = spawn(node, [join(inject('cliFolder'), 'platform.js'), ...words], {
    cwd,
    env: environment(home, env),
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  child.stdin?.end(input);
  return child;
}

async function ended(child: ChildProcess): Promise<Ran> {
  const closed = new Promise<number | null>((done) => child.once('close', done));
  const [stdout, stderr] = await Promise.all([outputOf(child.stdout), outputOf(child.stderr)]);
  return { code: await closed, stdout, stderr };
}

const outputOf = (stream: ChildProcess['stdout']) => (stream ? text(stream) : '');

/** The lines of JSON that a command has printed. */
export const jsonLines = ({ stdout }: Pick<Ran, 'stdout'>): Record<string, unknown>[] =>
  stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
