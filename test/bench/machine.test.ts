/** When a benchmark refuses the figures of a busy machine. */

import { expect, test } from 'vitest';
import { refusal, takenByOthers } from '../../bench/machine.ts';

const sample = (elapsedMs: number, processorMs = 200) => ({ elapsedMs, processorMs });
const samples = (...elapsedMs: number[]) => elapsedMs.map((ms) => sample(ms));

test('an idle machine is accepted', () => {
  expect(takenByOthers(samples(200, 201, 204))).toBeCloseTo(0.005, 3);
  expect(refusal(samples(200, 201, 204))).toBeUndefined();
});

test('one busy process beside two loops on two cores is too much', () => {
  // Three share two cores, so a loop gets two thirds of one.
  expect(takenByOthers(samples(300, 300, 300))).toBeCloseTo(1 / 3);
  expect(refusal(samples(300, 300, 300))).toContain('other work takes 33 % of the processors');
});

test('time that a virtual machine loses counts, although it looks like processor time', () => {
  expect(refusal([sample(200), sample(300, 300), sample(300, 300)])).toBeDefined();
});

test('a short disturbance is tolerated, because rounds run in turn', () => {
  expect(refusal(samples(200, 200, 900, 201, 203))).toBeUndefined();
});

test('without samples, nothing is accepted', () => {
  expect(refusal([])).toBeDefined();
});
