/** The time of `npm ci` with a warm cache, in pairs with an earlier commit, and what it writes. */

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installedWeight, type Weight } from '../measures/installation.ts';
import { npmEnvironment } from '../scripts/shared/fetched-packages.ts';
import { root } from '../scripts/shared/root.ts';
import type { Findings } from './findings.ts';
import { count, median, megabytes, progress, ratios, spread } from './statistics.ts';

/** The last commit before the installation was measured. */
const earlier = '65b676d0';

type Run = { seconds: number; processorSeconds: number };

export async function install(pairs = 15): Promise<Findings> {
  const folder = mkdtempSync(join(tmpdir(), 'install-'));
  try {
    const clones = { before: cloneOf(earlier, folder), now: cloneOf('HEAD', folder) };
    const runs: Record<keyof typeof clones, Run[]> = { before: [], now: [] };
    // The first pair fills the cache of npm.
    for (let pair = 0; pair <= pairs; pair += 1) {
      progress(`install: pair ${pair} of ${pairs}`);
      const order = ['before', 'now'] as const;
      for (const which of pair % 2 === 0 ? order : order.toReversed()) {
        const run = installed(clones[which]);
        if (pair > 0) runs[which].push(run);
      }
    }
    const weights = { before: installedWeight(clones.before), now: installedWeight(clones.now) };
    return findings(runs, weights, pairs);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @returns the folder of a clone at a commit. Uncommitted changes are not in it */
function cloneOf(commit: string, parent: string): string {
  const folder = join(parent, commit);
  const git = (...args: string[]) => execFileSync('git', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  git('clone', '--quiet', '--shared', '--no-checkout', root, folder);
  const id = execFileSync('git', ['rev-parse', commit], { cwd: root, encoding: 'utf8' }).trim();
  git('-C', folder, 'checkout', '--quiet', '--detach', id);
  return folder;
}

function installed(cwd: string): Run {
  rmSync(join(cwd, 'node_modules'), { recursive: true, force: true });
  const command = "TIMEFORMAT='%R %U %S'; time npm ci --no-audit --no-fund >/dev/null 2>&1";
  const options = { cwd, env: npmEnvironment(process.env), encoding: 'utf8' } as const;
  const { status, stderr } = spawnSync('bash', ['-c', command], options);
  if (status !== 0) throw new Error(`npm ci failed in ${cwd}`);
  const [seconds = 0, user = 0, system = 0] = stderr.trim().split(' ').map(Number);
  return { seconds, processorSeconds: user + system };
}

function findings(
  runs: Record<'before' | 'now', Run[]>,
  weights: Record<'before' | 'now', Weight>,
  pairs: number,
): Findings {
  const valuesOf = (key: keyof Run) => ({
    now: runs.now.map((run) => run[key]),
    before: runs.before.map((run) => run[key]),
  });
  const row = (name: string, key: keyof Run) => {
    const { now, before } = valuesOf(key);
    return [name, spread(before, 's'), spread(now, 's'), spread(ratios(now, before))];
  };
  const { before, now } = weights;
  const seconds = valuesOf('seconds');
  return {
    head: ['`npm ci`, warm cache', `commit ${earlier}`, 'now', 'ratio'],
    rows: [
      row('time', 'seconds'),
      row('processor time', 'processorSeconds'),
      ['files', count(before.files), count(now.files), (now.files / before.files).toFixed(2)],
      ['bytes', megabytes(before.bytes), megabytes(now.bytes), (now.bytes / before.bytes).toFixed(2)],
    ],
    notes: '',
    rounds: `${pairs} alternating pairs`,
    budgeted: [
      {
        budget: 'installRatio',
        what: `npm ci, relative to ${earlier}`,
        value: median(ratios(seconds.now, seconds.before)),
      },
    ],
  };
}
