import { describe, expect } from 'vitest';
import { hourMs } from '../../../lib/base/time.ts';
import { openKnowledge } from '../../support/knowledge.ts';
import { responds } from '../../support/responses.ts';

describe('knowledge.reindex', () => {
  responds(202, 'with a queued job, where it is and when to look', async () => {
    const { call, project } = await openKnowledge();
    const response = await call('POST', `${project}/knowledge/reindex`);
    expect(response.data).toMatchObject({
      type: 'knowledge.reindex',
      status: 'queued',
      progress: { total: 0, done: 0, failed: 0 },
      result: null,
      error: null,
      startedAt: null,
    });
    expect(response.headers.Location).toBe(`/api/v1${project}/jobs/${response.data.id}?waitSeconds=20`);
    expect(response.headers['Retry-After']).toBe('2');
    return response;
  });

  responds(200, 'with the job that is queued already', async () => {
    const { call, project } = await openKnowledge();
    const first = await call('POST', `${project}/knowledge/reindex`);
    const response = await call('POST', `${project}/knowledge/reindex`);
    expect(response.data).toEqual(first.data);
    expect(response.headers.Location).toBe(first.headers.Location);
    return response;
  });

  responds(202, 'once of fifty at once, and all get the one job', async () => {
    const { call, project } = await openKnowledge();
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => call('POST', `${project}/knowledge/reindex`)),
    );
    expect(new Set(responses.map(({ data }) => data.id)).size).toBe(1);
    const accepted = responses.filter(({ status }) => status === 202);
    expect(accepted).toHaveLength(1);
    return accepted[0] ?? (responses[0] as never);
  });

  responds(202, 'again if the previous job has passed its deadline', async () => {
    const { call, project, advance } = await openKnowledge();
    const { data: first } = await call('POST', `${project}/knowledge/reindex`);
    advance(6 * hourMs);
    const response = await call('POST', `${project}/knowledge/reindex`);
    expect(response.data.id).not.toBe(first.id);
    return response;
  });
});
