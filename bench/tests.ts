/** The time of `npm test`. */

import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';
import { root } from '../scripts/shared/root.ts';
import { budgets } from './budgets.ts';
import type { Findings } from './findings.ts';
import { progress } from './statistics.ts';

export async function tests(): Promise<Findings> {
  progress('npm test');
  const timed = spawnSync('bash', ['-c', "TIMEFORMAT='%R %U %S'; time npm test >/dev/null 2>&1"], {
    cwd: root,
    encoding: 'utf8',
  });
  if (timed.status !== 0) throw new Error('npm test failed');
  const [elapsed = 0, user = 0, system = 0] = timed.stderr
    .trim()
    .split(' ')
    .map((text) => Number(text) / 60);
  const processor = user + system;
  return {
    head: [],
    rows: [],
    notes:
      `\`npm test\` took **${elapsed.toFixed(1)} minutes** on ${cpus().length} cores and ${processor.toFixed(1)} minutes ` +
      `of CPU time. Budget: at most ${budgets.testMinutes} minutes on two idle cores, which is twice as much CPU time.`,
    rounds: 'one run',
    spread: 'compare the CPU time, which other work changes less',
    budgeted: [{ budget: 'testMinutes', what: 'npm test, half of its CPU time', value: processor / 2 }],
  };
}
