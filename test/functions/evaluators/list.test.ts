import { describe, expect, test } from 'vitest';
import type { Json } from '../../../samples/api.ts';
import { responds } from '../../support/responses.ts';
import { openEvaluators, ratingBody } from '../../support/scores.ts';

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
