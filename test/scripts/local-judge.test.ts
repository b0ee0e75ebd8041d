/** The stand-in for models on this machine, from the question to the score. */

import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readLimits } from '../../lib/base/stage-limits.ts';
import { readAnswer } from '../../lib/evaluations/judge/answer.ts';
import { judgeCall } from '../../lib/evaluations/judge/request.ts';
import type { ChatRequest, ModelClient } from '../../lib/models/models.ts';
import { type Network, resolveName } from '../../lib/network/network.ts';
import { modelClientOf } from '../../lib/runtime/base-runtime.ts';
import type { Output } from '../../lib/scores/output.ts';
import { answerWithFaults, fakeModels } from '../../samples/models.ts';
import { localCredentials } from '../../scripts/local/dynamodb.ts';
import { unknownAnswer } from '../../scripts/local/extract.ts';
import { type Answer, localModel } from '../../scripts/local/judge.ts';
import { type LocalJudge, startJudge } from '../../scripts/local/model-server.ts';
import { extractModel, judgeVariables, ownModels } from '../../scripts/local/models.ts';

const network: Network = { allowLoopback: true, resolveName, elapsedMs: () => performance.now() };

const clientOf = (judge: LocalJudge): ModelClient =>
  modelClientOf({ ...localCredentials, ...judgeVariables(judge) }, Date.now, network);

let local: ModelClient;

beforeAll(async () => {
  const judge = await startJudge();
  local = clientOf(judge);
  return () => judge.close();
});

async function ask(output: Output, { prompt = 'q', roles = ['user', 'avatar'], client = local } = {}) {
  const messages = roles.map((role, index) => ({ seq: index + 1, role, text: 'a "text"]' }));
  const call = judgeCall({ prompt, temperature: null, output }, localModel, messages);
  if (!call) throw new Error('the transcript is too long');
  const reply = await client.converse(call.request);
  return reply.kind === 'answer' ? readAnswer(call, reply) : reply;
}

test('the dev server lists it, and what it costs is limited', () => {
  const variables = judgeVariables({ endpoint: 'http://127.0.0.1:1' });
  expect(modelClientOf(variables, Date.now, network).listed).toEqual([
    extractModel('http://127.0.0.1:1'),
    localModel,
  ]);
  const { live, test } = readLimits(variables);
  expect([live.quotas.modelCostUsd, test.quotas.modelCostUsd]).toEqual([10, 10]);
  // As without models.
  expect(test.rateLimit).toEqual({ requests: 6000, per: '1m' });
});

test.each<[Output, unknown]>([
  [{ type: 'boolean' }, true],
  [{ type: 'number', min: 1, max: 5 }, 1],
  [{ type: 'category', values: ['good', 'bad'] }, 'good'],
  [{ type: 'text' }, 'A text.'],
  [
    {
      type: 'object',
      schema: {
        type: 'object',
        properties: {
          text: { type: 'string', maxLength: 1 },
          choice: { type: 'string', enum: ['a', 'b'] },
          whole: { type: 'integer', minimum: 0.5 },
          below: { type: 'integer', maximum: -0.5 },
          number: { type: 'number', maximum: -1.5 },
          list: { type: 'array', items: { type: 'string' } },
          optional: { type: 'string' },
          inner: { type: 'object', properties: { yes: { type: 'boolean' } }, required: ['yes'] },
        },
        required: ['text', 'choice', 'whole', 'below', 'number', 'list', 'inner'],
      },
    },
    { text: 'A', choice: 'a', whole: 1, below: -1, number: -1.5, list: [], inner: { yes: true } },
  ],
])('it answers %j in the form', async (output, value) => {
  const judgement = await ask(output);
  expect(judgement).toMatchObject({ value, reason: null, evidence: [2], rationale: expect.any(String) });
  expect(await ask(output)).toEqual(judgement);
});

test('it says whether the avatar has the last word, and what that has cost', async () => {
  expect(await ask({ type: 'boolean' }, { roles: ['avatar', 'user'] })).toMatchObject({
    value: false,
    evidence: [2],
  });
  const nothing = await ask({ type: 'boolean' }, { roles: [] });
  expect(nothing).toMatchObject({ value: false, reason: null, evidence: [] });
  if (!('costMicroUsd' in nothing)) throw new Error('there was no answer');
  expect(nothing.inputTokens).toBeGreaterThan(300);
  expect(nothing.costMicroUsd).toBe(nothing.inputTokens + 4 * nothing.outputTokens);
});

test('it has one model, and one operation', async () => {
  const tool = { name: 'score', description: 'a', schema: {} };
  const request = { modelId: localModel.id, system: [], messages: [], maxTokens: 1, tool };
  expect(await local.converse({ ...request, modelId: 'another' })).toMatchObject({ kind: 'unavailable' });
  const odd = [{ role: 'user', content: ['no JSON'] } as const];
  expect(await local.converse({ ...request, messages: odd })).toMatchObject({ kind: 'invalid' });
});

