import { describe, expect, test } from 'vitest';
import { dayMs, secondMs } from '../../../lib/base/time.ts';
import { openApi } from '../../../samples/api.ts';
import { refuses, responds } from '../../support/responses.ts';

describe('projects.delete', () => {
  responds(200, 'with the deleted project', async () => {
    const { call } = await openApi();
    const { data } = await call('POST', '/projects', { body: { name: 'p', metadata: { a: '1' } } });
    const response = await call('DELETE', `/projects/${data.id}`);
    const { updatedAt, purgeAt } = response.data;
    expect(response.data).toEqual({ ...data, status: 'deleted', updatedAt, purgeAt });
    expect(new Date(`${purgeAt}`).getTime() - new Date(`${updatedAt}`).getTime()).toSatisfy(
      (ms: number) => ms >= 7 * dayMs && ms <= 7 * dayMs + secondMs,
    );
    return response;
  });

  refuses('not_found', 'a project that is deleted already', async () => {
    const { call, createProject } = await openApi();
    const id = await createProject();
    await call('DELETE', `/projects/${id}`);
    return call('DELETE', `/projects/${id}`);
  });

  test('of ten at the same time one deletes it', async () => {
    const { call, createProject } = await openApi();
    const id = await createProject();
    const responses = await Promise.all(Array.from({ length: 10 }, () => call('DELETE', `/projects/${id}`)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(404)]);
  });
});
