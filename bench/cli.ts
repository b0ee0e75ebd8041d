/**
 * The size of the command line, its start, and the time to its first table, next to comparable command lines in JavaScript, which
 * are installed from npm into .local/tools. The first table is a list from a stub of the API.
 */

import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { npmPackage } from '../scripts/shared/npm-package.ts';
import { root } from '../scripts/shared/root.ts';
import { budgets, type Findings } from './budgets.ts';
import { median, progress, table } from './statistics.ts';

const runs = 7;
const others = { neonctl: '5.0.1', heroku: '11.10.0' } as const;

export async function cli(): Promise<Findings> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-cli-'));
  execFileSync(process.execPath, [resolve(root, 'cli/build.mjs'), folder]);
  const api = await startStub();
  const env = { PATH: process.env.PATH, HOME: folder, CI: '1' };
  const ours = join(folder, 'platform.js');
  const measured = [
    {
      name: '`platform`',
      kilobytes: statSync(ours).size / 1000,
      program: ours,
      list: ['projects', 'list'],
      env: { ...env, PLATFORM_API_KEY: 'sk_live_x', PLATFORM_BASE_URL: api.url },
    },
    {
      name: `neonctl ${others.neonctl}`,
      ...installed('neonctl'),
      list: ['projects', 'list', '--no-analytics', '--api-host', api.url, '--api-key', 'x', '--org-id', 'o'],
      env,
    },
    {
      name: `heroku ${others.heroku}`,
      ...installed('heroku'),
      // Its lists wait for other hosts, too, so their time says more about the network.
      list: undefined,
      env: { ...env, HEROKU_SKIP_NEW_VERSION_CHECK: '1' },
    },
  ];
  // One after the other in each round, so that a busy moment of the machine slows down all of them.
  const times = new Map(measured.map(({ name }) => [name, { start: [] as number[], list: [] as number[] }]));
  const bareTimes: number[] = [];
  for (let run = 0; run <= runs; run += 1) {
    progress(`cli: round ${run} of ${runs}`);
    const bareTime = await time(['-e', ''], env);
    if (run > 0) bareTimes.push(bareTime);
    for (const { name, program, list, env: own } of measured) {
      const start = await time([program, '--version'], own);
      const first = list && (await time([program, ...list], own));
      // The first round fills the caches of the file system.
      if (run === 0) continue;
      times.get(name)?.start.push(start);
      if (first !== undefined) times.get(name)?.list.push(first);
    }
  }
  const rows = measured.map(({ name, kilobytes }) => {
    const { start = [], list = [] } = times.get(name) ?? {};
    return [
      name,
      `${Math.round(kilobytes).toLocaleString('en')} KB`,
      shown(start),
      list.length > 0 ? shown(list) : '',
    ];
  });
  const ourStart = median(times.get('`platform`')?.start ?? []);
  api.stop();
  rmSync(folder, { recursive: true });
  const head = ['', 'installed', '`--version`', 'first table'];
  return {
    text: [
      table(head, [...rows, ['`node -e ""`', '', shown(bareTimes), '']]),
      '',
      `Medians of ${runs} rounds. Budget: \`platform --version\` takes at most ${budgets.cliStartMs} ms.`,
    ].join('\n'),
    budgeted: [{ budget: 'cliStartMs', what: 'platform --version', value: ourStart }],
  };
}

const shown = (values: readonly number[]) => `${Math.round(median(values))} ms`;

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

function installed(name: keyof typeof others): { kilobytes: number; program: string } {
  const modules = join(npmPackage(name, others[name]), 'node_modules');
  const [kilobytes = '0'] = execFileSync('du', ['-sk', modules], { encoding: 'utf8' }).split('\t');
  return { kilobytes: Number(kilobytes) * 1.024, program: join(modules, '.bin', name) };
}
