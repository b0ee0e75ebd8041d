/** Answers of models that are right, or wrong in every way. */

import { describe, expect, test } from 'vitest';
import { readAnswer, tooLong } from '../../../../lib/evaluations/judge/answer.ts';
import { judgeCall } from '../../../../lib/evaluations/judge/request.ts';
import { converseAnswer } from '../../../../lib/models/converse-form.ts';
import type { Model } from '../../../../lib/models/models.ts';
import type { Output } from '../../../../lib/scores/output.ts';

const model: Model = { id: 'a.b', inputUsdPerMillionTokens: 1, outputUsdPerMillionTokens: 4 };

function callOf(output: Output = { type: 'number', min: 1, max: 5 }, count = 30) {
  const messages = Array.from({ length: count }, (_, index) => ({ seq: index + 1, role: 'user', text: 'a' }));
  const call = judgeCall({ prompt: 'q', temperature: null, output }, model, messages);
  if (!call) throw new Error('the transcript is too long');
  return call;
}

const usage = { inputTokens: 100, outputTokens: 25, totalTokens: 125 };
const used = { inputTokens: 100, outputTokens: 25, costMicroUsd: 200 };
const toolUse = (input: unknown, name = 'score') => ({ toolUse: { toolUseId: 't', name, input } });
const said = (content: unknown, rest: object = {}) => ({
  output: { message: { role: 'assistant', content } },
  stopReason: 'tool_use',
  usage,
  ...rest,
});
const good = { value: 4, rationale: 'Because.', evidence: [2] };
const readOne = (body: unknown, output?: Output) => readAnswer(callOf(output), converseAnswer(body));
const unknown = (reason: string, use: object = used) => ({
  value: null,
  reason,
  rationale: null,
  evidence: [],
  ...use,
});

test('an answer in the form has its value, rationale, evidence, tokens and cost', () => {
  expect(readOne(said([toolUse(good)]))).toEqual({ ...good, reason: null, ...used });
  // Models think aloud beside the tool, and some say that they have ended.
  const body = said([{ text: 'Let me see.' }, toolUse(good)], { stopReason: 'end_turn' });
  expect(readOne(body)).toEqual({ ...good, reason: null, ...used });
});

test.each<[Output, unknown, unknown]>([
  [{ type: 'boolean' }, false, 'false'],
  [{ type: 'number', min: 1, max: 5 }, 1.5, 5.1],
  [{ type: 'category', values: ['a', 'b'] }, 'b', 'c'],
  [{ type: 'text' }, 'Two\n\tlines.', 'a'.repeat(2001)],
  [{ type: 'text' }, 'a', ''],
  [{ type: 'text' }, 'a', ' \n '],
  [{ type: 'text' }, 'a', 'a\u0000\u001b[31m'],
  [
    { type: 'object', schema: { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] } },
    { a: 1 },
    { a: 1.5 },
  ],
])('the output %j accepts %j and not %j', (output, value, wrong) => {
  expect(readOne(said([toolUse({ ...good, value })]), output)).toMatchObject({ value, reason: null });
  expect(readOne(said([toolUse({ ...good, value: wrong })]), output)).toEqual(unknown('invalid_answer'));
});

