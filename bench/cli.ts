/**
 * The size of the command line, its start, and the time to its first table, next to a comparable command line in JavaScript, which
 * is installed from npm into .local/tools. The first table is a list from a stub of the API.
 */

import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { root } from '../scripts/shared/root.ts';
import { npmPackage } from '../test/support/npm-package.ts';
import { budgets } from './budgets.ts';
import type { Findings } from './findings.ts';
import { inTurn, pairs } from './rounds.ts';
import { count, median, spread } from './statistics.ts';

const other = { name: 'neonctl', version: '5.0.1' } as const;

export async function cli(): Promise<Findings> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-cli-'));
  execFileSync(process.execPath, [resolve(root, 'cli/build.mjs'), folder]);
  const ours = join(folder, 'platform.js');
  const ourKilobytes = statSync(ours).size / 1000;
  const api = await startStub();
  const env = { PATH: process.env.PATH, HOME: folder, CI: '1' };
  const theirs = installed(other.name, other.version);
  const ourEnv = { ...env, PLATFORM_API_KEY: 'sk_live_x', PLATFORM_BASE_URL: api.url };
  const list = ['projects', 'list'];
  const theirList = [...list, '--no-analytics', '--api-host', api.url, '--api-key', 'x', '--org-id', 'o'];
  const times = await inTurn(
    {
      bare: () => time(['-e', ''], env),
      ourStart: () => time([ours, '--version'], ourEnv),
      theirStart: () => time([theirs.program, '--version'], env),
      ourList: () => time([ours, ...list], ourEnv),
      theirList: () => time([theirs.program, ...theirList], env),
    },
    { what: 'cli', rounds: pairs },
  );
  api.stop();
  rmSync(folder, { recursive: true });
  const ms = (values: readonly number[]) => spread(values, 'ms', 0);
  const size = (kilobytes: number) => `${count(kilobytes)} KB`;
  return {
    head: ['', 'installed', '`--version`', 'first table'],
    rows: [
      ['`platform`', size(ourKilobytes), ms(times.ourStart), ms(times.ourList)],
      [`${other.name} ${other.version}`, size(theirs.kilobytes), ms(times.theirStart), ms(times.theirList)],
      ['`node -e ""`', '', ms(times.bare), ''],
    ],
    notes: `Budget: \`platform --version\` takes at most ${budgets.cliStartMs} ms.`,
    rounds: `${pairs} rounds, in turn`,
    budgeted: [{ budget: 'cliStartMs', what: 'platform --version', value: median(times.ourStart) }],
  };
}

/**
 * @returns milliseconds until the process has ended
 * @throws Error if it fails
 */
async function time(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const begun = performance.now();
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const code = await new Promise((done) => child.once('close', done));
  if (code !== 0) throw new Error(`${args.join(' ')}: ${errors}`);
  return performance.now() - begun;
}

/** Ten projects, in the form of both APIs. */
async function startStub(): Promise<{ url: string; stop: () => void }> {
  const at = '2026-03-01T10:00:00.000Z';
  const items = Array.from({ length: 10 }, (_, index) => ({
    ...{ id: `proj_${index}`, name: `Project ${index}`, status: 'active', createdAt: at, created_at: at },
    region_id: 'aws',
  }));
  const server = createServer((_, response) => {
    const list = { success: true, data: { items, nextCursor: null }, projects: items, pagination: {} };
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(list));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return { url: `http://127.0.0.1:${port}`, stop: () => server.close() };
}

function installed(name: string, version: string): { kilobytes: number; program: string } {
  const modules = join(npmPackage(name, version), 'node_modules');
  const [kilobytes = '0'] = execFileSync('du', ['-sk', modules], { encoding: 'utf8' }).split('\t');
  return { kilobytes: Number(kilobytes) * 1.024, program: join(modules, '.bin', name) };
}
