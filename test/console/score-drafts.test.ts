/** What the forms of scores and evaluators send. */

import { expect, test } from 'vitest';
import {
  exportFiltersOf,
  filtersOf,
  listFiltersOf,
  searchFiltersOf,
} from '../../console/src/pages/conversations/filters.ts';
import { readValue, seqsIn } from '../../console/src/pages/conversations/score-value.ts';
import {
  createBody,
  detailsOfDraft,
  draftOf,
  emptyDraft,
  previewBody,
  updateBody,
} from '../../console/src/pages/evaluators/draft.ts';
import { sampleOf } from '../../console/src/request/samples.ts';

test('filters by scores are sent to the list and the search as `score`, to an export as `scores`', () => {
  const filters = filtersOf(new URLSearchParams('tag=a&score=csat:gte:3&score3=mood:eq:a:b&order=trouble'));
  const score = ['csat:gte:3', 'mood:eq:a:b'];
  expect(listFiltersOf(filters)).toEqual({ tag: 'a', score });
  expect(searchFiltersOf(filters)).toEqual({ tag: 'a', score });
  expect(exportFiltersOf(filters)).toEqual({ tag: 'a', scores: score });
  expect(exportFiltersOf({ tag: 'a' })).toEqual({ tag: 'a' });
});

test('repeated parameters are a list in code', () => {
  const call = {
    method: 'GET',
    path: '/projects/proj_1/conversations',
    query: [
      ['score', 'a:exists'],
      ['score', 'b:lt:2'],
    ] as const,
    body: undefined,
  };
  expect(sampleOf(call, 'TypeScript')).toContain('.conversations.list({"score":["a:exists","b:lt:2"]})');
  expect(sampleOf(call, 'Python')).toContain('.conversations.list(score=["a:exists", "b:lt:2"])');
  expect(sampleOf({ ...call, query: [['score', 'a:exists']] }, 'TypeScript')).toContain(
    '{"score":["a:exists"]}',
  );
});

test.each([
  ['boolean', 'true', { value: true }],
  ['boolean', '', { problem: 'must be chosen' }],
  ['number', '4.5', { value: 4.5 }],
  ['number', 'four', { problem: 'must be a number' }],
  ['text', '4', { value: '4' }],
  ['category', 'true', { value: 'true' }],
  ['object', '{"a": [1]}', { value: { a: [1] } }],
  ['object', '{', { problem: expect.stringContaining('is no JSON') }],
] as const)('a value of the type %s is read from %j', (type, text, read) => {
  expect(readValue({ type }, text)).toEqual(read);
});

test.each([
  ['', []],
  [' 2, 5;7 #9\n2 ', [2, 5, 7, 9]],
  ['two', undefined],
  ['1.5', undefined],
  ['0', undefined],
] as const)('the messages in %j', (text, seqs) => {
  expect(seqsIn(text)).toEqual(seqs);
});

const evaluator = {
  id: 'eval_1',
  name: 'tone',
  kind: 'model' as const,
  output: { type: 'category' as const, values: ['calm', 'angry'] },
  description: null,
  rule: null,
  model: { modelId: 'local.judge', prompt: 'How?', temperature: null },
  appliesTo: { tag: 'refund' },
  status: 'active' as const,
  paused: false,
  pausedReason: null,
  version: 4,
  createdAt: '2026-03-01T09:30:00.000Z',
  updatedAt: '2026-03-01T09:30:00.000Z',
  createdBy: 'key_1',
  setBy: 'key_1',
};

test('only what changes is sent', () => {
  const draft = draftOf(evaluator);
  expect(updateBody(evaluator, draft)).toEqual({ body: {} });
  expect(updateBody(evaluator, { ...draft, temperature: '0.2', description: ' Why. ' })).toEqual({
    body: { description: 'Why.', model: { modelId: 'local.judge', prompt: 'How?', temperature: 0.2 } },
  });
  expect(updateBody(evaluator, { ...draft, tag: '' })).toEqual({ body: { appliesTo: {} } });
});

test('a preview has the draft, and the conversations that it applies to', () => {
  expect(previewBody(draftOf(evaluator))).toEqual({
    body: {
      draft: { kind: 'model', output: evaluator.output, model: evaluator.model },
      filter: { tag: 'refund' },
    },
  });
  expect(
    detailsOfDraft([
      { path: 'draft.rule.all.0', message: 'a' },
      { path: 'filter.tag', message: 'b' },
      { path: 'model.modelId', message: 'c' },
    ]).map(({ path }) => path),
  ).toEqual(['rule.all.0', 'appliesTo.tag', 'model.modelId']);
});

test('what is no JSON or no number has a message at its field', () => {
  const draft = { ...emptyDraft, kind: 'external' as const, name: ' a ' };
  expect(createBody({ ...draft, type: 'number', min: '', max: '5' })).toEqual({
    problems: [{ path: 'output.min', message: 'must be a number' }],
  });
  expect(createBody({ ...draft, type: 'object', schema: '{' })).toMatchObject({
    problems: [{ path: 'output.schema' }],
  });
  expect(createBody({ ...draft, type: 'category', values: 'x\n\n y ' })).toEqual({
    body: {
      name: 'a',
      kind: 'external',
      description: null,
      output: { type: 'category', values: ['x', 'y'] },
      appliesTo: {},
    },
  });
});
