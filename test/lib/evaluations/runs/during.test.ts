/** What happens while a run is under way: erasures, changes of its evaluators, ends of its project. */
// @module-tag long

import { expect, test } from 'vitest';
import { type Json, storedOf, type TestApi } from '../../../../samples/api.ts';
import { unlessTurnOver } from '../../../../samples/lambda-queue.ts';
import { replyWithFaults } from '../../../../samples/models.ts';
import conversationEraser from '../../../../workers/conversation-eraser.ts';
import userEraser from '../../../../workers/user-eraser.ts';
import {
  type Evaluations,
  factsOf,
  modelOf,
  openEvaluations,
  reservationsOf,
  ruleOf,
  runOnce,
  spentOfDay,
} from '../../../support/evaluations.ts';
import { handleAll } from '../../../support/suspensions.ts';

/** A run in whose first call something happens. Its steps are as short as possible. */
async function during(act: (opened: Evaluations) => Promise<unknown>) {
  let acted: Promise<unknown> | undefined;
  let elapsedMs = 0;
  const opened: Evaluations = await openEvaluations({
    async reply(request) {
      acted ??= act(opened);
      await acted;
      elapsedMs += 60_000;
      return replyWithFaults(request);
    },
    adjust: { elapsedMs: () => elapsedMs },
  });
  return opened;
}

const evaluatorsOf = async ({ api, path }: Evaluations) =>
  (await api.call('GET', `${path}/evaluators`)).data.items as { id: string; name: string }[];
const patchAll = async (opened: Evaluations, body: object) => {
  for (const { id, name } of await evaluatorsOf(opened))
    if (name === 'judge')
      await opened.api.call('PATCH', `${opened.path}/evaluators/${id}`, { body: { ...body } });
};
const conversationsOf = async ({ api, path }: Evaluations) =>
  (await api.call('GET', `${path}/conversations?order=oldest`)).data.items as { id: string }[];
const erase = (api: TestApi, path: string) =>
  api.call('DELETE', path).then(() => handleAll(api, conversationEraser, 'conversations', () => true));

