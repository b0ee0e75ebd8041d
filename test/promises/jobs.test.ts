/** Rules for every type of job: who sees it, who may cancel it, and which jobs cannot be cancelled. */

import { describe, expect, test } from 'vitest';
import { allScopes, holds } from '../../lib/base/scopes.ts';
import { commit } from '../../lib/dynamodb/commit.ts';
import { openSession } from '../../lib/dynamodb/session.ts';
import { bindStore } from '../../lib/dynamodb/store.ts';
import { newJob } from '../../lib/jobs/job.ts';
import { jobs } from '../../lib/jobs/store.ts';
import { type JobType, jobTypeNames, jobTypes, scopeOf } from '../../lib/jobs/types.ts';
import { type Json, openApi, type TestApi } from '../../samples/api.ts';
import { workers } from '../../workers/index.ts';

/** @returns a project with a queued job of each type, without the work that a request for it would make */
async function openJobs() {
  const api = await openApi();
  const projectId = await api.createProject();
  return { api, project: `/projects/${projectId}`, jobs: await putJobs(api, projectId, jobTypeNames) };
}

async function putJobs(api: TestApi, projectId: string, types: readonly JobType[]) {
  const session = openSession(api.runtime.client, api.runtime.tableNames, { jobs: ['PutItem'] });
  const store = bindStore(session, `${api.organisationId}#live`).inProject(projectId);
  const startMs = api.runtime.nowMs();
  const put = async (type: JobType, index: number) => {
    const nowMs = startMs + index;
    const job = newJob(api.runtime.newId('job', nowMs), type, 'key_test', nowMs);
    await commit(session, [jobs.at(store).put(job)], {
      changedBy: 'key_test',
      changedThrough: 'test',
      changedIn: api.runtime.newId('call', nowMs),
      nowMs,
    });
    return job;
  };
  return Promise.all(types.map(put));
}

const itemsOf = (data: Json) => data.items as { id: string; type: string }[];

describe.each(allScopes)('a caller with only %s', (scope) => {
  test('lists exactly the jobs that it can get, and cancels those whose scope it holds', {
    tags: ['long'],
  }, async () => {
    const { api, project, jobs } = await openJobs();
    const { secret: key } = await api.createKey({ scopes: [scope] });
    const list = await api.call('GET', `${project}/jobs`, { key });
    const listed = list.status === 200 ? itemsOf(list.data).map(({ id }) => id) : [];
    const visible = [];
    for (const job of jobs) {
      const { status } = await api.call('GET', `${project}/jobs/${job.id}`, { key });
      expect([job.type, status]).toEqual([job.type, holds([scope], scopeOf(job, 'read')) ? 200 : 403]);
      if (status === 200) visible.push(job.id);
      const cancelled = await api.call('POST', `${project}/jobs/${job.id}/cancel`, { key });
      const mayCancel = holds([scope], scopeOf(job, 'write'));
      const allowed = jobTypes[job.type].cancellable ? 200 : 409;
      expect([job.type, cancelled.status]).toEqual([job.type, mayCancel ? allowed : 403]);
    }
    expect(listed.toSorted()).toEqual(visible.toSorted());
    expect(list.status).toBe(visible.length > 0 ? 200 : 403);
  });
});

test.each(jobTypeNames)('%s: if it removes data, nobody can cancel it', async (type) => {
  const { api, project, jobs } = await openJobs();
  const job = jobs.find((one) => one.type === type);
  const path = `${project}/jobs/${job?.id}`;
  const { status, error } = await api.call('POST', `${path}/cancel`);
  const after = (await api.call('GET', path)).data.status;
  if (jobTypes[type].removesData) {
    expect([status, error.code, after]).toEqual([409, 'job_not_cancellable', 'queued']);
  } else {
    expect([status, after]).toEqual([200, 'cancelled']);
  }
});

test.each(jobTypeNames)('%s is the work of exactly one worker', (type) => {
  const item = newJob('job_01JZ4Y7Q8R5T2V9W3X6B0C1D4E', type, 'key_test', 0);
  const after = { ...item, tenant: 'org#live#proj', changedBy: '', changedThrough: '', changedIn: '' };
  const change = {
    table: 'jobs',
    kind: 'INSERT',
    tenant: 'org#live',
    partition: ['proj'],
    id: item.id,
    before: undefined,
    after,
    atMs: 0,
    changedBy: '',
    changedThrough: '',
    changedIn: '',
    sequence: '1',
  } as const;
  const runs = workers.filter(
    ({ id, sources, wants }) => sources.includes('jobs') && !feeds.has(id) && wants(change),
  );
  expect(runs.map(({ id }) => id)).toHaveLength(1);
});

/** They record every job. */
const feeds = new Set(['audit-writer', 'event-writer', 'deadline-keeper']);

test('a list by type has only jobs of that type', async () => {
  const { api, project } = await openJobs();
  for (const type of jobTypeNames) {
    const { data } = await api.call('GET', `${project}/jobs?type=${type}`);
    expect(itemsOf(data).map((job) => job.type)).toEqual([type]);
  }
  const unknown = await api.call('GET', `${project}/jobs?type=knowledge.bake`);
  expect(unknown.status).toBe(400);
});

test('no cursor names a job that the caller may not see', { tags: ['long'] }, async () => {
  const api = await openApi();
  const projectId = await api.createProject();
  const [oldest] = await putJobs(api, projectId, ['audit.export']);
  // A page reads at most 1000 items.
  const hidden = await putJobs(
    api,
    projectId,
    Array.from({ length: 1100 }, () => 'knowledge.reindex' as const),
  );
  const { secret: key } = await api.createKey({ scopes: ['audit:read'] });
  const found = [];
  const cursors: string[] = [];
  for (let cursor = ''; ; ) {
    const { data } = await api.call('GET', `/projects/${projectId}/jobs?limit=100${cursor}`, { key });
    found.push(...itemsOf(data).map(({ id }) => id));
    if (data.nextCursor === null) break;
    cursors.push(Buffer.from(data.nextCursor as string, 'base64url').toString());
    cursor = `&cursor=${data.nextCursor}`;
  }
  expect(found).toEqual([oldest?.id]);
  expect(cursors.length).toBeGreaterThan(0);
  expect(cursors.filter((text) => hidden.some(({ id }) => text.includes(id)))).toEqual([]);
});
