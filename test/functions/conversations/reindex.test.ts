import { describe, expect } from 'vitest';
import { dayMs } from '../../../lib/base/time.ts';
import { openApi } from '../../../samples/api.ts';
import { responds } from '../../support/responses.ts';

const open = async () => {
  const api = await openApi();
  const project = `/projects/${await api.createProject()}`;
  return { ...api, project, ask: () => api.call('POST', `${project}/conversations/reindex`) };
};

describe('conversations.reindex', () => {
  responds(202, 'with a queued job, where it is and when to look', async () => {
    const { ask, call, project } = await open();
    const response = await ask();
    const queued = { type: 'conversations.reindex', status: 'queued', result: null, startedAt: null };
    expect(response.data).toMatchObject(queued);
    expect(response.headers.Location).toBe(`/api/v1${project}/jobs/${response.data.id}?waitSeconds=20`);
    expect(response.headers['Retry-After']).toBe('2');
    expect((await call('GET', `${project}/jobs/${response.data.id}`)).data).toEqual(response.data);
    return response;
  });

  responds(200, 'with the job that is queued already', async () => {
    const { ask } = await open();
    const first = await ask();
    const response = await ask();
    expect(response.data).toEqual(first.data);
    expect(response.headers.Location).toBe(first.headers.Location);
    return response;
  });

  responds(202, 'once of twenty at once, and all get the one job', async () => {
    const { ask } = await open();
    const responses = await Promise.all(Array.from({ length: 20 }, ask));
    expect(new Set(responses.map(({ data }) => data.id)).size).toBe(1);
    const accepted = responses.filter(({ status }) => status === 202);
    expect(accepted).toHaveLength(1);
    return accepted[0] ?? (responses[0] as never);
  });

  responds(202, 'again if the previous job was cancelled, or has passed its deadline', async () => {
    const { ask, call, project, advance } = await open();
    const { data: first } = await ask();
    expect((await call('POST', `${project}/jobs/${first.id}/cancel`)).status).toBe(200);
    const { data: second } = await ask();
    expect(second.id).not.toBe(first.id);
    advance(dayMs);
    const response = await ask();
    expect([first.id, second.id]).not.toContain(response.data.id);
    return response;
  });

  responds(202, 'without waiting for a job of the documents', async () => {
    const { ask, call, project } = await open();
    await call('POST', `${project}/knowledge/reindex`);
    return ask();
  });
});