describe('the faults of the models of tests', () => {
  const started = async (answer: Answer) => {
    const judge = await startJudge(answer);
    onTestFinished(() => judge.close());
    return clientOf(judge);
  };
  test.each([
    ['[[refuse]]', { value: null, reason: 'refused' }],
    ['[[filter]]', { value: null, reason: 'refused' }],
    ['[[cut]]', { value: null, reason: 'cut_off' }],
    ['[[invalid]]', { value: null, reason: 'invalid_answer' }],
    ['[[evidence]]', { value: null, reason: 'invalid_evidence' }],
    ['[[throttle]]', { kind: 'retry', reason: 'throttled', mayCost: false }],
    ['[[fail]]', { kind: 'retry', reason: 'failed', mayCost: true }],
    ['[[malformed]]', { kind: 'invalid' }],
    ['[[gone]]', { kind: 'unavailable' }],
  ])('%s is the same with and without a network', async (prompt, outcome) => {
    for (const client of [await started(answerWithFaults), fakeModels()])
      expect(await ask({ type: 'boolean' }, { prompt, client })).toMatchObject(outcome);
  });
});

describe('an answer in text', () => {
  const passages = [
    {
      number: 1,
      title: 'Shop',
      heading: 'Opening hours',
      text: '# Hours\n- We **open** at nine on Sundays. We close at five.',
    },
    {
      number: 2,
      title: 'Returns',
      text: 'You can return everything [really] within\n30 days.\n\n- Deliveries are free.',
    },
  ];
  const asking = (question: string, found: readonly object[] = passages): ChatRequest => ({
    modelId: 'local.extract',
    system: ['You are kind.'],
    messages: [
      { role: 'user', content: ['Hello'] },
      { role: 'assistant', content: ['Hi'] },
      {
        role: 'user',
        content: [
          `There are ${found.length} passages.`,
          JSON.stringify(found),
          JSON.stringify({ from: 'user', text: question }),
        ],
      },
    ],
    maxTokens: 1000,
  });
  async function answer(request: ChatRequest) {
    const texts: string[] = [];
    const end = await local.stream(request, (part) => void texts.push(part), new AbortController().signal);
    return { end, texts, text: texts.join('') };
  }

  test.each([
    ['When do you open on Sunday?', 'We open at nine on Sundays. [1]'],
    ['How can I return something?', 'You can return everything (really) within 30 days. [2]'],
    ['Is the delivery free?', 'Deliveries are free. [2]'],
    ['Do you sell cars?', unknownAnswer],
    ['And you?', unknownAnswer],
    ['{"text":', unknownAnswer],
  ])('%s', async (question, text) => {
    const { texts, ...answered } = await answer(asking(question));
    expect(answered.text).toBe(text);
    expect(answered.end).toMatchObject({ kind: 'answer', stop: 'end', inputTokens: expect.any(Number) });
    expect(texts.length).toBe(text.split(' ').length);
    // The model of evaluators gives the same answer, over the other protocol.
    const other = await answer({ ...asking(question), modelId: localModel.id });
    expect([other.texts, other.end]).toMatchObject([texts, { kind: 'answer', stop: 'end' }]);
  });

  test('without passages, and one that is cut off', async () => {
    expect((await answer(asking('When do you open?', []))).text).toBe(unknownAnswer);
    const { text, end } = await answer({ ...asking('When do you open on Sunday?'), maxTokens: 3 });
    expect([text, end]).toEqual([
      'We open at n',
      expect.objectContaining({ stop: 'length', outputTokens: 3 }),
    ]);
  });

  test('its model may be that of an evaluator', async () => {
    const call = judgeCall(
      { prompt: 'q', temperature: null, output: { type: 'boolean' } },
      extractModel(''),
      [{ seq: 1, role: 'avatar', text: 'a\n"text"]' }],
    );
    if (!call) throw new Error('the transcript is too long');
    const reply = await local.converse(call.request);
    expect(reply.kind === 'answer' && readAnswer(call, reply)).toMatchObject({ value: true, evidence: [1] });
  });
});

test('a developer can add a model', () => {
  const [model] = ownModels({
    PLATFORM_MODEL_URL: 'http://localhost:11434/v1',
    PLATFORM_MODEL: 'llama3.2',
    PLATFORM_MODEL_KEY: 'sk-secret',
  });
  expect(model).toMatchObject({ id: 'llama3.2', inputUsdPerMillionTokens: 0, outputUsdPerMillionTokens: 0 });
  // The key stays in its variable.
  expect(JSON.stringify(model)).not.toContain('sk-secret');
  expect(ownModels({})).toEqual([]);
  for (const wrong of [
    { PLATFORM_MODEL: 'a' },
    { PLATFORM_MODEL_URL: 'http://localhost:1' },
    { PLATFORM_MODEL: 'a', PLATFORM_MODEL_URL: 'a' },
    { PLATFORM_MODEL: 'a', PLATFORM_MODEL_URL: 'http://10.0.0.1/v1' },
  ])
    expect(() => ownModels(wrong)).toThrow('PLATFORM_MODEL');
});
