/** Evaluations of conversations that end, without a run. */

import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { hourMs, minuteMs } from '../../../../lib/base/time.ts';
import { type Json, storedOf, type TestApi } from '../../../../samples/api.ts';
import { deliverNotices, noticesOf } from '../../../../samples/lambda-queue.ts';
import { replyWithFaults } from '../../../../samples/models.ts';
import { changeRecord } from '../../../../samples/stream-records.ts';
import conversationEvaluator from '../../../../workers/conversation-evaluator.ts';
import {
  type Evaluations,
  end,
  endedNotice,
  factsOf,
  modelOf,
  openEvaluations,
  reservationsOf,
  ruleOf,
  spentOfDay,
} from '../../../support/evaluations.ts';
import { importNow, textOf } from '../../../support/imports.ts';

const evaluate = (api: TestApi, path: string) =>
  deliverNotices(api.runtime, conversationEvaluator, [endedNotice(api, path)]);
const isWanted = (before: Json | undefined, after: Json) =>
  noticesOf(conversationEvaluator, [changeRecord(before, after)], 'conversations').length > 0;

test('a conversation that ends is scored by the evaluators that are for it, once', async () => {
  const { api, models, createEvaluator, converse } = await openEvaluations();
  const judge = await createEvaluator('judge', modelOf());
  await createEvaluator('short', ruleOf());
  await createEvaluator('web', { ...ruleOf(), appliesTo: { channel: 'web' } });
  await createEvaluator('given', { kind: 'external', output: { type: 'boolean' } });
  const path = await converse();
  await end(api, path);
  await evaluate(api, path);
  const facts = [...(await factsOf(api)).values()];
  expect(facts.map(({ name, jobId, createdBy }) => [name, jobId, createdBy]).sort()).toEqual([
    ['judge', null, judge.setBy],
    ['short', null, judge.setBy],
  ]);
  expect(models.calls).toHaveLength(1);
  expect(await spentOfDay(api)).toBe(facts.find(({ name }) => name === 'judge')?.costMicroUsd);
  expect(await reservationsOf(api)).toEqual([]);
});

test('only the end of a conversation that was not imported, and is no test, is a notice', async () => {
  const { api, project, createEvaluator, converse } = await openEvaluations();
  await createEvaluator('short', ruleOf());
  const stored = async () =>
    (await storedOf(api, 'conversations')).filter(
      ({ id, startedAt }) => `${id}`.startsWith('conv_') && startedAt,
    );
  const path = await converse();
  const [active] = await stored();
  await api.call('POST', `${path}/end`, { body: { reason: 'completed' } });
  const [ended] = await stored();
  if (!active || !ended) throw new Error('it is not stored');
  expect(isWanted(active, ended)).toBe(true);
  expect(isWanted(undefined, active)).toBe(false);
  expect(isWanted(ended, { ...ended, tags: ['a'] })).toBe(false);

  // A file, or a request, has stored it; or it had started long before.
  const avatarId = 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';
  const startedAt = new Date(api.runtime.nowMs() - 60_000).toISOString();
  const messages = [{ role: 'user', text: 'hello', at: startedAt }];
  const line = { externalId: 'file', avatarId, startedAt, messages };
  await importNow(api, project, textOf([line]));
  const body = { conversations: [{ ...line, externalId: 'request' }] };
  const sent = await api.call('POST', `/projects/${project}/conversations/import`, { body });
  expect(sent.status).toBe(200);
  await api.createConversation(
    { externalId: 'old', startedAt: new Date(api.runtime.nowMs() - 2 * hourMs).toISOString() },
    project,
  );
  await api.createConversation({ externalId: 'test', test: true }, project);
  const others = (await stored()).filter(({ externalId }) => externalId);
  expect(others).toHaveLength(4);
  for (const one of others) {
    const after = { ...one, status: 'ended', changedIn: 'call_2' };
    expect([one.externalId, isWanted(one, after)]).toEqual([one.externalId, false]);
    await api.call('POST', `/projects/${project}/conversations/${one.id}/end`, {
      body: { reason: 'completed' },
    });
    await evaluate(api, `/projects/${project}/conversations/${one.id}`);
  }
  expect((await factsOf(api)).size).toBe(0);
});

