/** Previews: what they show, for how long, and that nothing of them is stored as a score. */

import { expect, test } from 'vitest';
import { hourMs } from '../../../../lib/base/time.ts';
import { type Json, storedOf } from '../../../../samples/api.ts';
import { replyWithFaults } from '../../../../samples/models.ts';
import conversationEraser from '../../../../workers/conversation-eraser.ts';
import {
  factsOf,
  modelOf,
  openEvaluations,
  ruleOf,
  runOnce,
  spentOfDay,
} from '../../../support/evaluations.ts';
import { changeStored } from '../../../support/stored.ts';
import { handleAll } from '../../../support/suspensions.ts';

type Previewed = { conversationId: string; scores: Json[] }[];
const previewIn = (job: Json) => (job.result as { preview: Previewed | null }).preview;

test('a preview shows the scores of the newest conversations for an hour', { tags: ['long'] }, async () => {
  const { api, path, createEvaluator, converse, run, models } = await openEvaluations();
  await createEvaluator('judge', modelOf());
  await createEvaluator('web', { ...ruleOf(), appliesTo: { channel: 'web' } });
  const paths = [];
  for (let n = 0; n < 12; n += 1) paths.push(await converse(['a'], n === 11 ? { channel: 'web' } : {}));
  const job = await run({ preview: true, maxCostUsd: 1 });
  expect(job).toMatchObject({ status: 'succeeded', result: { conversations: 10, evaluated: 11, calls: 10 } });
  const shown = previewIn(job) ?? [];
  expect(shown.map(({ conversationId }) => conversationId)).toEqual(
    paths
      .toReversed()
      .slice(0, 10)
      .map((one) => one.split('/').at(-1)),
  );
  const names = (one: Previewed[number] | undefined) => one?.scores.map(({ name }) => name).sort();
  expect(names(shown[0])).toEqual(['judge', 'web']);
  expect(names(shown[1])).toEqual(['judge']);
  expect(shown[1]?.scores[0]).toMatchObject({
    value: false,
    reason: null,
    version: 1,
    evidence: [1],
    messageCount: 1,
  });
  expect((await factsOf(api)).size).toBe(0);
  expect(models.calls).toHaveLength(10);
  expect(await spentOfDay(api)).toBe(Math.round((job.result as { costUsd: number }).costUsd * 1e6));
  // Neither the list nor the events have it.
  const { data } = await api.call('GET', `${path}/jobs`);
  expect((data.items as Json[])[0]?.result).not.toHaveProperty('preview');
  api.advance(hourMs + 1000);
  const late = await api.call('GET', `${path}/jobs/${job.id}`);
  expect(previewIn(late.data)).toBeNull();
});

test('a draft is previewed without an evaluator', async () => {
  const { converse, run } = await openEvaluations();
  await converse(['sorry']);
  const rule = await run({ preview: true, draft: { kind: 'rule', rule: { contains: 'SORRY' } } });
  expect(previewIn(rule)).toEqual([
    expect.objectContaining({
      scores: [
        expect.objectContaining({ name: null, version: null, value: true, evidence: [1], costUsd: null }),
      ],
    }),
  ]);
  const model = await run({ preview: true, maxCostUsd: 1, draft: modelOf('[[invalid]]') });
  expect(previewIn(model)?.[0]?.scores).toEqual([
    expect.objectContaining({ value: null, reason: 'invalid_answer' }),
  ]);
});

test('an erased conversation is in no preview, and nothing of it stays', async () => {
  const { api, path, createEvaluator, converse, run } = await openEvaluations();
  await createEvaluator('judge', modelOf());
  const [erased, kept] = [await converse(['secret']), await converse(['b'])];
  const job = await run({ preview: true, maxCostUsd: 1 });
  expect(previewIn(job)).toHaveLength(2);
  const shown = async () =>
    previewIn((await api.call('GET', `${path}/jobs/${job.id}`)).data)?.map(
      ({ conversationId }) => conversationId,
    );
  await api.call('DELETE', erased);
  // The eraser comes later.
  expect(await shown()).toEqual([kept.split('/').at(-1)]);
  await handleAll(api, conversationEraser, 'conversations', () => true);
  expect(await shown()).toEqual([kept.split('/').at(-1)]);
  const id = `${erased.split('/').at(-1)}`;
  const rows = (await storedOf(api, 'jobs')).filter((item) => `${item.id}`.startsWith(id));
  expect(rows).toEqual([]);
});

test('a preview that is killed asks only about what it has not shown yet', { tags: ['long'] }, async () => {
  let answers = 0;
  const opened = await openEvaluations({
    reply(request) {
      answers += 1;
      if (answers === 12) opened.life.callsLeft = 0;
      return replyWithFaults(request);
    },
  });
  const { api, life, project, createEvaluator, converse, requestRun, finish } = opened;
  await createEvaluator('judge', modelOf());
  await createEvaluator('second', modelOf('Is the user content?'));
  for (let n = 0; n < 10; n += 1) await converse(['a']);
  const { id } = await requestRun({ preview: true, maxCostUsd: 1 });
  await expect(runOnce(api, project, `${id}`)).rejects.toThrow('killed');
  life.callsLeft = Number.POSITIVE_INFINITY;
  const job = await finish(id);
  expect(job).toMatchObject({ status: 'succeeded', result: { evaluated: 20 } });
  expect((previewIn(job) ?? []).flatMap(({ scores }) => scores)).toHaveLength(20);
  expect(answers).toBeLessThanOrEqual(28);
});

test('a preview whose turn ended while it looked for conversations goes on behind them', async () => {
  const { api, converse, requestRun, finish } = await openEvaluations();
  const ids: (string | undefined)[] = [];
  for (let n = 0; n < 4; n += 1) ids.push((await converse(['a'])).split('/').at(-1));
  const { id } = await requestRun({ preview: true, draft: { kind: 'rule', rule: { contains: 'a' } } });
  const job = (await storedOf(api, 'jobs')).find((one) => one.id === id) as Json;
  const evaluation = { ...(job.evaluation as Json), previewed: [ids[3]], previewedBy: 1, position: ids[2] };
  await changeStored(api, 'jobs', `${id}`, 'evaluation', evaluation);
  const shown = (previewIn(await finish(id)) ?? []).map(({ conversationId }) => conversationId);
  expect(shown).toEqual([ids[3], ids[1], ids[0]]);
});
