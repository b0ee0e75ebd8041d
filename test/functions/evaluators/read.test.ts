import { describe, expect, test } from 'vitest';
import type { Json } from '../../../samples/api.ts';
import { refuses, responds } from '../../support/responses.ts';
import { openEvaluators, ratingBody, ruleBody } from '../../support/scores.ts';

describe('evaluators.get', () => {
  responds(200, 'the latest version', async () => {
    const { create, send } = await openEvaluators();
    const { id } = await create();
    const { data } = await send('PATCH', `/evaluators/${id}`, { description: null });
    const response = await send('GET', `/evaluators/${id}`);
    expect(response.data).toEqual(data);
    expect(response.headers.ETag).toBe('"2"');
    return response;
  });

  refuses('not_found', 'an evaluator of another project', async () => {
    const { create, createProject, call } = await openEvaluators();
    const { id } = await create();
    return call('GET', `/projects/${await createProject()}/evaluators/${id}`);
  });
});

describe('evaluators.list', () => {
  responds(200, 'newest first, page by page', async () => {
    const { create, send } = await openEvaluators();
    const [older, newer] = [await create(), await create(ratingBody)];
    const response = await send('GET', '/evaluators?limit=1');
    expect(response.data.items).toEqual([newer]);
    const rest = await send('GET', `/evaluators?limit=1&cursor=${response.data.nextCursor}`);
    expect(rest.data).toEqual({ items: [older], nextCursor: null });
    return response;
  });

  test.each([
    ['name=csat', 'csat'],
    ['kind=rule', 'short'],
    ['status=archived', 'csat'],
    ['kind=rule&status=archived', ''],
  ])('only those with %s', async (query, name) => {
    const { create, send } = await openEvaluators();
    await create();
    const { id } = await create(ratingBody);
    await send('PATCH', `/evaluators/${id}`, { status: 'archived' });
    const { data } = await send('GET', `/evaluators?${query}`);
    expect((data.items as Json[]).map((one) => one.name).join()).toBe(name);
  });
});

describe('evaluators.versions.get', () => {
  responds(200, 'as it was created', async () => {
    const { create, send } = await openEvaluators();
    const { id } = await create();
    await send('PATCH', `/evaluators/${id}`, { rule: { citations: true } });
    const response = await send('GET', `/evaluators/${id}/versions/1`);
    expect(response.data).toMatchObject({ ...ruleBody, version: 1 });
    return response;
  });

  refuses('not_found', 'a version that does not exist', async () => {
    const { create, send } = await openEvaluators();
    return send('GET', `/evaluators/${(await create()).id}/versions/2`);
  });
});

describe('evaluators.versions.list', () => {
  responds(200, 'newest first, page by page, each with who made it', async () => {
    const { create, createKey, send } = await openEvaluators();
    const { id, createdBy } = await create();
    const other = await createKey({ scopes: ['conversations:write'] });
    await send('PATCH', `/evaluators/${id}`, { status: 'archived' }, { key: other.secret });
    const response = await send('GET', `/evaluators/${id}/versions?limit=1`);
    expect(response.data.items).toMatchObject([{ version: 2, status: 'archived', createdBy: other.id }]);
    const rest = await send('GET', `/evaluators/${id}/versions?cursor=${response.data.nextCursor}`);
    expect(rest.data).toMatchObject({
      items: [{ version: 1, status: 'active', createdBy }],
      nextCursor: null,
    });
    return response;
  });

  refuses('not_found', 'an evaluator that nobody has', async () => {
    const { send } = await openEvaluators();
    return send('GET', '/evaluators/eval_01JZ4Y7Q8R5T2V9W3X6B0C1D4E/versions');
  });
});
