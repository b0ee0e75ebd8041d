/** Evaluation runs: what they store, count and cost. */

import { expect, test } from 'vitest';
import { hourMs } from '../../../../lib/base/time.ts';
import { storedOf } from '../../../../samples/api.ts';
import {
  factsOf,
  modelOf,
  openEvaluations,
  reservationsOf,
  ruleOf,
  spentOfDay,
} from '../../../support/evaluations.ts';

const noCounts = { unchanged: 0, unknown: 0, failed: 0, calls: 0, inputTokens: 0, outputTokens: 0 };

test('a run scores each conversation once, and another run finds nothing to do', {
  tags: ['long'],
}, async () => {
  const { api, models, createEvaluator, converse, run } = await openEvaluations();
  await createEvaluator('short', ruleOf());
  await createEvaluator('last-word', modelOf());
  const paths = [await converse(), await converse(['a']), await converse(['a', 'b', 'c'])];
  const job = await run({ maxCostUsd: 1 });
  expect(job).toMatchObject({
    type: 'conversations.evaluate',
    status: 'succeeded',
    progress: { total: 3, done: 3, failed: 0 },
    result: {
      conversations: 3,
      evaluated: 6,
      unchanged: 0,
      unknown: 0,
      failed: 0,
      calls: 3,
      stoppedBecause: null,
    },
  });
  expect(models.calls).toHaveLength(3);
  const facts = await factsOf(api);
  expect(facts.size).toBe(6);
  const { data: shown } = await api.call('GET', `${paths[1]}`);
  expect(shown.scores).toEqual([
    expect.objectContaining({ name: 'last-word', value: false, source: 'model', version: 1, stale: false }),
    expect.objectContaining({ name: 'short', value: true, source: 'rule', version: 1, stale: false }),
  ]);
  // What is shown, stored and counted for the day is one sum.
  const result = job.result as { costUsd: number; inputTokens: number; outputTokens: number };
  const sumOf = (name: string) => [...facts.values()].reduce((sum, fact) => sum + Number(fact[name]), 0);
  expect(sumOf('costMicroUsd')).toBeGreaterThan(0);
  expect(Math.round(result.costUsd * 1e6)).toBe(sumOf('costMicroUsd'));
  expect(await spentOfDay(api)).toBe(sumOf('costMicroUsd'));
  expect([result.inputTokens, result.outputTokens]).toEqual([sumOf('inputTokens'), sumOf('outputTokens')]);
  expect(await reservationsOf(api)).toEqual([]);

  const again = await run({ maxCostUsd: 1 });
  expect(again.result).toMatchObject({
    ...noCounts,
    conversations: 3,
    evaluated: 0,
    unchanged: 6,
    costUsd: 0,
  });
  expect(models.calls).toHaveLength(3);
  // A further message makes other scores necessary.
  await api.call('POST', `${paths[0]}/messages`, { body: { messages: [{ role: 'user', text: 'and?' }] } });
  const third = await run({ maxCostUsd: 1 });
  expect(third.result).toMatchObject({ conversations: 3, evaluated: 2, unchanged: 4, calls: 1 });
  const requests = (await storedOf(api, 'jobs')).filter(({ tenant }) =>
    `${tenant}`.includes('evaluation-requests'),
  );
  expect(requests).toEqual([]);
});

test('the filter, appliesTo and the evaluators decide what is scored', async () => {
  const { createEvaluator, converse, run, api } = await openEvaluations();
  const one = await createEvaluator('one', ruleOf());
  await createEvaluator('web-only', { ...ruleOf(), appliesTo: { channel: 'web' } });
  await converse(['a'], { channel: 'web', tags: ['x'] });
  await converse(['a'], { channel: 'phone', tags: ['x'] });
  await converse(['a'], { channel: 'web' });
  const filtered = await run({ filter: { tag: 'x' } });
  expect(filtered.result).toMatchObject({ conversations: 2, evaluated: 3 });
  const named = await run({ evaluators: ['one', `${one.id}`] });
  expect(named.result).toMatchObject({ conversations: 3, evaluated: 1, unchanged: 2 });
  const scored = await run({ filter: { scores: ['web-only:exists'] } });
  expect(scored.result).toMatchObject({ conversations: 1, evaluated: 0, unchanged: 2 });
  // A conversation that starts after the request is left out.
  api.advance(hourMs);
  const whole = await run();
  expect(whole.result).toMatchObject({ conversations: 3, evaluated: 1, unchanged: 4 });
});