test('a paused evaluator, an archived one and an archived project score nothing', async () => {
  const { api, path, createEvaluator, converse } = await openEvaluations();
  const [one, other] = [await createEvaluator('one', ruleOf()), await createEvaluator('other', ruleOf())];
  await api.call('PATCH', `${path}/evaluators/${one.id}`, { body: { paused: true } });
  await api.call('PATCH', `${path}/evaluators/${other.id}`, { body: { status: 'archived' } });
  await end(api, await converse());
  await createEvaluator('third', ruleOf());
  const late = await converse();
  await api.call('POST', `${late}/end`, { body: { reason: 'completed' } });
  await api.call('PATCH', path, { body: { status: 'archived' } });
  await evaluate(api, late);
  expect((await factsOf(api)).size).toBe(0);
});

test('a throttled model is asked again some minutes later, and after some times it is left out', async () => {
  const { api, createEvaluator, converse } = await openEvaluations();
  await createEvaluator('judge', modelOf('[[throttle]]'));
  await createEvaluator('short', ruleOf());
  const path = await converse();
  await expect(end(api, path)).rejects.toThrow('out of time');
  expect((await factsOf(api)).size).toBe(1);
  expect(api.faultLines()).toEqual([]);
  const { createWorkerHandler } = await import('../../../../lib/workers/handler.ts');
  const { queueEvent } = await import('../../../../samples/lambda-queue.ts');
  const handler = createWorkerHandler(conversationEvaluator, api.runtime);
  const notice = { ...endedNotice(api, path), pauses: 9 };
  const { batchItemFailures } = await handler(queueEvent([notice]), {});
  expect(batchItemFailures).toEqual([]);
  const [line] = api.faultLines();
  expect(line).toMatchObject({ level: 'warn', message: 'conversation is not evaluated completely' });
  expect(await spentOfDay(api)).toBe(0);
});

/** Another notice of the same end, as a dead letter that is sent again. */
async function evaluateAgain({ api, life }: Pick<Evaluations, 'api' | 'life'>, path: string) {
  await evaluate(api, path).catch(() => {});
  life.callsLeft = Number.POSITIVE_INFINITY;
  // The lease and the place of a killed call end.
  api.advance(5 * minuteMs);
}

/** A model whose process dies after each call, until it is cured. */
async function openDying() {
  const state = { isCured: false };
  const opened: Evaluations = await openEvaluations({
    reply(request) {
      if (!state.isCured) opened.life.callsLeft = 0;
      return replyWithFaults(request);
    },
  });
  await opened.createEvaluator('judge', modelOf());
  const path = await opened.converse();
  await opened.api.call('POST', `${path}/end`, { body: { reason: 'completed' } });
  return { ...opened, path, state };
}

test('a call whose process is killed is paid twice, however often the notice comes', async () => {
  const { path, state, ...opened } = await openDying();
  const { api, models, run } = opened;
  for (let notices = 0; notices < 6; notices += 1) await evaluateAgain(opened, path);
  expect(models.calls).toHaveLength(2);
  expect(await reservationsOf(api)).toEqual([expect.objectContaining({ attempts: 2 })]);
  expect(api.faultLines().map(({ fault }) => (fault as Error).message)).toContain(
    'the models have not answered',
  );
  state.isCured = true;
  await evaluateAgain(opened, path);
  expect(models.calls).toHaveLength(2);
  // A run pays by itself, and nothing of the calls before is left.
  expect(await run({ maxCostUsd: 1 })).toMatchObject({ status: 'succeeded', result: { evaluated: 1 } });
  expect(models.calls).toHaveLength(3);
  expect(await reservationsOf(api)).toEqual([]);
});

