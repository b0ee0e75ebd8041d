/** The ratios of CPU time that the documents state: measured in pairs, and again before they fail. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Budgeted, budgets, overBudgetAlways } from '../../bench/budgets.ts';
import { coldPathBudgets } from '../../bench/cold-path.ts';
import { pipeline } from '../../bench/pipeline.ts';
import { type Bench, openBench } from '../../bench/service.ts';

// Nightly, because other tests on the same cores change even a ratio of CPU time. Bytes and modules are checked at each change.
describe('in pairs, by CPU time', { tags: ['nightly'], timeout: 600_000 }, () => {
  let bench: Bench;

  beforeAll(async () => {
    bench = await openBench();
  });
  afterAll(() => bench.stop());

  test('the cold path is within its budgets', async () => {
    const byCpu = async () =>
      (await coldPathBudgets(bench, 15)).filter(({ budget }) => budget.endsWith('CpuRatio'));
    expect(await overBudgetAlways(byCpu)).toEqual([]);
  });

  test('the pipeline is within its budget', async () => {
    expect(await overBudgetAlways(async () => (await pipeline(bench)).budgeted)).toEqual([]);
  });
});

describe('a figure over its budget', () => {
  const findings = (value: number): Budgeted[] => [{ budget: 'pipelineRatio', what: 'a request', value }];
  const measuring = (...values: number[]) => {
    const measure = async () => findings(values.shift() ?? Number.NaN);
    return { measure, values };
  };

  test('is measured again, and may then be within it', async () => {
    const { measure, values } = measuring(9, 1, 9);
    expect(await overBudgetAlways(measure)).toEqual([]);
    expect(values).toEqual([9]);
  });

  test('fails after three times', async () => {
    const { measure, values } = measuring(9, 9, 9, 1);
    expect(await overBudgetAlways(measure)).toEqual([
      `a request: 9.00, over the budget of ${budgets.pipelineRatio}`,
    ]);
    expect(values).toEqual([1]);
  });
});
