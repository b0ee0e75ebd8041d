import { describe, expect, test } from 'vitest';
import { storedOf } from '../../../samples/api.ts';
import { refuses, responds } from '../../support/responses.ts';
import { openEvaluators, ratingBody, ruleBody } from '../../support/scores.ts';

describe('evaluators.create', () => {
  responds(201, 'a rule with its defaults, and its first version', async () => {
    const { send } = await openEvaluators();
    const response = await send('POST', '/evaluators', ruleBody);
    const { data } = response;
    expect(data).toMatchObject({
      ...ruleBody,
      output: { type: 'boolean' },
      model: null,
      appliesTo: {},
      status: 'active',
      paused: false,
      pausedReason: null,
      version: 1,
      setBy: data.createdBy,
      updatedAt: data.createdAt,
    });
    expect(response.headers.ETag).toBe('"1"');
    expect((await send('GET', `/evaluators/${data.id}`)).data).toEqual(data);
    expect((await send('GET', `/evaluators/${data.id}/versions/1`)).data).toMatchObject({
      evaluatorId: data.id,
      rule: ruleBody.rule,
    });
    return response;
  });

  test.each([
    ['a boolean', { type: 'boolean' }],
    ['a number', { type: 'number', min: 1, max: 5 }],
    ['a category', { type: 'category', values: ['good', 'bad'] }],
    ['a text', { type: 'text' }],
    [
      'an object',
      {
        type: 'object',
        schema: { type: 'object', properties: { reason: { type: 'string' } }, required: ['reason'] },
      },
    ],
  ])('an external evaluator of %s', async (_, output) => {
    const { create } = await openEvaluators();
    expect(await create({ name: 'x', kind: 'external', output })).toMatchObject({ output, kind: 'external' });
  });

  refuses('evaluator_name_taken', 'a name of another evaluator', async () => {
    const { create, send } = await openEvaluators();
    await create(ratingBody);
    return send('POST', '/evaluators', { ...ruleBody, name: ratingBody.name });
  });

  refuses('too_many_evaluators', 'the 51st evaluator, also if the others are archived', async () => {
    const { create, send } = await openEvaluators();
    for (let n = 0; n < 50; n += 1) await create({ ...ratingBody, name: `n${n}` });
    return send('POST', '/evaluators', ratingBody);
  });

  test.each([
    ['output', { ...ratingBody, output: undefined }],
    ['output.type', { ...ruleBody, output: { type: 'text' } }],
    ['rule', { ...ratingBody, rule: ruleBody.rule }],
    ['rule', { ...ruleBody, rule: undefined }],
    ['model', { ...ratingBody, kind: 'model' }],
    ['model', { ...ratingBody, model: { modelId: 'm', prompt: 'p' } }],
    ['model.modelId', { ...ratingBody, kind: 'model', model: { modelId: 'unknown', prompt: 'p' } }],
    ['name', { ...ruleBody, name: 'With Space' }],
    ['name', { ...ruleBody, name: '__proto__' }],
    ['output', { ...ratingBody, output: { type: 'number', min: 1e-300, max: 1 } }],
    ['rule', { ...ruleBody, rule: { messages: { lte: 1e300 } } }],
    ['externalUserId', { ...ruleBody, appliesTo: { externalUserId: 'anna' } }],
  ])('400 names %s', async (path, body) => {
    const { api, send } = await openEvaluators();
    const { status, text } = await send('POST', '/evaluators', JSON.parse(JSON.stringify(body)));
    expect(status, text).toBe(400);
    expect(text).toContain(path);
    expect(JSON.stringify(await storedOf(api, 'conversations'))).not.toContain('eval_');
  });

  test('of fifty at the same time with one name, one is created', { tags: ['long'] }, async () => {
    const { send } = await openEvaluators();
    const all = await Promise.all(Array.from({ length: 50 }, () => send('POST', '/evaluators', ruleBody)));
    expect(all.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 49 }, () => 409)]);
    const { data } = await send('GET', '/evaluators');
    expect(data.items).toHaveLength(1);
  });
});