test('a call that fails and may have cost something is paid twice, however often the notice comes', async () => {
  const opened = await openEvaluations();
  const { api, models, createEvaluator, converse } = opened;
  await createEvaluator('judge', modelOf('[[fail]]'));
  const path = await converse();
  await api.call('POST', `${path}/end`, { body: { reason: 'completed' } });
  for (let notices = 0; notices < 4; notices += 1) await evaluateAgain(opened, path);
  expect(models.calls).toHaveLength(2);
  expect(await spentOfDay(api)).toBe(
    2 * Number((await reservationsOf(api)).map(({ microUsd }) => microUsd).join()),
  );
});

test('a call that costs nothing is no paid attempt', async () => {
  const opened = await openEvaluations();
  const { api, models, createEvaluator, converse } = opened;
  await createEvaluator('judge', modelOf('[[throttle]]'));
  const path = await converse();
  await api.call('POST', `${path}/end`, { body: { reason: 'completed' } });
  await evaluateAgain(opened, path);
  const { length } = models.calls;
  await evaluateAgain(opened, path);
  expect(models.calls).toHaveLength(2 * length);
  expect(await reservationsOf(api)).toEqual([]);
});

test('a lease that an earlier version has stored ends as before', async () => {
  const { path, state, ...opened } = await openDying();
  const { api } = opened;
  await evaluateAgain(opened, path);
  const [lease] = await reservationsOf(api);
  const { attempts, ...Item } = lease ?? {};
  expect(attempts).toBe(1);
  const { client, tableNames } = api.runtime;
  await client.send(new PutCommand({ TableName: tableNames.conversations, Item }));
  state.isCured = true;
  await evaluateAgain(opened, path);
  expect((await factsOf(api)).size).toBe(1);
  expect(await reservationsOf(api)).toEqual([]);
});

test('without quota or model, a rule still scores', async () => {
  const { api, models, createEvaluator, converse } = await openEvaluations({
    quotas: { modelCostUsd: 0.001 },
  });
  await createEvaluator('judge', modelOf());
  await createEvaluator('short', ruleOf());
  await end(api, await converse());
  expect([...(await factsOf(api)).values()].map(({ name }) => name)).toEqual(['short']);
  expect(models.calls).toEqual([]);
  expect(api.faultLines().map(({ fault }) => (fault as Error).message)).toEqual([
    'the quota modelCostUsd of the day is used up',
  ]);
});

/** More than are asked at once. In the first call, all evaluators change. */
async function changing(body: Json) {
  let changed: Promise<unknown> | undefined;
  const ids: string[] = [];
  const opened: Evaluations = await openEvaluations({
    async reply(request) {
      const patch = (id: string) => opened.api.call('PATCH', `${opened.path}/evaluators/${id}`, { body });
      changed ??= Promise.all(ids.map(patch));
      await changed;
      return replyWithFaults(request);
    },
  });
  for (let n = 0; n < 10; n += 1)
    ids.push(`${(await opened.createEvaluator(`judge_${n}`, modelOf(`Question ${n}?`))).id}`);
  return opened;
}

test.each([{ paused: true }, { status: 'archived' }])(
  'an evaluator that becomes %j is not asked any more',
  async (body) => {
    const { api, models, converse } = await changing(body);
    await end(api, await converse());
    expect(models.calls).toHaveLength(8);
    expect((await factsOf(api)).size).toBe(8);
    expect(api.faultLines()).toEqual([]);
  },
);

test('an evaluator that gets another version is asked in that version, later', {
  tags: ['long'],
}, async () => {
  const { api, models, converse } = await changing({ description: 'Another one.' });
  const path = await converse();
  await expect(end(api, path)).rejects.toThrow('out of time');
  expect(models.calls).toHaveLength(8);
  await evaluate(api, path);
  const versions = [...(await factsOf(api)).values()].map(({ version }) => version);
  expect(versions.filter((version) => version === 1)).toHaveLength(8);
  expect(versions.filter((version) => version === 2)).toHaveLength(10);
});
