/** The interpreters of Python that the machine has, and what the Python client needs to run in them. */

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { root } from '../../../scripts/shared/root.ts';

/** `version` is such as `3.11`. */
export type Interpreter = { version: string; command: string };

const oldest = 10;
const httpxVersion = '0.28.1';

/** Where the package is in the tree. */
const source = resolve(root, 'clients/python/src');

const identify = 'import sys; print(sys.executable, "%d.%d" % sys.version_info[:2], sep="\\n")';

/** @returns undefined if it does not run */
function interpreterAt(command: string): Interpreter | undefined {
  const { status, stdout } = spawnSync(command, ['-c', identify], { encoding: 'utf8' });
  const [path, version] = (stdout ?? '').split('\n');
  return status === 0 && path && version ? { version, command: path } : undefined;
}

/** Also those of pyenv, which are not in PATH. */
function candidates(): string[] {
  const managed = join(process.env.PYENV_ROOT ?? join(homedir(), '.pyenv'), 'versions');
  const inManaged = existsSync(managed)
    ? readdirSync(managed).map((name) => join(managed, name, 'bin/python3'))
    : [];
  const named = Array.from({ length: 10 }, (_, minor) => `python3.${oldest + minor}`);
  return ['python3', ...named, ...named.map((name) => `/usr/bin/${name}`), ...inManaged];
}

/** @returns one of each version from 3.10, the oldest first */
export function interpreters(): Interpreter[] {
  const found = new Map<string, Interpreter>();
  for (const candidate of candidates()) {
    const one = interpreterAt(candidate);
    if (one && minorOf(one) >= oldest && !found.has(one.version)) found.set(one.version, one);
  }
  return [...found.values()].sort((one, other) => minorOf(one) - minorOf(other));
}

export type Tested = { version: string; interpreter: Interpreter | undefined };

/** The oldest version that the client supports, and the newest version that is there. */
export function testedInterpreters(): Tested[] {
  const found = interpreters();
  const versions = new Set([`3.${oldest}`, found.at(-1)?.version ?? '3.11']);
  return [...versions].map((version) => ({
    version,
    interpreter: found.find((one) => one.version === version),
  }));
}

/** `npm test` uses the oldest version that the machine has, and `npm run test:nightly` the others. */
export function testedByTag(): { fast: Tested[]; nightly: Tested[] } {
  const all = testedInterpreters();
  const oldest = all.find(({ interpreter }) => interpreter) ?? all[0];
  return { fast: all.filter((one) => one === oldest), nightly: all.filter((one) => one !== oldest) };
}

const minorOf = ({ version }: Interpreter): number => {
  const [major, minor] = version.split('.').map(Number);
  return major === 3 ? (minor ?? 0) : 0;
};

/**
 * @param withHttpx for the asynchronous client. It is installed on first use
 * @returns the environment in which the interpreter finds the client
 * @throws Error if httpx cannot be installed
 */
export function environmentOf(interpreter: Interpreter, withHttpx: boolean): Record<string, string> {
  const folders = withHttpx ? [source, httpxFor(interpreter)] : [source];
  return { PATH: process.env.PATH ?? '', PYTHONPATH: folders.join(':'), PYTHONDONTWRITEBYTECODE: '1' };
}

/** Complete or not there, even if the installation is interrupted. */
function httpxFor({ version, command }: Interpreter): string {
  const folder = resolve(root, '.local/tools', `httpx-${httpxVersion}-python-${version}`);
  if (existsSync(folder)) return folder;
  const unfinished = `${folder}-${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  try {
    const options = ['--quiet', '--disable-pip-version-check', '--target', unfinished];
    execFileSync(command, ['-m', 'pip', 'install', ...options, `httpx==${httpxVersion}`], { stdio: 'pipe' });
    renameSync(unfinished, folder);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return folder;
}
