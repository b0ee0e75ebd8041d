import { expect, test } from 'vitest';
import { addFailures } from '../../../../lib/evaluations/runs/state.ts';
import { newEvaluation } from '../../../../lib/jobs/evaluation.ts';

test('a job knows only its latest failures', () => {
  const keys = Array.from({ length: 130 }, (_, n) => `conv_${n}/fact`);
  const first = addFailures(newEvaluation('run'), keys.slice(0, 90));
  expect(first.failed).toEqual(keys.slice(0, 90));
  expect(addFailures(first, keys.slice(90)).failed).toEqual(keys.slice(30));
});
