import { describe, expect } from 'vitest';
import { refuses, responds } from '../../support/responses.ts';
import { openEvaluators } from '../../support/scores.ts';

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