test('a run leaves test conversations out, unless its filter asks for them', async () => {
  const { createEvaluator, converse, run } = await openEvaluations();
  await createEvaluator('one', ruleOf());
  await converse(['a'], { test: true });
  await converse(['a']);
  await converse(['a']);
  expect((await run()).result).toMatchObject({ conversations: 2, evaluated: 2 });
  expect((await run({ filter: { test: true } })).result).toMatchObject({ conversations: 1, evaluated: 1 });
});

test('a dry run stores nothing and says what a run would do', { tags: ['long'] }, async () => {
  const { api, models, createEvaluator, converse, run } = await openEvaluations();
  await createEvaluator('short', ruleOf());
  await createEvaluator('last-word', modelOf());
  for (let n = 0; n < 25; n += 1) await converse();
  await converse([]);
  const { result } = await run({ dryRun: true });
  expect(result).toMatchObject({
    conversations: 26,
    evaluated: 52,
    unknown: 1,
    calls: 25,
    stoppedBecause: null,
  });
  expect(models.calls).toEqual([]);
  expect((await factsOf(api)).size).toBe(0);
  const { result: real } = await run({ maxCostUsd: 1 });
  expect(real).toMatchObject({ conversations: 26, evaluated: 52, unknown: 1, calls: 25 });
  const [estimated, cost] = [result, real].map((one) => (one as { costUsd: number }).costUsd);
  expect(estimated).toBeGreaterThan(0);
  expect(Number(cost) / Number(estimated)).toBeGreaterThan(0.3);
  expect(Number(cost) / Number(estimated)).toBeLessThan(3);
  expect((await run({ dryRun: true })).result).toMatchObject({ ...noCounts, evaluated: 0, unchanged: 52 });
});

test('no call is sent that might exceed maxCostUsd', { tags: ['long'] }, async () => {
  const { api, models, createEvaluator, converse, run } = await openEvaluations();
  await createEvaluator('last-word', modelOf());
  for (let n = 0; n < 12; n += 1) await converse();
  const most = 0.004;
  const { status, result } = await run({ maxCostUsd: 3 * most });
  expect(status).toBe('succeeded');
  const { costUsd, evaluated } = result as { costUsd: number; evaluated: number };
  expect(result).toMatchObject({ stoppedBecause: 'max_cost_usd', calls: models.calls.length, evaluated });
  expect(costUsd).toBeLessThanOrEqual(3 * most);
  expect(evaluated).toBeGreaterThan(0);
  expect(evaluated).toBeLessThan(12);
  expect((await factsOf(api)).size).toBe(evaluated);
  const none = await run({ maxCostUsd: 0.000001 });
  expect(none.result).toMatchObject({ stoppedBecause: 'max_cost_usd', calls: 0, costUsd: 0 });
});

test('the quota of the day holds for all runs together', { tags: ['long'] }, async () => {
  const { api, createEvaluator, converse, run } = await openEvaluations({ quotas: { modelCostUsd: 0.012 } });
  await createEvaluator('last-word', modelOf());
  for (let n = 0; n < 12; n += 1) await converse();
  const first = await run({ maxCostUsd: 5 });
  expect(first.result).toMatchObject({ stoppedBecause: 'model_cost_quota' });
  expect(await spentOfDay(api)).toBeLessThanOrEqual(12_000);
  const { evaluated } = first.result as { evaluated: number };
  expect(evaluated).toBeGreaterThan(0);
  api.advance(24 * hourMs);
  let total = evaluated;
  for (let n = 0; n < 6 && total < 12; n += 1) {
    const { result } = await run({ maxCostUsd: 5 });
    total += (result as { evaluated: number }).evaluated;
    api.advance(24 * hourMs);
  }
  expect(total).toBe(12);
});
