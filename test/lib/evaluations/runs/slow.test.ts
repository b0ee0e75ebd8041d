/** Rules that are as slow as they may be. */

import { RE2JS } from 're2js';
import { expect, onTestFinished, test, vi } from 'vitest';
import { secondMs } from '../../../../lib/base/time.ts';
import { deliverNotices, unlessTurnOver } from '../../../../samples/lambda-queue.ts';
import conversationEvaluator from '../../../../workers/conversation-evaluator.ts';
import {
  endedNotice,
  factsOf,
  modelOf,
  openEvaluations,
  reservationsOf,
  ruleOf,
  runOnce,
} from '../../../support/evaluations.ts';

const slowest = '[ab]*a[ab]{44}[xy]';

test('each turn makes progress when an expression takes ten seconds for a conversation', {
  tags: ['long'],
}, async () => {
  let readMs = 0;
  const { matcher } = RE2JS.prototype;
  const spy = vi.spyOn(RE2JS.prototype, 'matcher').mockImplementation(function (this: RE2JS, text) {
    readMs += 10 * secondMs;
    return matcher.call(this, text);
  });
  onTestFinished(() => spy.mockRestore());
  const opened = await openEvaluations({ adjust: { elapsedMs: () => readMs } });
  const { api, project, createEvaluator, converse, requestRun } = opened;
  await createEvaluator('slow', { kind: 'rule', rule: { matches: slowest } });
  for (let n = 0; n < 20; n += 1) await converse([`${'ab'.repeat(100)}${n}`]);
  const { id } = await requestRun();
  const done: number[] = [];
  for (let status: unknown = 'queued'; status === 'queued' || status === 'running'; ) {
    const begunMs = readMs;
    await runOnce(api, project, `${id}`).catch(unlessTurnOver);
    const { data } = await api.call('GET', `/projects/${project}/jobs/${id}`);
    const progress = data.progress as { done: number };
    expect(progress.done).toBeGreaterThan(done.at(-1) ?? 0);
    // A turn begins nothing new after ten seconds.
    expect(readMs - begunMs).toBeLessThanOrEqual(20 * secondMs);
    done.push(progress.done);
    status = data.status;
    if (status === 'failed') throw new Error(JSON.stringify(data));
  }
  expect(done.at(-1)).toBe(20);
  expect((await factsOf(api)).size).toBe(20);
});

test('an evaluation of one organisation does not hold up another one in the same invocation', () => {
  expect(conversationEvaluator.batchSize).toBe(1);
});

test('other work of the thread goes on between two rules of a conversation', async () => {
  const { api, createEvaluator, converse } = await openEvaluations();
  for (const name of ['first', 'second']) await createEvaluator(name, ruleOf({ matches: name }));
  const path = await converse(['hello']);
  await api.call('POST', `${path}/end`, { body: { reason: 'completed' } });
  let ticks = 0;
  const ticksAtRules: number[] = [];
  let next = setImmediate(function count() {
    ticks += 1;
    next = setImmediate(count);
  });
  const { matcher } = RE2JS.prototype;
  const spy = vi.spyOn(RE2JS.prototype, 'matcher').mockImplementation(function (this: RE2JS, text) {
    ticksAtRules.push(ticks);
    return matcher.call(this, text);
  });
  onTestFinished(() => {
    clearImmediate(next);
    spy.mockRestore();
  });
  await deliverNotices(api.runtime, conversationEvaluator, [endedNotice(api, path)]);
  expect(new Set(ticksAtRules).size).toBe(2);
});

test.each([
  ['a short conversation', ['hello', 'good day']],
  ['a conversation that rules read in parts', Array.from({ length: 140 }, () => 'a '.repeat(8000))],
])('each turn stores at least one score of a conversation that has ended: %s', async (_, texts) => {
  const { api, models, createEvaluator, converse } = await openEvaluations();
  const runtime = { ...api.runtime, turnMs: 0 };
  const names = ['first', 'second', 'third'];
  for (const name of names) await createEvaluator(name, ruleOf({ contains: name }));
  await createEvaluator('too_long', ruleOf({ matches: 'no such text' }));
  for (let n = 0; n < 10; n += 1) await createEvaluator(`judge_${n}`, modelOf(`Question ${n}?`));
  const path = await converse(texts);
  await api.call('POST', `${path}/end`, { body: { reason: 'completed' } });
  const counts: number[] = [];
  for (let isOver = false; !isOver; ) {
    isOver = true;
    await deliverNotices(runtime, conversationEvaluator, [endedNotice(api, path)]).catch((error: Error) => {
      unlessTurnOver(error);
      isOver = false;
    });
    const { size } = await factsOf(api);
    expect(size).toBeGreaterThan(counts.at(-1) ?? 0);
    counts.push(size);
  }
  expect(counts.at(-1)).toBe(14);
  expect(counts.length).toBeGreaterThan(3);
  const asked = models.calls.map((request) => JSON.stringify(request));
  expect(new Set(asked).size).toBe(asked.length);
  expect(await reservationsOf(api)).toEqual([]);
  expect(api.faultLines()).toEqual([]);
});
