/** The runtimes that the client supports. What the machine does not have is installed from npm into .local/tools. */

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { root } from '../../../scripts/shared/root.ts';
import { execute } from './installed.ts';

const nodeVersion = '20.20.2';
const bunVersion = '1.4.5';
const denoVersion = '2.9.6';
const workerdVersion = '1.20261117.1';

/** The packages of Bun for processors with and without AVX2. */
const bunPlatform = `@oven/bun-${process.platform}-${process.arch === 'arm64' ? 'aarch64' : process.arch}`;

/** Each finds its program, and returns undefined if it cannot be installed. */
export const node20 = () => tool(`node-${process.platform}-${process.arch}`, nodeVersion, 'bin/node');
export const bun = () =>
  tool(bunPlatform, bunVersion, 'bin/bun') ?? tool(`${bunPlatform}-baseline`, bunVersion, 'bin/bun');
export const deno = () => tool(`@deno/${process.platform}-${process.arch}-glibc`, denoVersion, 'deno');
/** The runtime of Cloudflare Workers. */
export const workerd = () =>
  tool(
    `@cloudflare/workerd-${process.platform}-${process.arch.replace(/^x/, '')}`,
    workerdVersion,
    'bin/workerd',
  );
export const chromium = () =>
  [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
    (path) => path !== undefined && existsSync(path),
  );

/** @returns the program of a package; undefined if it cannot be installed, or does not run here */
function tool(name: string, version: string, program: string): string | undefined {
  const folder = resolve(root, '.local/tools', `${name.replace('/', '-')}-${version}`);
  const command = resolve(folder, 'node_modules', name, program);
  const runs = () => spawnSync(command, ['--version']).status === 0;
  if (runs()) return command;
  // Complete or not there, even if it is interrupted.
  const unfinished = `${folder}-${process.pid}`;
  try {
    mkdirSync(unfinished, { recursive: true });
    const options = ['--no-audit', '--no-fund', '--no-save', '--ignore-scripts', '--prefix', unfinished];
    execute('npm', ['install', ...options, `${name}@${version}`], unfinished);
    rmSync(folder, { recursive: true, force: true });
    renameSync(unfinished, folder);
  } catch {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return runs() ? command : undefined;
}
