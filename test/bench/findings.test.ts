/** How figures are measured in rounds, and how the document shows them. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { documentOf, names } from '../../bench/benchmarks.ts';
import { budgets, overBudget } from '../../bench/budgets.ts';
import { written } from '../../bench/findings.ts';
import { inTurn } from '../../bench/rounds.ts';
import { ratios, spread } from '../../bench/statistics.ts';
import { replaceMarked } from '../../scripts/shared/markdown.ts';
import { root } from '../../scripts/shared/root.ts';

test('ways run in turn, every second round in the reverse order, and warm-ups do not count', async () => {
  const order: string[] = [];
  const way = (name: string) => async () => order.push(name);
  const results = await inTurn({ a: way('a'), b: way('b') }, { what: 'test', rounds: 2, warmUps: 1 });
  expect(order.join('')).toBe('baabba');
  expect(results).toEqual({ a: [3, 6], b: [4, 5] });
});

test('figures are medians with quartiles, and ratios are those of pairs', () => {
  expect(spread([5, 1, 4, 2, 3], 'ms')).toBe('3.0 ms (2.0–4.0)');
  expect(spread(ratios([1, 2, 9], [2, 4, 6]))).toBe('0.50 (0.50–1.50)');
});

test('the document names the command, the commit, the rounds, the spread and the other work', () => {
  const findings = {
    head: ['what', 'time'],
    rows: [['it', '3.0 ms']],
    notes: 'A note.',
    rounds: '15 rounds',
    budgeted: [],
  };
  const circumstances = { name: 'races', measuredOn: { commit: 'abc', takenByOthers: 0.021 } };
  const document = '# Title\n\n<!-- races -->\n\nold\n\n<!-- /races -->\n\nafter\n';
  const text = written(document, findings, circumstances);
  expect(text).toMatch(
    /^# Title\n\n<!-- races -->\n\n\| what \| time \|\n\| --- \| --- \|\n\| it \| 3.0 ms \|\n\nA note.\n\n/,
  );
  expect(text).toContain(
    '`npm run bench -- races --write`, on commit abc: 15 rounds; medians, with the quartiles in brackets.',
  );
  expect(text).toContain('other work took 2 % of the processors.\n\n<!-- /races -->\n\nafter\n');
  expect(() => written('# Title', findings, circumstances)).toThrow('no place for races');
  const simulated = written(document, findings, { name: 'races', measuredOn: undefined });
  expect(simulated).toContain(
    '--write`: 15 rounds; medians, with the quartiles in brackets.\n\n<!-- /races -->',
  );
});

test.each(names)('the document has a place for the figures of %s', (name) => {
  const document = readFileSync(resolve(root, documentOf(name)), 'utf8');
  expect(() => replaceMarked(document, name, '')).not.toThrow();
});

test('a figure at its budget is within it; one above it, and a missing one, are not', () => {
  const found = (value: number) => overBudget([{ budget: 'pipelineRatio', what: 'it', value }]);
  const budget = budgets.pipelineRatio;
  expect(found(budget)).toEqual([]);
  expect(found(budget + 0.01)).toEqual([`it: ${(budget + 0.01).toFixed(2)}, over the budget of ${budget}`]);
  expect(found(Number.NaN)).toHaveLength(1);
});
