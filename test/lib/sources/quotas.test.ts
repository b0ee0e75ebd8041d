/** The quotas of a tenant bound its refreshes. */

import { expect, test } from 'vitest';
import type { Quotas } from '../../../lib/base/stage-limits.ts';
import { dayMs, minuteMs } from '../../../lib/base/time.ts';
import sourceRefresher from '../../../workers/source-refresher.ts';
import { htmlPage } from '../../support/site.ts';
import { listAll, openPages } from '../../support/sources.ts';
import { handleAll } from '../../support/suspensions.ts';

async function open(quotas: Quotas, body = {}) {
  const pages = {
    '/': htmlPage('Home', 'Welcome.', ['/a', '/b', '/c']),
    ...Object.fromEntries(['/a', '/b', '/c'].map((path) => [path, htmlPage(path, `The text of ${path}.`)])),
  };
  const opened = await openPages(pages, body, (runtime) => ({
    limits: { ...runtime.limits, live: { rateLimit: null, quotas } },
  }));
  const { api, base, id, project } = opened;
  return {
    ...opened,
    source: async () => (await api.call('GET', `${base}/sources/${id}`)).data,
    used: async () => (await api.call('GET', '/usage')).data.quotas,
    refreshes: async () =>
      (await listAll(api, `/projects/${project}/jobs`)).filter(({ type }) => type === 'knowledge.refresh'),
    runTimer: () => handleAll(api, sourceRefresher, 'knowledge', (one) => one.id === id),
  };
}

test('a crawl beyond the quota stops with quota_exceeded, keeps what it has, and goes on the next day', {
  tags: ['long'],
}, async () => {
  const { api, refresh, documents, source, used } = await open({ documents: 2 });
  expect(await refresh()).toMatchObject({ status: 'failed', error: { code: 'quota_exceeded' } });
  const stored = await documents();
  expect(Object.keys(stored)).toHaveLength(2);
  expect(await used()).toMatchObject({ documents: { limit: 2, used: 2 } });
  expect((await source()).lastRefresh).toMatchObject({ status: 'failed', created: 2, removed: 0 });
  // Pages that have not changed count nothing, and the rest is not stored twice.
  expect(await refresh()).toMatchObject({ status: 'failed', error: { code: 'quota_exceeded' } });
  expect(await documents()).toEqual(stored);
  api.advance(dayMs);
  expect(await refresh()).toMatchObject({ status: 'succeeded', result: { created: 2, unchanged: 2 } });
  expect(await documents()).toMatchObject(stored);
  expect(await used()).toMatchObject({ documents: { used: 2 } });
});

test('a refresh by timer counts in the quota of jobs: without a place, it starts when one is free', async () => {
  const { api, path, project, runTimer, refreshes, source } = await open({ jobs: 1 }, { refresh: '1h' });
  const { data: other } = await api.call('POST', `/projects/${project}/knowledge/reindex`);
  api.advance(minuteMs);
  await runTimer();
  expect(await refreshes()).toEqual([]);
  const nextInMinutes = async () => {
    const next = Date.parse(`${(await source()).nextRefreshAt}`);
    return Math.round((next - api.runtime.nowMs()) / minuteMs);
  };
  expect(await nextInMinutes()).toBe(10);
  await api.call('POST', `/projects/${project}/jobs/${other.id}/cancel`);
  api.advance(10 * minuteMs);
  await runTimer();
  expect(await refreshes()).toMatchObject([{ status: 'queued' }]);
  // Now it has the place itself.
  expect((await api.call('POST', `/projects/${project}/knowledge/reindex`)).error.code).toBe(
    'quota_exceeded',
  );
  expect(await nextInMinutes()).toBe(60);
  expect((await api.call('POST', `${path}/refresh`, { body: {} })).status).toBe(200);
});
