import { describe, expect } from 'vitest';
import { hourMs } from '../../../lib/time.ts';
import { openKnowledge } from '../../support/knowledge.ts';
import { refuses, responds } from '../../support/responses.ts';

describe('jobs.cancel', () => {
  responds(200, 'ends a queued job for good, and again changes nothing', async () => {
    const { call, project, projectId, create, workOff } = await openKnowledge();
    await create();
    const { data: job } = await call('POST', `${project}/knowledge/reindex`);
    const cancelled = await call('POST', `${project}/jobs/${job.id}/cancel`);
    expect(cancelled.data).toMatchObject({ status: 'cancelled', result: null });
    await workOff(projectId, job.id as string);
    expect((await call('GET', `${project}/jobs/${job.id}`)).data).toEqual(cancelled.data);
    expect((await call('GET', `${project}/knowledge/search?q=c`)).error.code).toBe('not_indexed');
    const again = await call('POST', `${project}/jobs/${job.id}/cancel`);
    expect(again.data).toEqual(cancelled.data);
    return again;
  });

  responds(200, 'and makes room for another', async () => {
    const { call, project, reindex } = await openKnowledge();
    const { data: job } = await call('POST', `${project}/knowledge/reindex`);
    const response = await call('POST', `${project}/jobs/${job.id}/cancel`);
    expect((await reindex()).status).toBe('succeeded');
    return response;
  });

  refuses('job_ended', 'a job that has succeeded', async () => {
    const { call, project, reindex } = await openKnowledge();
    return call('POST', `${project}/jobs/${(await reindex()).id}/cancel`);
  });

  refuses('job_ended', 'a job whose deadline has passed', async () => {
    const { call, project, advance } = await openKnowledge();
    const { data: job } = await call('POST', `${project}/knowledge/reindex`);
    advance(hourMs);
    return call('POST', `${project}/jobs/${job.id}/cancel`);
  });

  refuses('job_not_cancellable', 'a job that expunges documents', async () => {
    const { call, path, project, create } = await openKnowledge();
    const { data: job } = await call('DELETE', `${path}/${(await create()).id}?expunge=true`);
    return call('POST', `${project}/jobs/${job.id}/cancel`);
  });

  refuses('not_found', 'a job that nobody has', async () => {
    const { call, project } = await openKnowledge();
    return call('POST', `${project}/jobs/job_01JZ4Y7Q8R5T2V9W3X6B0C1D4E/cancel`);
  });
});