describe('an unknown value', () => {
  const text = [{ text: 'The answer is 5.' }];
  test.each<[string, string, unknown]>([
    ['refused', 'a guardrail', said(text, { stopReason: 'guardrail_intervened' })],
    ['refused', 'a filter, in spite of an answer', said([toolUse(good)], { stopReason: 'content_filtered' })],
    ['refused', 'a refusal', said([], { stopReason: 'refusal' })],
    ['refused', 'prose', said(text, { stopReason: 'end_turn' })],
    ['refused', 'nothing', said([], { stopReason: 'end_turn' })],
    ['cut_off', 'an answer that may be incomplete', said([toolUse(good)], { stopReason: 'max_tokens' })],
    ['transcript_too_long', 'a full window', said([], { stopReason: 'model_context_window_exceeded' })],
    ['invalid_answer', 'a malformed call', said([toolUse(good)], { stopReason: 'malformed_tool_use' })],
    ['invalid_answer', 'prose that pretends to be a call', said(text)],
    ['invalid_answer', 'an unknown stop reason without an answer', said([], { stopReason: 'new' })],
    ['invalid_answer', 'another tool', said([toolUse(good, 'delete_all')])],
    ['invalid_answer', 'two answers', said([toolUse(good), toolUse({ ...good, value: 1 })])],
    ['invalid_answer', 'a value as text', said([toolUse({ ...good, value: '4' })])],
    ['invalid_answer', 'no value', said([toolUse({ rationale: 'r', evidence: [] })])],
    ['invalid_answer', 'a value of null', said([toolUse({ ...good, value: null })])],
    ['invalid_answer', 'an input that is text', said([toolUse(JSON.stringify(good))])],
    ['invalid_answer', 'no input', said([toolUse(undefined)])],
    ['invalid_answer', 'a list', said([toolUse([good])])],
    ['invalid_answer', 'a rationale that is no text', said([toolUse({ ...good, rationale: ['a'] })])],
    ['invalid_answer', 'a tool use that is no object', said([{ toolUse: 'score' }])],
    ['invalid_answer', 'content that is no list', said('score 4')],
    ['invalid_answer', 'no message', { stopReason: 'tool_use', usage }],
    ['invalid_evidence', 'a message that does not exist', said([toolUse({ ...good, evidence: [31] })])],
    ['invalid_evidence', 'message 0', said([toolUse({ ...good, evidence: [0] })])],
    ['invalid_evidence', 'half a message', said([toolUse({ ...good, evidence: [1.5] })])],
    ['invalid_evidence', 'texts', said([toolUse({ ...good, evidence: ['1'] })])],
    ['invalid_evidence', 'no list', said([toolUse({ ...good, evidence: 1 })])],
    [
      'invalid_evidence',
      'more than 20 messages',
      said([toolUse({ ...good, evidence: Array.from({ length: 21 }, (_, index) => index + 1) })]),
    ],
  ])('%s: %s', (reason, _, body) => {
    expect(readOne(body)).toEqual(unknown(reason));
  });

  test.each([undefined, null, 'text', 5, [], {}])(
    'a response of %j is invalid_answer, and counts as the most that it can cost',
    (body) => {
      const call = callOf();
      expect(readAnswer(call, converseAnswer(body))).toEqual(unknown('invalid_answer', call.most));
    },
  );

  test('a transcript that was not sent costs nothing', () => {
    expect(tooLong).toEqual(
      unknown('transcript_too_long', { inputTokens: 0, outputTokens: 0, costMicroUsd: 0 }),
    );
  });
});

test('evidence is shown once each, in the order of the messages', () => {
  const body = said([toolUse({ ...good, evidence: [7, 2, 7, 30] })]);
  expect(readOne(body)).toMatchObject({ evidence: [2, 7, 30] });
});

test('a missing rationale and missing evidence are none', () => {
  expect(readOne(said([toolUse({ value: 4 })]))).toMatchObject({ value: 4, rationale: null, evidence: [] });
});

test('a long rationale is cut to 2,000 characters, between characters, is well-formed, and has no control characters', () => {
  const rationaleOf = (rationale: string) => readOne(said([toolUse({ ...good, rationale })])).rationale;
  expect(rationaleOf('😀'.repeat(2001))).toBe('😀'.repeat(2000));
  expect(rationaleOf('a'.repeat(3000))).toBe('a'.repeat(2000));
  expect(rationaleOf('a\ud800')).toBe('a\ufffd');
  // As the API accepts it.
  expect(rationaleOf('a\u0000\u001b[31mb\n\tc')).toBe('a  [31mb\n\tc');
});

test.each([
  {},
  { inputTokens: -1, outputTokens: 1 },
  { inputTokens: 1.5, outputTokens: 1 },
  { inputTokens: '100', outputTokens: 1 },
  { inputTokens: 1e30, outputTokens: 1 },
  { inputTokens: 1 },
])('a use of %j counts as the most that the call can cost', (wrong) => {
  const call = callOf();
  expect(readAnswer(call, converseAnswer(said([toolUse(good)], { usage: wrong })))).toEqual({
    ...good,
    reason: null,
    ...call.most,
  });
});
