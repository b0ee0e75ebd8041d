import { describe, expect, test } from 'vitest';
import { openApi } from '../../../samples/api.ts';
import projectPurger from '../../../workers/project-purger.ts';
import { expire, goingOn } from '../../support/purges.ts';
import { refuses, responds } from '../../support/responses.ts';
import { deliver } from '../../support/workers.ts';

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
