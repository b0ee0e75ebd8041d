import { describe, expect } from 'vitest';
import { openApi } from '../../../samples/api.ts';
import { refuses, responds } from '../../support/responses.ts';

describe('projects.get', () => {
  responds(200, 'with the project', async () => {
    const { call } = await openApi();
    const created = await call('POST', '/projects', { body: { name: 'Support' } });
    const response = await call('GET', `/projects/${created.data.id}`);
    expect(response.data).toEqual(created.data);
    return response;
  });

  responds(200, 'to a key that is bound to it', async () => {
    const { call, createKey, createProject } = await openApi();
    const id = await createProject();
    const { secret } = await createKey({ projectIds: [id] });
    return call('GET', `/projects/${id}`, { key: secret });
  });

  refuses('not_found', 'an id that nobody has', async () => {
    const { call } = await openApi();
    return call('GET', '/projects/proj_01JZ4Y7Q8R5T2V9W3X6B0C1D4E');
  });

  refuses('not_found', 'a deleted project', async () => {
    const { call, createProject } = await openApi();
    const id = await createProject();
    await call('DELETE', `/projects/${id}`);
    return call('GET', `/projects/${id}`);
  });
});
