/** The options of `npm run bench`, and when it fails. */

import { execFileSync, spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { type BudgetName, budgets, overBudget } from '../../bench/budgets.ts';
import { optionsOf } from '../../bench/options.ts';
import { root } from '../../scripts/shared/root.ts';

const known = ['cold-path', 'pipeline', 'costs'];
const script = resolve(root, 'bench/run.ts');

test('without arguments, all benchmarks run and no document is written', () => {
  expect(optionsOf([], known)).toEqual({ kind: 'run', parts: known, write: false });
  expect(optionsOf(['--write'], known)).toEqual({ kind: 'run', parts: known, write: true });
  expect(optionsOf(['costs', 'cold-path'], known)).toMatchObject({
    parts: ['cold-path', 'costs'],
    write: false,
  });
});

test.each([['--hlep'], ['latency'], ['--write=yes']])('%s is an error', (argument) => {
  expect(optionsOf([argument], known)).toMatchObject({ kind: 'error' });
});

test('an error ends the process with 2', { tags: ['long'] }, () => {
  expect(spawnSync(process.execPath, [script, '--hlep']).status).toBe(2);
});

test('--help lists the benchmarks and measures nothing', { tags: ['long'] }, () => {
  const output = execFileSync(process.execPath, [script, '--help'], { encoding: 'utf8' });
  for (const text of ['--write', '--help', 'cold-path', 'bench/budgets.ts']) expect(output).toContain(text);
});

test.each(Object.entries(budgets))(
  'a figure at the budget of %s is within it, one above is not',
  (name, limit) => {
    const budget = name as BudgetName;
    const found = (value: number) => overBudget({ text: '', budgeted: [{ budget, what: 'it', value }] });
    expect(found(limit)).toEqual([]);
    expect(found(limit + 0.01)).toEqual([`it: ${(limit + 0.01).toFixed(2)}, over the budget of ${limit}`]);
    // A missing figure is over the budget.
    expect(found(Number.NaN)).toHaveLength(1);
  },
);