test('a conversation that is erased while a model is asked about it gets no score', async () => {
  const opened = await during(async ({ api, path }) => {
    const [first] = await conversationsOf(opened);
    await erase(api, `${path}/conversations/${first?.id}`);
  });
  const { api, createEvaluator, converse, run } = opened;
  await createEvaluator('judge', modelOf());
  const erased = await converse();
  await converse();
  const { result, status } = await run({ maxCostUsd: 1 });
  expect(status).toBe('succeeded');
  expect(result).toMatchObject({ conversations: 2, evaluated: 1, failed: 0, calls: 2 });
  const id = erased.split('/').at(-1);
  for (const table of ['conversations', 'jobs', 'conversationStats'] as const) {
    const left = (await storedOf(api, table)).filter((item) => JSON.stringify(item).includes(`${id}`));
    expect(
      left.filter(({ tenant }) => !/#(erased|gone)$/.test(`${tenant}`)).map((item) => item.tenant),
    ).toEqual([]);
  }
  // The lost call was paid.
  expect(await spentOfDay(api)).toBe(Math.round((result as { costUsd: number }).costUsd * 1e6));
  expect(await reservationsOf(api)).toEqual([]);
});

test.each([
  ['archived', { status: 'archived' }],
  ['paused', { paused: true }],
])('an evaluator that is %s is left out from the next step on', async (_, body) => {
  const opened = await during(() => patchAll(opened, body));
  const { api, createEvaluator, converse, run, models } = opened;
  await createEvaluator('judge', modelOf());
  await createEvaluator('short', ruleOf());
  for (let n = 0; n < 12; n += 1) await converse();
  const { result, status } = await run({ maxCostUsd: 1 });
  expect(status).toBe('succeeded');
  expect(models.calls.length).toBeLessThan(12);
  const names = [...(await factsOf(api)).values()].map(({ name }) => name);
  expect(names.filter((name) => name === 'short')).toHaveLength(12);
  expect(names.filter((name) => name === 'judge')).toHaveLength(models.calls.length);
  expect(result).toMatchObject({ conversations: 12, evaluated: names.length });
});

test('a run uses the versions that were current when it was requested', async () => {
  const opened = await during(() =>
    patchAll(opened, { model: { modelId: 'local.judge', prompt: 'Another question?' } }),
  );
  const { api, createEvaluator, converse, run, models } = opened;
  await createEvaluator('judge', modelOf('The first question?'));
  for (let n = 0; n < 12; n += 1) await converse();
  expect((await run({ maxCostUsd: 1 })).result).toMatchObject({ evaluated: 12 });
  expect(models.calls.filter(({ system }) => system.includes('The first question?'))).toHaveLength(12);
  expect([...(await factsOf(api)).values()].map(({ version }) => version)).toEqual(Array(12).fill(1));
  expect((await run({ maxCostUsd: 1 })).result).toMatchObject({ evaluated: 12, unchanged: 0 });
});

test('a cancelled run stores nothing more', async () => {
  const opened = await during(async ({ api, path }) => {
    const { data } = await api.call('GET', `${path}/jobs`);
    const [job] = data.items as { id: string }[];
    await api.call('POST', `${path}/jobs/${job?.id}/cancel`);
  });
  const { api, createEvaluator, converse, run, models } = opened;
  await createEvaluator('judge', modelOf());
  for (let n = 0; n < 12; n += 1) await converse();
  expect(await run({ maxCostUsd: 1 })).toMatchObject({ status: 'cancelled', result: null });
  expect(models.calls.length).toBeLessThanOrEqual(8);
  expect((await factsOf(api)).size).toBe(0);
  // What was reserved for the answers that are lost stays counted.
  expect(await spentOfDay(api)).toBeGreaterThan(0);
  const requests = (await storedOf(api, 'jobs')).filter(({ tenant }) =>
    `${tenant}`.includes('evaluation-requests'),
  );
  expect(requests).toEqual([]);
});

test.each([
  ['archived', { status: 'archived' }, 'project_archived'],
  ['deleted', undefined, 'project_deleted'],
])('a run whose project is %s fails at its next step', async (_, body, code) => {
  const opened = await during(async ({ api, path }) => {
    const { status, text } = await (body ? api.call('PATCH', path, { body }) : api.call('DELETE', path));
    if (status >= 300) throw new Error(text);
  });
  const { api, project, createEvaluator, converse, requestRun, models } = opened;
  await createEvaluator('judge', modelOf());
  for (let n = 0; n < 24; n += 1) await converse();
  const { id } = await requestRun({ maxCostUsd: 1 });
  for (let n = 0; n < 4; n += 1) await runOnce(api, project, `${id}`).catch(unlessTurnOver);
  const job = (await storedOf(api, 'jobs')).find((item) => item.id === id && item.type);
  expect(job).toMatchObject({ status: 'failed', error: { code } });
  expect(models.calls.length).toBeLessThan(24);
});

test('the request is gone when its user is erased', async () => {
  const { api, path, project, createEvaluator, converse, requestRun } = await openEvaluations();
  await createEvaluator('short', ruleOf());
  await converse(['a'], { externalUserId: 'anna' });
  const [run, other] = [
    await requestRun({ filter: { externalUserId: 'anna' } }),
    await requestRun({ dryRun: true, filter: { externalUserId: 'berta' } }),
  ];
  await api.call('POST', `${path}/conversations/erase`, { body: { externalUserId: 'anna' } });
  await handleAll(api, userEraser, 'jobs', ({ id }) => id.startsWith('job_'));
  const left = await storedOf(api, 'jobs');
  expect(left.filter((item) => JSON.stringify(item).includes('anna'))).toEqual([]);
  await runOnce(api, project, `${run.id}`);
  await runOnce(api, project, `${other.id}`);
  const jobs = await storedOf(api, 'jobs');
  expect(jobs.find(({ id, type }) => id === run.id && type)).toMatchObject({ status: 'failed' });
  expect(jobs.find(({ id, type }) => id === other.id && type)).toMatchObject({ status: 'succeeded' });
});

test('a request that comes while its user is being erased is gone when the erasure ends', async () => {
  let request: (() => Promise<Json>) | undefined;
  let requested: Json | undefined;
  const { api, path, createEvaluator, converse, requestRun } = await openEvaluations({
    adjust: {
      // The erasure waits between its parts.
      sleep: async () => {
        const once = request;
        request = undefined;
        if (once) requested = await once();
      },
    },
  });
  await createEvaluator('short', ruleOf());
  await converse(['a'], { externalUserId: 'anna' });
  await api.call('POST', `${path}/conversations/erase`, { body: { externalUserId: 'anna' } });
  request = () => requestRun({ filter: { externalUserId: 'anna' } });
  await handleAll(api, userEraser, 'jobs', ({ id }) => id.startsWith('job_'));
  expect(requested).toMatchObject({ type: 'conversations.evaluate' });
  const left = await storedOf(api, 'jobs');
  expect(left.filter((item) => JSON.stringify(item).includes('anna'))).toEqual([]);
});
