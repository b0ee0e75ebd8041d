/** Rules that are as slow as they may be. */

import { RE2JS } from 're2js';
import { expect, onTestFinished, test, vi } from 'vitest';
import { secondMs } from '../../../../lib/base/time.ts';
import { unlessTurnOver } from '../../../../samples/lambda-queue.ts';
import { factsOf, openEvaluations, runOnce } from '../../../support/evaluations.ts';

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
