import { describe, expect, test } from 'vitest';
import { dayMs } from '../../../lib/base/time.ts';
import { openApi } from '../../../samples/api.ts';
import { refuses, responds } from '../../support/responses.ts';

async function withDeleted(body: object = {}) {
  const api = await openApi();
  const { data } = await api.call('POST', '/projects', {
    body: { name: 'p', metadata: { a: '1' }, ...body },
  });
  const path = `/projects/${data.id}`;
  return { ...api, project: data, path };
}

describe('projects.restore', () => {
  responds(200, 'with the project as it was', async () => {
    const { call, project, path } = await withDeleted();
    await call('DELETE', path);
    const response = await call('POST', `${path}/restore`);
    expect(response.data).toEqual({ ...project, updatedAt: response.data.updatedAt });
    expect((await call('GET', path)).data).toEqual(response.data);
    expect((await call('GET', '/projects')).data.items).toEqual([response.data]);
    return response;
  });

  responds(200, 'with an archived project archived', async () => {
    const { call, path } = await withDeleted();
    await call('PATCH', path, { body: { status: 'archived' } });
    await call('DELETE', path);
    const response = await call('POST', `${path}/restore`);
    expect(response.data.status).toBe('archived');
    return response;
  });

  responds(200, 'on the last day, also where the body is an empty object', async () => {
    const { call, advance, path } = await withDeleted();
    await call('DELETE', path);
    advance(7 * dayMs - 2000);
    return call('POST', `${path}/restore`, { body: {} });
  });

  refuses('not_found', 'after seven days, although TTL has not come round', async () => {
    const { call, advance, path } = await withDeleted();
    await call('DELETE', path);
    advance(7 * dayMs + 1000);
    return call('POST', `${path}/restore`);
  });

  refuses('project_not_deleted', 'a project that is there', async () => {
    const { call, path } = await withDeleted();
    return call('POST', `${path}/restore`);
  });

  test('can go round and round', async () => {
    const { call, path } = await withDeleted();
    for (let round = 0; round < 3; round += 1) {
      expect((await call('DELETE', path)).status).toBe(200);
      expect((await call('POST', `${path}/restore`)).status).toBe(200);
    }
  });

  test('a repeated restore is replayed after the world has moved on', async () => {
    const { call, path } = await withDeleted();
    await call('DELETE', path);
    const request = { idempotencyKey: 'restore' };
    const first = await call('POST', `${path}/restore`, request);
    expect((await call('POST', `${path}/restore`, request)).text).toBe(first.text);
    await call('DELETE', path);
    expect((await call('POST', `${path}/restore`, request)).text).toBe(first.text);
    expect((await call('GET', path)).status).toBe(404);
  });

  refuses('external_id_taken', 'another project has got the externalId', async () => {
    const { call, createProject } = await openApi();
    const id = await createProject({ externalId: 'x' });
    await call('DELETE', `/projects/${id}`);
    await createProject({ externalId: 'x' });
    return call('POST', `/projects/${id}/restore`);
  });
});
