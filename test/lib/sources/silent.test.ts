/** Hosts that answer nothing: a refresh holds no place while it waits for them. */

import { expect, test } from 'vitest';
import { hourMs, secondMs } from '../../../lib/base/time.ts';
import type { Notice } from '../../../lib/workers/notice.ts';
import { type Json, jobNotice, toLoopback } from '../../../samples/api.ts';
import { deliverNotices } from '../../../samples/lambda-queue.ts';
import sourceRefresher from '../../../workers/source-refresher.ts';
import { dueNotices } from '../../support/schedule.ts';
import { htmlPage, type PageOf } from '../../support/site.ts';
import { openPages } from '../../support/sources.ts';

const hangs: PageOf = () => new Promise<never>(() => {});
const home = (...links: string[]) => htmlPage('Home', 'Welcome.', links);
const pageOf = (name: string) => htmlPage(name, `Page ${name}.`);

type Again = { notice: Notice; seconds: number }[];

async function open(
  pages: Readonly<Record<string, PageOf>>,
  { turnMs = 10 * secondMs, timeoutMs = secondMs } = {},
) {
  const opened = await openPages(pages, {}, (runtime) => {
    const { network } = toLoopback(runtime);
    return { network: { ...network, timeoutMs }, turnMs };
  });
  const { api, project, path, base } = opened;
  const noticeOf = (job: string) => jobNotice(`${api.organisationId}#live`, project, job);
  const jobOf = async (job: string): Promise<Json> =>
    (await api.call('GET', `/projects/${project}/jobs/${job}`)).data;
  /** @returns what comes again */
  const turn = (notice: Notice): Promise<Again> =>
    deliverNotices(api.runtime, sourceRefresher, [notice]).then(
      () => [],
      (error: Error) => {
        if (error.message !== 'out of time') throw error;
        return error.cause as Again;
      },
    );
  const request = async (of = path): Promise<string> =>
    `${(await api.call('POST', `${of}/refresh`, { body: {} })).data.id}`;
  return {
    ...opened,
    noticeOf,
    jobOf,
    turn,
    request,
    otherSource: async () =>
      `${base}/sources/${(await api.call('POST', `${base}/sources`, { body: { type: 'url', url: opened.site.url } })).data.id}`,
    /** Does the turns of a job, each when its time has come. @returns its pauses, and how many requests each turn has sent */
    async finish(job: string, at: (pauses: number) => void = () => {}) {
      const pausesMs: number[] = [];
      const sent: number[] = [];
      for (let notice = noticeOf(job); ; ) {
        const before = opened.site.requests.length;
        const again = await turn(notice);
        sent.push(opened.site.requests.length - before);
        const stored = await jobOf(job);
        if (stored.status !== 'running') return { job: stored, pausesMs, sent };
        const due = (await dueNotices(api)).find(({ id }) => id === job);
        const own = again.find((one) => one.notice.id === job);
        notice = own?.notice ?? due ?? notice;
        const pauseMs = own ? own.seconds * secondMs : (due?.atMs ?? 0) - api.runtime.nowMs();
        expect(pauseMs).toBeGreaterThanOrEqual(0);
        if (pauseMs > 0) pausesMs.push(pauseMs);
        if (pausesMs.length === 30) throw new Error('it waits for ever');
        at(pausesMs.length);
        api.advance(pauseMs);
      }
    },
  };
}

const silence = (site: { pages: Map<string, PageOf> }) => {
  for (const path of ['/', '/robots.txt', '/a', '/b']) site.pages.set(path, hangs);
};

test('a host that answers nothing any more ends the refresh after an hour of pauses that grow', {
  tags: ['long'],
}, async () => {
  const opened = await open({ '/a': hangs, '/b': hangs });
  const { site, request, finish, documents } = opened;
  site.pages.set('/', () => {
    silence(site);
    return home('/a', '/b');
  });
  const { job, pausesMs, sent } = await finish(await request());
  expect(job).toMatchObject({ status: 'failed', error: { code: 'host_unavailable' } });
  const [first = 0] = pausesMs;
  expect(first).toBeGreaterThanOrEqual(30 * secondMs);
  expect(first).toBeLessThanOrEqual(hourMs / 60);
  expect(pausesMs.length).toBeGreaterThanOrEqual(5);
  expect(pausesMs.length).toBeLessThanOrEqual(9);
  expect(pausesMs.reduce((sum, one) => sum + one)).toBeGreaterThan(hourMs);
  expect(pausesMs.at(-1)).toBeGreaterThan(first * 10);
  // robots.txt, the first page, and the first without an answer. Each later turn sends one request.
  expect(sent).toEqual([3, ...pausesMs.map(() => 1)]);
  expect(Object.keys(await documents())).toEqual(['/']);
});

