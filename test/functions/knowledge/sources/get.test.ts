import { describe, expect, test } from 'vitest';
import { openKnowledge } from '../../../support/knowledge.ts';
import { responds } from '../../../support/responses.ts';

const body = { type: 'url', url: 'https://acme.example/' };

describe('knowledge.sources.get', () => {
  responds(200, 'as it was created', async () => {
    const { call, project } = await openKnowledge();
    const { data } = await call('POST', `${project}/knowledge/sources`, { body });
    const response = await call('GET', `${project}/knowledge/sources/${data.id}`);
    expect(response.data).toEqual(data);
    return response;
  });

  test('a source of another tenant does not exist', async () => {
    const { call, project, another } = await openKnowledge();
    const { data } = await call('POST', `${project}/knowledge/sources`, { body });
    const other = await another();
    const { status } = await other.call(
      'GET',
      `/projects/${await other.createProject()}/knowledge/sources/${data.id}`,
    );
    expect(status).toBe(404);
  });
});
