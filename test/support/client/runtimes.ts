/** The runtimes that the client supports. What the machine does not have is installed from npm into .local/tools. */

import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { npmPackage } from '../npm-package.ts';

const nodeVersion = '20.20.2';
/** The first versions whose support for proxies the process itself cannot turn on, and the last version without it. */
const proxyNodeVersions = ['22.20.0', '22.21.0', '24.5.0'];
const bunVersion = '1.4.5';
const denoVersion = '2.9.6';
const workerdVersion = '1.20261117.1';

/** The packages of Bun for processors with and without AVX2. */
const bunPlatform = `@oven/bun-${process.platform}-${process.arch === 'arm64' ? 'aarch64' : process.arch}`;

/** Each finds its program, and returns undefined if it cannot be installed. */
export const node20 = () => tool(`node-${process.platform}-${process.arch}`, nodeVersion, 'bin/node');
export const proxyNodes = () =>
  proxyNodeVersions.map((version) => ({
    version,
    node: tool(`node-${process.platform}-${process.arch}`, version, 'bin/node'),
  }));
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
/** @returns the program of a package; undefined if it cannot be installed, or does not run here */
function tool(name: string, version: string, program: string): string | undefined {
  try {
    const command = resolve(npmPackage(name, version), 'node_modules', name, program);
    return spawnSync(command, ['--version']).status === 0 ? command : undefined;
  } catch {
    return undefined;
  }
}
