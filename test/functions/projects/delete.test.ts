import { describe, expect, test } from 'vitest';
import { dayMs, secondMs } from '../../../lib/time.ts';
import { answers, refuses } from '../../support/answers.ts';
import { openApi } from '../../support/api.ts';

describe('projects.delete', () => {
  answers(200, 'with the deleted project', async () => {
    const { call } = await openApi();
    const { data } = await call('POST', '/projects', { body: { name: 'p', metadata: { a: '1' } } });
    const answer = await call('DELETE', `/projects/${data.id}`);
    const { updatedAt, purgeAt } = answer.data;
    expect(answer.data).toEqual({ ...data, status: 'deleted', updatedAt, purgeAt });
    expect(new Date(`${purgeAt}`).getTime() - new Date(`${updatedAt}`).getTime()).toSatisfy(
      (ms: number) => ms >= 7 * dayMs && ms <= 7 * dayMs + secondMs,
    );
    return answer;
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
    const answers = await Promise.all(Array.from({ length: 10 }, () => call('DELETE', `/projects/${id}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(404)]);
  });
});
