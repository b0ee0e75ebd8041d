/** Hosts that another job has, and hosts that want a long pause. */

import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { hourMs, minuteMs } from '../../../lib/base/time.ts';
import { storedOf } from '../../../samples/api.ts';
import { dueNotices } from '../../support/schedule.ts';
import { htmlPage } from '../../support/site.ts';
import { finish, openPages } from '../../support/sources.ts';

const home = { '/': htmlPage('Home', 'Welcome.') };
const busy = (seconds: number) => ({ status: 503, headers: { 'retry-after': `${seconds}` } });

test('a job whose host another job has ends its step at once', { tags: ['long'] }, async () => {
  const { site, api, path, project, refresh, work } = await openPages(home);
  await refresh();
  const [lease] = (await storedOf(api, 'limits')).filter(({ tenant }) => `${tenant}`.endsWith('#hosts'));
  const untilMs = api.runtime.nowMs() + 2 * minuteMs;
  const Item = { ...lease, jobId: 'job_other', untilMs };
  await api.runtime.client.send(new PutCommand({ TableName: api.runtime.tableNames.limits, Item }));
  let slept = 0;
  api.runtime.sleep = async () => {
    slept += 1;
  };
  const sent = site.requests.length;
  const { data } = await api.call('POST', `${path}/refresh`, { body: {} });
  await work(data.id);
  expect(slept).toBe(0);
  expect(site.requests).toHaveLength(sent);
  expect((await dueNotices(api)).map(({ id }) => id)).toContain(data.id);
  api.advance(3 * minuteMs);
  expect(await finish(api, project, `${data.id}`)).toMatchObject({ status: 'succeeded' });
});

test.each(['/', '/robots.txt'])(
  'a host that wants a pause of two hours at %s ends the refresh, and gets no request before its end',
  async (path) => {
    const { site, api, refresh, documents } = await openPages(home);
    const before = site.pages.get(path);
    site.pages.set(path, busy(7200));
    const unavailable = { status: 'failed', error: { code: 'host_unavailable' } };
    expect(await refresh()).toMatchObject(unavailable);
    const sent = site.requests.length;
    expect(await refresh()).toMatchObject(unavailable);
    expect(site.requests).toHaveLength(sent);
    if (before === undefined) site.pages.delete(path);
    else site.pages.set(path, before);
    api.advance(2 * hourMs + minuteMs);
    expect(await refresh()).toMatchObject({ status: 'succeeded' });
    expect(Object.keys(await documents())).toEqual(['/']);
  },
);

test('a sitemap can want a pause of two hours, and a host that wants a year is asked again after a day', {
  tags: ['long'],
}, async () => {
  const { site, api, base, project, refresh } = await openPages({
    ...home,
    '/sitemap.xml': busy(365 * 86_400),
  });
  const body = { type: 'sitemap', url: `${site.url}sitemap.xml`, reindex: false };
  const { data: source } = await api.call('POST', `${base}/sources`, { body });
  const { data } = await api.call('POST', `${base}/sources/${source.id}/refresh`, { body: {} });
  const job = await finish(api, project, `${data.id}`);
  expect(job).toMatchObject({ status: 'failed', error: { code: 'host_unavailable' } });
  expect(await refresh()).toMatchObject({ status: 'failed' });
  api.advance(24 * hourMs + minuteMs);
  expect(await refresh()).toMatchObject({ status: 'succeeded' });
});
