/** The options of `npm run bench`. */

import { execFileSync, spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { optionsOf } from '../../bench/options.ts';
import { root } from '../../scripts/shared/root.ts';

const all = ['cold-path', 'pipeline', 'races'];
const script = resolve(root, 'bench/run.ts');

test.each([
  [[], all, false],
  [['all', '--write'], all, true],
  [['races', 'cold-path'], ['cold-path', 'races'], false],
])('%j runs benchmarks in their order', (args, names, write) => {
  expect(optionsOf(args, all)).toEqual({ kind: 'run', names, write });
});

test.each([['--hlep'], ['latency'], ['--write=yes']])('%s is an error', (argument) => {
  expect(optionsOf([argument], all)).toMatchObject({ kind: 'error' });
});

test('an error ends the process with 2', { tags: ['long'] }, () => {
  expect(spawnSync(process.execPath, [script, '--hlep']).status).toBe(2);
});

test('--help lists the benchmarks and measures nothing', { tags: ['long'] }, () => {
  const output = execFileSync(process.execPath, [script, '--help'], { encoding: 'utf8' });
  for (const text of ['--write', '--help', 'cold-path', 'bench/budgets.ts']) expect(output).toContain(text);
});
