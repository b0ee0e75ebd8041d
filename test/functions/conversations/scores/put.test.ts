import { describe, expect, test } from 'vitest';
import { type Json, storedOf } from '../../../../samples/api.ts';
import { refuses, responds } from '../../../support/responses.ts';
import { openEvaluators, ratingBody } from '../../../support/scores.ts';

async function open(messages = 2) {
  const opened = await openEvaluators();
  const evaluator = await opened.create(ratingBody);
  const path = await opened.converse({}, messages);
  const put = (body: unknown, name = 'csat') => opened.send('PUT', `${path}/scores/${name}`, body);
  const effective = async () => (await opened.send('GET', path)).data.scores as Json[];
  return { ...opened, evaluator, path, put, effective };
}

describe('conversations.scores.put', () => {
  responds(201, 'a score, which the conversation and the list of scores show', async () => {
    const { send, put, path, evaluator, effective } = await open();
    const response = await put({ value: 4, rationale: 'Thanks.', evidence: [2, 1], source: 'human' });
    const { data } = response;
    expect(data).toMatchObject({
      name: 'csat',
      evaluatorId: evaluator.id,
      version: 1,
      source: 'human',
      value: 4,
      reason: null,
      rationale: 'Thanks.',
      evidence: [2, 1],
      messageCount: 2,
      stale: false,
      effective: true,
      costUsd: null,
      createdBy: evaluator.createdBy,
      jobId: null,
    });
    expect((await send('GET', `${path}/scores`)).data.items).toEqual([data]);
    const shown = { name: 'csat', value: 4, reason: null, source: 'human', version: 1, stale: false };
    expect(await effective()).toEqual([shown]);
    expect((await send('GET', '/conversations')).data.items).toMatchObject([{ scores: [shown] }]);
    return response;
  });

  responds(200, 'another value replaces it, and an equal one writes nothing', async () => {
    const { api, put, effective } = await open();
    const { data } = await put({ value: 4 });
    const before = await storedOf(api, 'conversations');
    const repeated = await put({ value: 4 });
    expect(repeated.status).toBe(200);
    expect(repeated.data).toEqual(data);
    expect(await storedOf(api, 'conversations')).toEqual(before);
    const response = await put({ value: 2, evidence: [1] });
    expect(response.data).toMatchObject({ value: 2, evidence: [1], effective: true });
    expect(await effective()).toMatchObject([{ value: 2 }]);
    return response;
  });

  test('a person is believed before a program, and then the newest version, and then the most messages', async () => {
    const { send, put, path, say, evaluator, effective } = await open();
    const change = (description: string) => send('PATCH', `/evaluators/${evaluator.id}`, { description });
    await put({ value: 1, source: 'human' });
    expect((await put({ value: 2 })).data.effective).toBe(false);
    expect(await effective()).toMatchObject([{ value: 1, stale: false }]);
    await change('second');
    await say(path);
    await put({ value: 3 });
    expect(await effective()).toMatchObject([{ value: 1, stale: true, version: 1 }]);
    await put({ value: 5, source: 'human' });
    expect(await effective()).toMatchObject([{ value: 5, stale: false, version: 2 }]);
    const { data } = await send('GET', `${path}/scores`);
    expect((data.items as Json[]).map((one) => [one.value, one.effective, one.stale])).toEqual([
      [5, true, false],
      [1, false, true],
      [3, false, false],
      [2, false, true],
    ]);
  });

  test.each([
    ['value', { value: 6 }],
    ['value', { value: '4' }],
    ['value', { value: null }],
    ['value', {}],
    ['evidence.1', { value: 4, evidence: [1, 3] }],
    ['evidence.0', { value: 4, evidence: [0] }],
    ['evidence', { value: 4, evidence: [1, 1] }],
    ['evidence', { value: 4, evidence: Array.from({ length: 21 }, (_, n) => n + 1) }],
    ['rationale', { value: 4, rationale: 'x'.repeat(2001) }],
    ['source', { value: 4, source: 'model' }],
  ])('400 names %s', async (name, body) => {
    const { put, effective } = await open();
    const { status, text } = await put(body);
    expect(status, text).toBe(400);
    expect(text).toContain(`"${name}"`);
    expect(await effective()).toEqual([]);
  });

  refuses('not_found', 'a name without an evaluator', async () => {
    const { put } = await open();
    return put({ value: 4 }, 'other');
  });

  test('objects and texts are values that only the list of scores has', async () => {
    const { create, put, send, path, effective } = await open();
    const schema = { type: 'object', properties: { reason: { type: 'string' } }, required: ['reason'] };
    await create({ name: 'why', kind: 'external', output: { type: 'object', schema } });
    await create({ name: 'note', kind: 'external', output: { type: 'text' } });
    expect((await put({ value: { reason: 1 } }, 'why')).status).toBe(400);
    expect((await put({ value: { reason: 'late' } }, 'why')).data.value).toEqual({ reason: 'late' });
    await put({ value: 'polite' }, 'note');
    expect(await effective()).toMatchObject([
      { name: 'note', value: null, reason: null },
      { name: 'why', value: null, reason: null },
    ]);
    const { data } = await send('GET', `${path}/scores`);
    expect((data.items as Json[]).map(({ value }) => value)).toEqual([{ reason: 'late' }, 'polite']);
  });

  test('names of members of objects are names like any other', async () => {
    const { create, put, effective } = await open();
    for (const name of ['constructor', 'has_own', 'tostring']) {
      await create({ name, kind: 'external', output: { type: 'boolean' } });
      expect((await put({ value: true }, name)).data.effective).toBe(true);
    }
    expect((await effective()).map(({ name }) => name)).toEqual(['constructor', 'has_own', 'tostring']);
  });

  test('after the end, of an archived evaluator, and of a number that a table cannot store', async () => {
    const { create, send, path, put } = await open();
    const { id } = await create({
      name: 'tiny',
      kind: 'external',
      output: { type: 'number', min: 0, max: 1 },
    });
    await send('POST', `${path}/end`, { reason: 'completed' });
    await send('PATCH', `/evaluators/${id}`, { status: 'archived' });
    expect((await put({ value: 1e-300 }, 'tiny')).data).toMatchObject({ value: 0, version: 2 });
  });

  test('two at the same time leave one fact of each source, and a summary that agrees with them', async () => {
    const { put, send, path, effective } = await open();
    const values = [1, 2, 3, 4, 5];
    const all = await Promise.all(
      values.flatMap((value) => [put({ value }), put({ value, source: 'human' })]),
    );
    expect(all.every(({ status }) => status === 200 || status === 201)).toBe(true);
    expect(all.filter(({ status }) => status === 201)).toHaveLength(2);
    const { data } = await send('GET', `${path}/scores`);
    const [human, program] = data.items as Json[];
    expect([human, program]).toMatchObject([
      { source: 'human', effective: true },
      { source: 'api', effective: false },
    ]);
    expect(data.items).toHaveLength(2);
    expect(await effective()).toMatchObject([{ value: human?.value, source: 'human' }]);
    const found = await send('GET', `/conversations?score=csat:eq:${human?.value}`);
    expect(found.data.items).toHaveLength(1);
  });

  test('of an erased conversation nothing is written, however close the erasure is', async () => {
    const { api, put, send, path } = await open();
    const [score, erasure] = await Promise.all([put({ value: 4 }), send('DELETE', path)]);
    expect(erasure.status).toBe(200);
    expect([201, 404]).toContain(score.status);
    expect((await put({ value: 4 })).status).toBe(404);
    expect((await send('GET', '/conversations?score=csat:exists')).data.items).toEqual([]);
    const facts = (await storedOf(api, 'conversations')).filter(({ tenant }) =>
      `${tenant}`.includes('#scores#'),
    );
    expect(facts).toHaveLength(score.status === 201 ? 1 : 0);
  });

  test.each([
    ['a\u0000\u001b[31m', 'must not contain control characters other than tabs and line breaks'],
    ['', 'must not be empty'],
    ['  ', 'must not be blank'],
    ['\u200b', 'must not be blank'],
  ])('the text %j is refused: %s', async (value, message) => {
    const { create, put } = await open();
    await create({ name: 'note', kind: 'external', output: { type: 'text' } });
    const response = await put({ value }, 'note');
    expect(response.error).toMatchObject({ details: [{ path: 'value', message }] });
    expect((await put({ value: 'Two\r\n\tlines.' }, 'note')).status).toBe(201);
  });

  test('a text in an object, and a rationale, have no control characters, and may be empty', async () => {
    const { create, put } = await open();
    const schema = { type: 'object', properties: { a: { type: 'string' } } };
    await create({ name: 'facts', kind: 'external', output: { type: 'object', schema } });
    const hidden = 'a\u001b[31m';
    const message = 'must not contain control characters other than tabs and line breaks';
    expect((await put({ value: { a: hidden } }, 'facts')).error).toMatchObject({
      details: [{ path: 'value', message: `a ${message}` }],
    });
    expect((await put({ value: 4, rationale: hidden })).error).toMatchObject({
      details: [{ path: 'rationale', message }],
    });
    expect((await put({ value: { a: '' }, rationale: '' }, 'facts')).status).toBe(201);
  });
});