test('a host that answers again after some pauses loses nothing', { tags: ['long'] }, async () => {
  const { site, request, finish } = await open({ '/': home('/a', '/b'), '/a': hangs, '/b': hangs });
  site.pages.set('/robots.txt', () => {
    site.pages.set('/robots.txt', hangs);
    return '';
  });
  const { job, pausesMs } = await finish(await request(), (pauses) => {
    if (pauses < 4) return;
    site.pages.delete('/robots.txt');
    for (const name of ['a', 'b']) site.pages.set(`/${name}`, pageOf(name));
  });
  expect(job).toMatchObject({ status: 'succeeded', result: { created: 3, failedPages: 0 } });
  expect(pausesMs).toHaveLength(4);
});

test('some slow pages of a site that answers have failed', { tags: ['long'] }, async () => {
  const slow = ['/slow1', '/slow2', '/slow3'];
  const { site, request, finish } = await open({
    '/': home(...slow, '/a'),
    '/a': pageOf('a'),
    ...Object.fromEntries(slow.map((path) => [path, hangs])),
  });
  const { job, pausesMs } = await finish(await request());
  expect(job).toMatchObject({ status: 'succeeded', result: { created: 2, failedPages: 3 } });
  for (const path of slow) expect(site.requests.filter((one) => one === path)).toHaveLength(3);
  // The host is not silent, so the pauses do not grow.
  expect(Math.max(...pausesMs)).toBeLessThanOrEqual(hourMs / 60);
});

const busy = { status: 503, headers: { 'retry-after': '600' } };

test.each([
  ['answers nothing', hangs, 30 * secondMs],
  ['wants a pause', busy, 590 * secondMs],
])('a robots.txt that %s is requested again after a pause', { tags: ['long'] }, async (_, page, pauseMs) => {
  const { site, request, finish } = await open({ '/': home(), '/robots.txt': page });
  const { job, pausesMs, sent } = await finish(await request(), () => site.pages.delete('/robots.txt'));
  expect(job).toMatchObject({ status: 'succeeded', result: { created: 1 } });
  expect(sent).toEqual([1, 2]);
  expect(pausesMs).toHaveLength(1);
  expect(pausesMs[0]).toBeGreaterThanOrEqual(pauseMs);
});

test('a robots.txt that is always busy does not keep the refresh until its deadline', {
  tags: ['long'],
}, async () => {
  const { request, finish } = await open({ '/': home(), '/robots.txt': busy });
  const { job, pausesMs } = await finish(await request());
  expect(job).toMatchObject({ status: 'failed', error: { code: 'host_unavailable' } });
  expect(pausesMs.length).toBeLessThan(9);
});

test('a refresh that waits for the host of another one is started when that gives the host back', {
  tags: ['long'],
}, async () => {
  const opened = await open({ '/': home('/a'), '/a': pageOf('a') }, { turnMs: 0, timeoutMs: 15 * secondMs });
  const { api, project, site, request, turn, noticeOf, jobOf, otherSource } = opened;
  const [first, cancelled, second] = [
    await request(),
    await request(await otherSource()),
    await request(await otherSource()),
  ];
  let during: () => Promise<unknown> = async () => {};
  site.pages.set('/', async () => {
    await during();
    return home('/a');
  });
  during = async () => {
    during = async () => {};
    for (const job of [cancelled, second]) while ((await turn(noticeOf(job))).length > 0);
    await api.call('POST', `/projects/${project}/jobs/${cancelled}/cancel`);
  };
  let again: Again = [];
  // The turn ends after its first piece.
  for (let turns = 0; again.length < 2 && turns < 5; turns += 1) again = await turn(noticeOf(first));
  expect(again.map(({ notice, seconds }) => [notice.id, seconds])).toEqual([
    [first, 0],
    [second, 0],
  ]);
  // They take turns without pauses, so nobody asks in between.
  for (let next = again.shift(); next; next = again.shift()) {
    expect(next.seconds).toBe(0);
    again.push(...(await turn(next.notice)));
  }
  for (const job of [first, second]) expect(await jobOf(job)).toMatchObject({ status: 'succeeded' });
});
