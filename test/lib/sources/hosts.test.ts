/** Jobs take turns at a host, and a host can want a long pause. */

import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { hourMs, minuteMs, secondMs } from '../../../lib/base/time.ts';
import { commit } from '../../../lib/dynamodb/commit.ts';
import { openSession } from '../../../lib/dynamodb/session.ts';
import { bindStore } from '../../../lib/dynamodb/store.ts';
import type { Write } from '../../../lib/dynamodb/write.ts';
import { leaseMs, returnLease, takeLease } from '../../../lib/sources/store/hosts.ts';
import { openApi, storedOf } from '../../../samples/api.ts';
import { dueNotices } from '../../support/schedule.ts';
import { htmlPage } from '../../support/site.ts';
import { finish, openPages } from '../../support/sources.ts';

const host = 'acme.example';

async function open() {
  const api = await openApi();
  const { client, tableNames } = api.runtime;
  const actions = ['GetItem', 'PutItem', 'UpdateItem'] as const;
  const session = openSession(client, tableNames, { limits: actions });
  const store = bindStore(session, `${api.organisationId}#live`);
  const author = { changedBy: 'test', changedThrough: 'test', changedIn: 'test' };
  let calls = 0;
  const write = async (writes: readonly Write[], nowMs: number) => {
    if (writes.length === 0) return;
    calls += 1;
    const refusal = await commit(session, writes, { ...author, changedIn: `test ${calls}`, nowMs });
    if (refusal) throw new Error('refused');
  };
  return {
    api,
    /** @returns whether the job has the host now */
    async ask(jobId: string, nowMs: number): Promise<boolean> {
      const lease = await takeLease(store, host, { id: jobId, projectId: 'proj_1' }, nowMs);
      await write('writes' in lease ? lease.writes : lease.waits ? [lease.waits] : [], nowMs);
      return 'writes' in lease;
    },
    /** @returns the job that is started */
    async endTurn(jobId: string, nowMs: number, { pausedUntilMs = 0, ended = [''] } = {}) {
      const left = { pausedUntilMs, silentMs: 0 };
      const isOpen = async ({ id }: { id: string }) => !ended.includes(id);
      const { writes, next } = await returnLease(store, host, jobId, left, nowMs, isOpen);
      await write(writes, nowMs);
      return next?.id;
    },
  };
}

test('a job that waits gets the host when the turn of the other job ends, and then they take turns', async () => {
  const { ask, endTurn } = await open();
  expect(await ask('a', 0)).toBe(true);
  expect(await ask('b', 1)).toBe(false);
  expect(await ask('c', 2)).toBe(false);
  // Within its turn, it keeps the host.
  expect(await ask('a', minuteMs)).toBe(true);
  expect(await endTurn('a', minuteMs + 1)).toBe('b');
  // Its next turn is faster than those that wait.
  expect(await ask('a', minuteMs + 2)).toBe(false);
  expect(await ask('c', minuteMs + 3)).toBe(false);
  expect(await ask('b', minuteMs + 4)).toBe(true);
  expect(await endTurn('b', 2 * minuteMs)).toBe('c');
  const order = [];
  for (const jobId of ['b', 'a', 'c']) if (await ask(jobId, 2 * minuteMs + 1)) order.push(jobId);
  expect(order).toEqual(['c']);
});

test('a job that has ended while it waited blocks nobody for long', async () => {
  const { ask, endTurn } = await open();
  expect(await ask('a', 0)).toBe(true);
  for (const waiting of ['b', 'c', 'd']) expect(await ask(waiting, 1)).toBe(false);
  expect(await endTurn('a', secondMs, { ended: ['b'] })).toBe('c');
  // It ends after it was started.
  expect(await ask('d', 2 * secondMs)).toBe(false);
  expect(await ask('d', 2 * minuteMs)).toBe(true);
});

test('the lease of a killed job goes to the first that waits, and the list of those is bounded', async () => {
  const { api, ask } = await open();
  expect(await ask('a', 0)).toBe(true);
  for (let number = 0; number < 30; number += 1) expect(await ask(`b${number}`, number)).toBe(false);
  const [lease] = (await storedOf(api, 'limits')).filter(({ tenant }) => `${tenant}`.endsWith('#hosts'));
  expect(lease?.waiting).toHaveLength(20);
  expect(await ask('b7', leaseMs)).toBe(false);
  expect(await ask('a', leaseMs)).toBe(false);
  expect(await ask('b0', leaseMs)).toBe(true);
});

test('a pause that the host wants comes before the turns', async () => {
  const { ask, endTurn } = await open();
  expect(await ask('a', 0)).toBe(true);
  expect(await ask('b', 1)).toBe(false);
  await endTurn('a', 2, { pausedUntilMs: minuteMs });
  expect(await ask('b', 3)).toBe(false);
  expect(await ask('a', minuteMs)).toBe(false);
  expect(await ask('b', minuteMs)).toBe(true);
});

const home = { '/': htmlPage('Home', 'Welcome.') };
const busy = (seconds: number) => ({ status: 503, headers: { 'retry-after': `${seconds}` } });

test('a job whose host another job has ends its turn at once', { tags: ['long'] }, async () => {
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
