/** A fresh clone of the project, and the dev server that its README starts. */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../scripts/local/port.ts';
import { root } from '../../scripts/shared/root.ts';
import { commandOf } from '../../scripts/shared/tools.ts';
import { endGroup } from './session.ts';

/** @returns the folder of a clone of HEAD, including uncommitted changes */
export function cloneProject(): string {
  const folder = join(mkdtempSync(join(tmpdir(), 'platform-api-')), 'platform-api');
  const git = (args: string[], input = '') =>
    execFileSync('git', args, { cwd: root, input, encoding: 'utf8', maxBuffer: 2 ** 28 });
  git(['clone', '--quiet', root, folder]);
  git(['-C', folder, 'apply', '--allow-empty'], git(['diff', 'HEAD', '--binary']));
  return folder;
}

/**
 * @param folder for commands that the documents use and the machine may lack, and for those that they install
 * @returns the environment of a newcomer: without variables of npm, Vitest and AWS, with an empty home. The certificates stay that
 * npm needs in a network with an authority of its own. `PLATFORM_INSTALLED` names a folder in which `npm ci` has just run: test/docs/npm
 */
export async function newcomersEnvironment(folder: string): Promise<Record<string, string>> {
  const own =
    /^(npm_(?!config_registry$)|XDG_|PLATFORM_|NODE(?!_EXTRA_CA_CERTS$)|VITEST|VITE_|AWS_|CDK_|INIT_CWD$|TEST$|DEV$|PROD$|MODE$)/;
  const kept = Object.entries(process.env).filter(([name]) => !own.test(name));
  const home = resolve(folder, '../home');
  for (const each of [folder, home]) mkdirSync(each, { recursive: true });
  const path = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((each) => !each.includes('node_modules') && !each.includes('node-gyp-bin'));
  if (!path.some((each) => existsSync(join(each, 'jq')))) {
    symlinkSync(commandOf('jaq'), join(folder, 'jq'));
  }
  symlinkSync(commandOf('aws'), join(folder, 'aws'));
  for (const name of ['curl', 'npm']) symlinkSync(resolve(root, 'test/docs', name), join(folder, name));
  if (process.env.PLATFORM_INSTALLED) symlinkSync(process.env.PLATFORM_INSTALLED, join(folder, 'installed'));
  // Without them, npm would look for its settings in the new home and below the new prefix.
  const npm = JSON.parse(execFileSync('npm', ['config', 'ls', '--json'], { encoding: 'utf8' }));
  return {
    ...(Object.fromEntries(kept) as Record<string, string>),
    npm_config_cache: npm.cache,
    npm_config_userconfig: npm.userconfig,
    npm_config_globalconfig: npm.globalconfig,
    npm_config_prefix: dirname(folder),
    HOME: home,
    PATH: [folder, ...path].join(delimiter),
    PORT: String(await freePort()),
  };
}

export type Server = { stop(): Promise<void> };

/**
 * @param code the shell block that starts the server
 * @throws Error with the server's output if it stops, or does not respond within five minutes
 */
export async function startServer(
  code: string,
  folder: string,
  env: Record<string, string>,
): Promise<Server> {
  const child = spawn('bash', ['-euo', 'pipefail', '-c', code], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output = (output + chunk).slice(-5000);
    });
  }
  const end = new Promise<void>((done) => child.once('exit', () => done()));
  const stopNow = () => endGroup(child, 'SIGKILL');
  process.once('exit', stopNow);
  for (let tries = 0; !(await responds(folder)); tries += 1) {
    if (ended(child) || tries > 1500) {
      stopNow();
      throw new Error(`The dev server does not answer:\n${output}`);
    }
    await sleep(200);
  }
  return {
    async stop() {
      endGroup(child, 'SIGINT');
      await Promise.race([end, sleep(10_000, undefined, { ref: false })]);
      stopNow();
      process.off('exit', stopNow);
    },
  };
}

const ended = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;

async function responds(folder: string): Promise<boolean> {
  try {
    const { baseUrl } = JSON.parse(readFileSync(resolve(folder, '.local/dev.json'), 'utf8')) as {
      baseUrl: string;
    };
    return (await fetch(`${baseUrl}/health`)).ok;
  } catch {
    return false;
  }
}

export const removeClone = (folder: string): void =>
  rmSync(resolve(folder, '..'), { recursive: true, force: true, maxRetries: 5 });
