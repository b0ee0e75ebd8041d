/** Runs at the same time, and beside evaluations of conversations that end: no model is asked twice for the same score. */

import { expect, test } from 'vitest';
import { minuteMs } from '../../../../lib/base/time.ts';
import { type Json, storedOf } from '../../../../samples/api.ts';
import { deliverNotices, noticesOf, unlessTurnOver } from '../../../../samples/lambda-queue.ts';
import { replyWithFaults } from '../../../../samples/models.ts';
import { changeRecord } from '../../../../samples/stream-records.ts';
import conversationEvaluator from '../../../../workers/conversation-evaluator.ts';
import evaluationRunner from '../../../../workers/evaluation-runner.ts';
import {
  end,
  endedNotice,
  factsOf,
  modelOf,
  openEvaluations,
  reservationsOf,
  ruleOf,
  runOnce,
} from '../../../support/evaluations.ts';
import { deliverInTurns } from '../../../support/turns.ts';

test('the runs of a project wait for each other, and the end of one starts the next', async () => {
  const { api, project, path, models, createEvaluator, converse, requestRun } = await openEvaluations();
  await createEvaluator('judge', modelOf());
  for (let n = 0; n < 3; n += 1) await converse();
  const jobs = [await requestRun({ maxCostUsd: 1 }), await requestRun({ maxCostUsd: 1 })];
  const [first, second] = jobs.map(({ id }) => `${id}`) as [string, string];
  await runOnce(api, project, second);
  const statusOf = async (job: string) => (await api.call('GET', `${path}/jobs/${job}`)).data.status;
  expect([await statusOf(first), await statusOf(second)]).toEqual(['queued', 'queued']);
  const before = (await storedOf(api, 'jobs')).find(({ id, type }) => id === first && type);
  await runOnce(api, project, first);
  expect([await statusOf(first), await statusOf(second)]).toEqual(['succeeded', 'queued']);
  const after = (await storedOf(api, 'jobs')).find(({ id, type }) => id === first && type);
  const notices = noticesOf(evaluationRunner, [changeRecord(before, after)]);
  expect(notices).toHaveLength(1);
  // The next run has a notice of its own, which goes on when the first turn of the run is over.
  await deliverInTurns({ ...api.runtime, turnMs: 0 }, evaluationRunner, notices);
  expect(await statusOf(second)).toBe('succeeded');
  expect(models.calls).toHaveLength(3);
});

test('the end of a run does not start a run whose own notice is still to come', async () => {
  const { api, project, createEvaluator, converse, requestRun, models } = await openEvaluations();
  await createEvaluator('judge', modelOf());
  await converse();
  const first = `${(await requestRun({ maxCostUsd: 1 })).id}`;
  const storedFirst = async () => (await storedOf(api, 'jobs')).find(({ id, type }) => id === first && type);
  const before = await storedFirst();
  await runOnce(api, project, first);
  const second = `${(await requestRun({ maxCostUsd: 1 })).id}`;
  const notices = noticesOf(evaluationRunner, [changeRecord(before, await storedFirst())]);
  await deliverInTurns(api.runtime, evaluationRunner, notices);
  const statusOf = async (job: string) =>
    (await api.call('GET', `/projects/${project}/jobs/${job}`)).data.status;
  expect(await statusOf(second)).toBe('queued');
  await runOnce(api, project, second);
  expect(await statusOf(second)).toBe('succeeded');
  expect(models.calls).toHaveLength(1);
});

test('the request of a run that waits is kept, because a suspension may be long', async () => {
  const { api, project, createEvaluator, requestRun } = await openEvaluations();
  await createEvaluator('short', ruleOf());
  await requestRun();
  const [waiting, unseen] = [await requestRun(), await requestRun()];
  await runOnce(api, project, `${waiting.id}`);
  const requests = (await storedOf(api, 'jobs')).filter(({ tenant }) =>
    `${tenant}`.endsWith('#evaluation-requests'),
  );
  const ttlOf = (job: Json) => requests.find(({ id }) => id === job.id)?.ttl;
  expect(requests).toHaveLength(3);
  expect(ttlOf(waiting)).toBeUndefined();
  expect(ttlOf(unseen)).toBeGreaterThan(0);
});

test('a preview and a dry run do not wait for a run', async () => {
  const { createEvaluator, converse, requestRun, run } = await openEvaluations();
  await createEvaluator('judge', modelOf());
  await converse();
  await requestRun({ maxCostUsd: 1 });
  expect(await run({ dryRun: true })).toMatchObject({ status: 'succeeded', result: { calls: 1 } });
  expect(await run({ preview: true, maxCostUsd: 1 })).toMatchObject({
    status: 'succeeded',
    result: { calls: 1 },
  });
});

test('a run beside the end of the conversations asks each question once', async () => {
  const { api, models, createEvaluator, converse, requestRun, finish } = await openEvaluations({
    async reply(request) {
      await new Promise((resolve) => setTimeout(resolve, 30));
      return replyWithFaults(request);
    },
  });
  await createEvaluator('judge', modelOf());
  await createEvaluator('second', modelOf('Is the user content?'));
  const paths = [];
  for (let n = 0; n < 6; n += 1) paths.push(await converse());
  const { id } = await requestRun({ maxCostUsd: 1 });
  for (const path of paths) await api.call('POST', `${path}/end`, { body: { reason: 'completed' } });
  const ending = async (path: string): Promise<void> => {
    const notice = endedNotice(api, path);
    // A notice whose score somebody else gives comes again.
    await deliverNotices(api.runtime, conversationEvaluator, [notice]).catch(unlessTurnOver);
  };
  const [job] = await Promise.all([finish(id), ...paths.map(ending)]);
  expect(job).toMatchObject({ status: 'succeeded', result: { conversations: 6, failed: 0 } });
  expect((await factsOf(api)).size).toBe(12);
  expect(models.calls).toHaveLength(12);
  expect(await reservationsOf(api)).toEqual([]);
});

test('a call of somebody who died is sent again when its lease has ended', async () => {
  let isDying = true;
  const opened = await openEvaluations({
    reply(request) {
      if (isDying) opened.life.callsLeft = 0;
      return replyWithFaults(request);
    },
  });
  const { api, life, models, createEvaluator, converse, requestRun, finish } = opened;
  await createEvaluator('judge', modelOf());
  const path = await converse();
  await expect(end(api, path)).rejects.toThrow('killed');
  life.callsLeft = Number.POSITIVE_INFINITY;
  isDying = false;
  expect(await reservationsOf(api)).toHaveLength(1);
  // Somebody may still ask, so this one comes again.
  await expect(deliverNotices(api.runtime, conversationEvaluator, [endedNotice(api, path)])).rejects.toThrow(
    'out of time',
  );
  expect(models.calls).toHaveLength(1);
  api.advance(4 * minuteMs);
  const { id } = await requestRun({ maxCostUsd: 1 });
  expect(await finish(id)).toMatchObject({ result: { evaluated: 1, calls: 1 } });
  expect(models.calls).toHaveLength(2);
  expect(await reservationsOf(api)).toEqual([]);
});
