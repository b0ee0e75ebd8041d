import { describe, expect } from 'vitest';
import { refuses, responds } from '../../../support/responses.ts';
import { openEvaluators } from '../../../support/scores.ts';

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
