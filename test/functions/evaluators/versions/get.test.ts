import { describe, expect } from 'vitest';
import { refuses, responds } from '../../../support/responses.ts';
import { openEvaluators, ruleBody } from '../../../support/scores.ts';

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
