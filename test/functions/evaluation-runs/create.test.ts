import { describe, expect, test } from 'vitest';
import { storedOf } from '../../../samples/api.ts';
import { modelOf, openEvaluations, ruleOf } from '../../support/evaluations.ts';
import { refuses, responds } from '../../support/responses.ts';

describe('evaluation-runs.create', () => {
  responds(202, 'with a job and the URL to wait for its end', async () => {
    const { api, path, createEvaluator } = await openEvaluations();
    await createEvaluator('short', ruleOf());
    const response = await api.call('POST', `${path}/evaluation-runs`, { body: {} });
    expect(response.data).toMatchObject({ type: 'conversations.evaluate', status: 'queued', result: null });
    expect(response.headers.Location).toContain(`${path}/jobs/${response.data.id}?waitSeconds=20`);
    return response;
  });

  refuses('quota_exceeded', 'more jobs than the tenant may have', async () => {
    const { api, path, createEvaluator } = await openEvaluations({ quotas: { jobs: 1 } });
    await createEvaluator('short', ruleOf());
    await api.call('POST', `${path}/evaluation-runs`, { body: {} });
    return api.call('POST', `${path}/evaluation-runs`, { body: {} });
  });

  test('the same Idempotency-Key starts one run', async () => {
    const { api, path, createEvaluator } = await openEvaluations();
    await createEvaluator('short', ruleOf());
    const send = () => api.call('POST', `${path}/evaluation-runs`, { body: {}, idempotencyKey: 'run' });
    const [one, other] = [await send(), await send()];
    expect(other.data.id).toBe(one.data.id);
    expect((await storedOf(api, 'jobs')).filter(({ type }) => type)).toHaveLength(1);
  });

  const draft = { kind: 'rule', rule: { messages: { lte: 2 } } };
  test.each([
    ['maxCostUsd', {}],
    ['maxCostUsd', { preview: true }],
    ['maxCostUsd', { evaluators: ['judge'], maxCostUsd: 0 }],
    ['evaluators.1', { evaluators: ['short', 'missing'] }],
    ['evaluators.0', { evaluators: ['given'] }],
    ['evaluators.0', { evaluators: ['archived'] }],
    ['evaluators.0', { evaluators: ['paused'] }],
    ['evaluators', { evaluators: [] }],
    ['evaluators', { preview: true, draft, evaluators: ['short'] }],
    ['preview', { dryRun: true, preview: true }],
    ['draft', { draft }],
    ['draft', { draft, dryRun: true }],
    [
      'draft.output',
      { preview: true, draft: { kind: 'model', model: { modelId: 'local.judge', prompt: 'p' } } },
    ],
    ['draft.rule', { preview: true, draft: { kind: 'rule' } }],
    [
      'draft.model.modelId',
      { preview: true, maxCostUsd: 1, draft: modelOf('p', { model: { modelId: 'no', prompt: 'p' } }) },
    ],
    ['maxCostUsd', { preview: true, draft: modelOf() }],
    ['filter.scores.0', { filter: { scores: ['missing:exists'] } }],
    ['unknown', { unknown: 1 }],
  ])('400 names %s: %j', async (field, body) => {
    const { api, path, createEvaluator } = await openEvaluations();
    await createEvaluator('short', ruleOf());
    await createEvaluator('judge', modelOf());
    await createEvaluator('given', { kind: 'external', output: { type: 'boolean' } });
    for (const [name, change] of [
      ['archived', { status: 'archived' }],
      ['paused', { paused: true }],
    ] as const) {
      const { id } = await createEvaluator(name, ruleOf());
      await api.call('PATCH', `${path}/evaluators/${id}`, { body: { ...change } });
    }
    const { status, text } = await api.call('POST', `${path}/evaluation-runs`, { body: { ...body } });
    expect(status, text).toBe(400);
    expect(text).toContain(field);
    expect((await storedOf(api, 'jobs')).filter(({ type }) => type)).toEqual([]);
  });

  test('400 if no evaluator can run', async () => {
    const { api, path } = await openEvaluations();
    const { status } = await api.call('POST', `${path}/evaluation-runs`, { body: {} });
    expect(status).toBe(400);
  });
});
