import { describe, expect } from 'vitest';
import { hourMs } from '../../../lib/base/time.ts';
import { openKnowledge } from '../../support/knowledge.ts';
import { refuses, responds } from '../../support/responses.ts';

describe('jobs.get', () => {
  responds(200, 'with when to ask again, until the job has ended', async () => {
    const { call, project, projectId, workOff } = await openKnowledge();
    const { data: job } = await call('POST', `${project}/knowledge/reindex`);
    const queued = await call('GET', `${project}/jobs/${job.id}`);
    expect(queued.data).toEqual(job);
    expect(queued.headers['Retry-After']).toBe('2');
    await workOff(projectId, job.id as string);
    const ended = await call('GET', `${project}/jobs/${job.id}`);
    expect(ended.data).toMatchObject({ status: 'succeeded', result: { changed: true, documents: 0 } });
    expect(ended.headers['Retry-After']).toBeUndefined();
    return ended;
  });

  responds(200, 'with deadline_exceeded, once the deadline has passed', async () => {
    const { call, project, projectId, workOff, advance } = await openKnowledge();
    const { data: job } = await call('POST', `${project}/knowledge/reindex`);
    advance(6 * hourMs);
    const failed = { status: 'failed', error: { code: 'deadline_exceeded' }, finishedAt: job.deadlineAt };
    expect((await call('GET', `${project}/jobs/${job.id}`)).data).toMatchObject(failed);
    await workOff(projectId, job.id as string);
    const response = await call('GET', `${project}/jobs/${job.id}`);
    expect(response.data).toMatchObject(failed);
    return response;
  });

  refuses('not_found', "another project's job", async () => {
    const { call, project, createProject } = await openKnowledge();
    const { data: job } = await call('POST', `${project}/knowledge/reindex`);
    return call('GET', `/projects/${await createProject()}/jobs/${job.id}`);
  });
});
