/** Previews: what they show, for how long, and that nothing of them is stored as a score. */

import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { inBatches, split } from '../../../../lib/base/batches.ts';
import { hourMs } from '../../../../lib/base/time.ts';
import { type Json, storedOf, type TestApi } from '../../../../samples/api.ts';
import { endsTurn } from '../../../../samples/lambda-queue.ts';
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

/** A page reads at most so many items. */
const maxItemsRead = 1000;

test('a turn that ends while a preview looks for conversations stores its position', async () => {
  const { api, project, converse, requestRun, finish } = await openEvaluations();
  await converse(['a']);
  const ended = await converse(['a']);
  await api.call('POST', `${ended}/end`, { body: { reason: 'completed' } });
  const newest = `${ended.split('/').at(-1)}`;
  const oldest = await addOlder(api, newest, maxItemsRead + 1);
  const draft = { kind: 'rule', rule: { messages: { lte: 5 } } };
  const { id } = await requestRun({ preview: true, filter: { status: 'ended' }, draft });
  const inTurn = { ...api, runtime: { ...api.runtime, turnMs: 0 } };
  expect(await endsTurn(runOnce(inTurn, project, `${id}`))).toBe(true);
  const stateOf = async () =>
    (await storedOf(api, 'jobs')).find((one) => one.id === id && one.evaluation)?.evaluation;
  const position = expect.stringMatching(/^conv_010{18}/);
  expect(await stateOf()).toMatchObject({ previewed: [newest], position });
  expect(await finish(id)).toMatchObject({ status: 'succeeded', result: { conversations: 2 } });
  expect(await stateOf()).toMatchObject({ previewed: [newest, oldest], position: '' });
});

/**
 * Stores copies of an ended conversation, directly in the table: older ones that are active, and the oldest one.
 * @returns the id of the oldest one
 */
async function addOlder(api: TestApi, id: string, count: number): Promise<string> {
  const stored = await storedOf(api, 'conversations');
  const ended = stored.find((item) => item.id === id && item.status === 'ended');
  const active = stored.find(
    (item) => item.tenant === ended?.tenant && item.startedAt && item.status === 'active',
  );
  const idAt = (n: number) => `conv_01${String(n).padStart(24, '0')}`;
  const copies = Array.from({ length: count }, (_, n) => ({ ...active, id: idAt(n + 1) }));
  const requests = [...copies, { ...ended, id: idAt(0) }].map((Item) => ({ PutRequest: { Item } }));
  const table = `${api.runtime.tableNames.conversations}`;
  await inBatches(split(requests, 25), 8, (batch) =>
    api.runtime.client.send(new BatchWriteCommand({ RequestItems: { [table]: batch } })),
  );
  return idAt(0);
}
