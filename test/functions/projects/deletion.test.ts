import { describe, expect, test } from 'vitest';
import { dayMs, secondMs } from '../../../lib/base/time.ts';
import { openApi } from '../../../samples/api.ts';
import projectPurger from '../../../workers/project-purger.ts';
import { expire, goingOn } from '../../support/purges.ts';
import { refuses, responds } from '../../support/responses.ts';
import { deliver } from '../../support/workers.ts';

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

async function withProject(body: object = {}) {
  const api = await openApi();
  const { data } = await api.call('POST', '/projects', {
    body: { name: 'p', metadata: { a: '1' }, ...body },
  });
  const path = `/projects/${data.id}`;
  return { ...api, project: data, path };
}

describe('projects.restore', () => {
  responds(200, 'with the project as it was', async () => {
    const { call, project, path } = await withProject();
    await call('DELETE', path);
    const response = await call('POST', `${path}/restore`);
    expect(response.data).toEqual({ ...project, updatedAt: response.data.updatedAt });
    expect((await call('GET', path)).data).toEqual(response.data);
    expect((await call('GET', '/projects')).data.items).toEqual([response.data]);
    return response;
  });

  responds(200, 'with an archived project archived', async () => {
    const { call, path } = await withProject();
    await call('PATCH', path, { body: { status: 'archived' } });
    await call('DELETE', path);
    const response = await call('POST', `${path}/restore`);
    expect(response.data.status).toBe('archived');
    return response;
  });

  responds(200, 'on the last day, also where the body is an empty object', async () => {
    const { call, advance, path } = await withProject();
    await call('DELETE', path);
    advance(7 * dayMs - 2000);
    return call('POST', `${path}/restore`, { body: {} });
  });

  refuses('not_found', 'after seven days, although TTL has not come round', async () => {
    const { call, advance, path } = await withProject();
    await call('DELETE', path);
    advance(7 * dayMs + 1000);
    return call('POST', `${path}/restore`);
  });

  refuses('project_not_deleted', 'a project that is there', async () => {
    const { call, path } = await withProject();
    return call('POST', `${path}/restore`);
  });

  test('can go round and round', async () => {
    const { call, path } = await withProject();
    for (let round = 0; round < 3; round += 1) {
      expect((await call('DELETE', path)).status).toBe(200);
      expect((await call('POST', `${path}/restore`)).status).toBe(200);
    }
  });

  test('a repeated restore is replayed after the world has moved on', async () => {
    const { call, path } = await withProject();
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

async function withDeleted() {
  const api = await openApi();
  const project = await api.createProject();
  const { data } = await api.call('DELETE', `/projects/${project}`);
  return { ...api, api, project, purgeAt: data.purgeAt, path: `/projects/${project}/purge` };
}

describe('projects.purge', () => {
  responds(200, 'scheduled, until the project can no longer be restored', async () => {
    const { call, path, project: projectId, purgeAt } = await withDeleted();
    const response = await call('GET', path);
    expect(response.data).toEqual({
      projectId,
      status: 'scheduled',
      purgeAt,
      startedAt: null,
      finishedAt: null,
      removedItems: 0,
    });
    return response;
  });

  test('running, then succeeded, with the times of both', async () => {
    const { api, call, path, project } = await withDeleted();
    await deliver(api, projectPurger, [await expire(api, project)]);
    const running = await call('GET', path);
    expect(running.data).toMatchObject({
      status: 'running',
      startedAt: expect.any(String),
      finishedAt: null,
    });
    await deliver(api, projectPurger, [await goingOn(api, project)]);
    const { data } = await call('GET', path);
    expect(data).toMatchObject({ status: 'succeeded', startedAt: running.data.startedAt });
    expect(`${data.finishedAt}` >= `${data.startedAt}`).toBe(true);
  });

  test('a key that is bound to the project sees it, one that is bound to another does not', async () => {
    const { api, call, path, project } = await withDeleted();
    const another = await api.createProject();
    const bound = { scopes: ['projects:read'] };
    await call('POST', `/projects/${project}/restore`);
    const own = await api.createKey({ ...bound, projectIds: [project] });
    const other = await api.createKey({ ...bound, projectIds: [another] });
    await call('DELETE', `/projects/${project}`);
    expect((await call('GET', path, { key: own.secret })).status).toBe(200);
    expect((await call('GET', path, { key: other.secret })).error.code).toBe('not_found');
  });

  refuses('not_found', 'a project that is not deleted', async () => {
    const { call, createProject } = await openApi();
    return call('GET', `/projects/${await createProject()}/purge`);
  });

  refuses('not_found', 'a project that was restored', async () => {
    const { call, path, project } = await withDeleted();
    await call('POST', `/projects/${project}/restore`);
    return call('GET', path);
  });
});
