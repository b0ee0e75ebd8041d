import { describe, expect } from 'vitest';
import { defaultLimits } from '../../../../lib/base/stage-limits.ts';
import { openKnowledge } from '../../../support/knowledge.ts';
import { refuses, responds } from '../../../support/responses.ts';

async function open(jobs?: number) {
  const quotas = jobs === undefined ? {} : { jobs };
  const api = await openKnowledge(() => ({
    limits: { ...defaultLimits, live: { rateLimit: null, quotas } },
  }));
  const body = { type: 'url', url: 'https://acme.example/' };
  const { data } = await api.call('POST', `${api.project}/knowledge/sources`, { body });
  const path = `${api.project}/knowledge/sources/${data.id}`;
  const refresh = (body = {}) => api.call('POST', `${path}/refresh`, { body });
  return { ...api, path, refresh };
}

describe('knowledge.sources.refresh', () => {
  responds(202, 'with a job, which the source names', async () => {
    const { call, path, refresh } = await open();
    const response = await refresh();
    expect(response.data).toMatchObject({ type: 'knowledge.refresh', status: 'queued' });
    expect((await call('GET', path)).data.jobId).toBe(response.data.id);
    return response;
  });

  responds(200, 'with the job that has not ended, also for twenty requests at the same time', async () => {
    const { refresh } = await open();
    const responses = await Promise.all(Array.from({ length: 20 }, () => refresh()));
    expect(new Set(responses.map(({ data }) => data.id)).size).toBe(1);
    expect(responses.filter(({ status }) => status === 202)).toHaveLength(1);
    return refresh();
  });

  refuses('source_paused', 'a paused source', async () => {
    const { call, path, refresh } = await open();
    await call('PATCH', path, { body: { paused: true } });
    return refresh();
  });

  refuses('refresh_running', 'a confirmation while a refresh without it runs', async () => {
    const { refresh } = await open();
    await refresh();
    return refresh({ confirm: true });
  });

  refuses(
    'refresh_running',
    'a request to read all pages again while a refresh without it runs',
    async () => {
      const { refresh } = await open();
      await refresh({ confirm: true });
      return refresh({ reread: true });
    },
  );

  responds(
    200,
    'with the job that reads all pages again, to twenty such requests and one without',
    async () => {
      const { refresh } = await open();
      const responses = await Promise.all(Array.from({ length: 20 }, () => refresh({ reread: true })));
      expect(responses.filter(({ status }) => status === 202)).toHaveLength(1);
      const joined = await refresh();
      expect(new Set([...responses, joined].map(({ data }) => data.id)).size).toBe(1);
      return joined;
    },
  );

  responds(200, 'with a job that is confirmed, to another confirmation', async () => {
    const { refresh } = await open();
    const [first, second] = [await refresh({ confirm: true }), await refresh({ confirm: true })];
    expect(second.data.id).toBe(first.data.id);
    return second;
  });

  refuses('quota_exceeded', 'all places of jobs are taken', async () => {
    const { call, project, refresh } = await open(1);
    await call('POST', `${project}/knowledge/reindex`);
    return refresh();
  });
});
