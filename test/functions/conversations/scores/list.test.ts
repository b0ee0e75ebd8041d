import { describe, expect } from 'vitest';
import { refuses, responds } from '../../../support/responses.ts';
import { openEvaluators, ratingBody, ruleBody } from '../../../support/scores.ts';

describe('conversations.scores.list', () => {
  responds(200, 'page by page, of each name the effective one first', async () => {
    const { create, converse, send } = await openEvaluators();
    for (const body of [ratingBody, ruleBody]) await create(body);
    const path = await converse();
    await send('PUT', `${path}/scores/csat`, { value: 5, source: 'human' });
    await send('PUT', `${path}/scores/csat`, { value: 1 });
    await send('PUT', `${path}/scores/short`, { value: true });
    const response = await send('GET', `${path}/scores?limit=2`);
    expect(response.data.items).toMatchObject([
      { name: 'short', value: true, effective: true },
      { name: 'csat', value: 5, effective: true },
    ]);
    const rest = await send('GET', `${path}/scores?limit=2&cursor=${response.data.nextCursor}`);
    expect(rest.data).toMatchObject({
      items: [{ name: 'csat', value: 1, effective: false }],
      nextCursor: null,
    });
    return response;
  });

  refuses('not_found', 'an erased conversation', async () => {
    const { create, converse, send } = await openEvaluators();
    await create(ratingBody);
    const path = await converse();
    await send('PUT', `${path}/scores/csat`, { value: 5 });
    await send('DELETE', path);
    return send('GET', `${path}/scores`);
  });
});
