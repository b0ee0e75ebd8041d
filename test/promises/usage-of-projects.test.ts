/**
 * The figures of a project equal a scan of its items, and the figures of all projects are those of the organisation: also if workers
 * are killed, run twice or late, and after a project is purged.
 */

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dailyQuotas } from '../../lib/base/stage-limits.ts';
import { minuteMs } from '../../lib/base/time.ts';
import { readDayUses } from '../../lib/limits/store/day-uses.ts';
import type { Notice } from '../../lib/workers/notice.ts';
import { type Json, openApi, storedOf, type TestApi } from '../../samples/api.ts';
import projectPurger from '../../workers/project-purger.ts';
import { modelOf, openEvaluations, runOnce } from '../support/evaluations.ts';
import { exportNow, requestExport, runJob } from '../support/exports.ts';
import { expire, namingProject, purgeBegun } from '../support/purges.ts';
import { resumeNow, suspendNow } from '../support/suspensions.ts';
import { countNotices, noticesSince } from '../support/usage.ts';
import { say, storing } from '../support/usage-histories.ts';
import { deliver } from '../support/workers.ts';

type Sums = Readonly<Record<string, number>>;

const none: Sums = {
  documents: 0,
  bytes: 0,
  conversations: 0,
  messages: 0,
  exportedRecords: 0,
  modelCostUsd: 0,
};

/** Dollars have at most six decimals. */
const exact = (value: number): number => Number(value.toFixed(6));

const add = (all: readonly Sums[]): Sums =>
  Object.fromEntries(
    Object.keys(none).map((name) => [name, exact(all.reduce((sum, one) => sum + (one[name] ?? 0), 0))]),
  );

async function usageOf(api: TestApi, project: string): Promise<Json> {
  const { status, data } = await api.call('GET', `/projects/${project}/usage/days`);
  expect(status).toBe(200);
  return data;
}

const totalsOf = async (api: TestApi, project: string) => (await usageOf(api, project)).totals as Sums;

type ByProject = { projectId: string | null; name: string | null; totals: Sums; items: Json[] };

/** @returns what the organisation has used, and all pages of its projects */
async function grouped(
  api: TestApi,
  limit = 3,
): Promise<{ totals: Sums; items: Json[]; projects: ByProject[] }> {
  const all: ByProject[] = [];
  for (let cursor = ''; ; ) {
    const { data } = await api.call('GET', `/usage/days?groupBy=project&limit=${limit}${cursor}`);
    const { items, nextCursor } = data.projects as { items: ByProject[]; nextCursor: string | null };
    all.push(...items);
    if (nextCursor === null)
      return { totals: data.totals as Sums, items: data.items as Json[], projects: all };
    cursor = `&cursor=${nextCursor}`;
  }
}

/** The sums of all projects are those of the organisation, on each day and in all. */
async function expectWhole(api: TestApi): Promise<Awaited<ReturnType<typeof grouped>>> {
  const whole = await grouped(api);
  expect(add(whole.projects.map(({ totals }) => totals))).toEqual(whole.totals);
  const days = Map.groupBy(
    whole.projects.flatMap(({ items }) => items),
    ({ day }) => day,
  );
  expect(whole.items.map(({ day, ...sums }) => [day, sums])).toEqual(
    [...days].sort().map(([day, items]) => [day, add(items as Sums[])]),
  );
  return whole;
}

/** @param notices of all states that items have had: some of the items are gone */
async function scan(api: TestApi, project: string, notices: readonly Notice[]): Promise<Sums> {
  const latest = new Map<string, Sums>();
  for (const { partition, id, detail } of notices) {
    if (partition[0] !== project) continue;
    const { day, ...uses } = readDayUses(`${detail}`);
    const key = `${day} ${id}`;
    const before = latest.get(key) ?? none;
    latest.set(
      key,
      Object.fromEntries(dailyQuotas.map((name) => [name, Math.max(before[name] ?? 0, uses[name])])),
    );
  }
  const ofProject = (await storedOf(api, 'jobs')).filter(({ tenant }) => `${tenant}`.includes(project));
  const records = ofProject.filter(({ status }) => status === 'ready').map((part) => Number(part.records));
  const microUsd = ofProject.map(({ evaluation }) =>
    Number((evaluation as { spentMicroUsd: number } | undefined)?.spentMicroUsd ?? 0),
  );
  return add([
    ...latest.values(),
    ...records.map((exportedRecords) => ({ exportedRecords })),
    ...microUsd.map((used) => ({ modelCostUsd: used / 1e6 })),
  ]);
}

/** Jobs that are killed, and run twice at the same time. They need not end. */
const jobs = {
  async export(api: TestApi, project: string, n: number) {
    const what = n % 3 === 0 ? 'documents' : 'conversations';
    const path = await requestExport(api, project, { what }).catch(() => undefined);
    const job = path?.split('/').at(-1) ?? '';
    return () => (path === undefined ? Promise.resolve() : runJob(api, project, job));
  },
  async evaluate(api: TestApi, project: string, _: number) {
    const body = { maxCostUsd: 0.01 };
    const { data } = await api.call('POST', `/projects/${project}/evaluation-runs`, { body });
    return () => (data.id === undefined ? Promise.resolve() : runOnce(api, project, `${data.id}`));
  },
};

const storingKinds = Object.keys(storing) as (keyof typeof storing)[];
const jobKinds = Object.keys(jobs) as (keyof typeof jobs)[];

const operation = fc.record({
  // A third of the operations are jobs.
  kind: fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom(...storingKinds) },
    { weight: 1, arbitrary: fc.constantFrom(...jobKinds) },
  ),
  project: fc.nat({ max: 2 }),
  n: fc.nat({ max: 5 }),
  /** After how many calls the worker is killed, before or after the last one takes effect. */
  callsLeft: fc.integer({ min: 1, max: 40 }),
  afterwards: fc.boolean(),
  twice: fc.boolean(),
});

const isJob = (kind: string): kind is keyof typeof jobs => kind in jobs;

const sumsEqual = (numRuns: number) => async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(operation, { minLength: 12, maxLength: 30 }),
      fc.infiniteStream(fc.nat()),
      async (list, random) => {
        const { api, life, project: first } = await openEvaluations();
        const projects = [first, await api.createProject(), await api.createProject()];
        for (const project of projects) {
          const body = { name: 'judge', ...modelOf() };
          await api.call('POST', `/projects/${project}/evaluators`, { body });
          await storing.converse(api, project, 9);
        }
        const { changed } = noticesSince(api);
        const all: Notice[] = await changed();
        const shuffled = () => {
          const order = new Map(all.map((notice) => [notice, random.next().value]));
          return all.toSorted((one, other) => (order.get(one) ?? 0) - (order.get(other) ?? 0));
        };
        for (const { kind, project: place, n, callsLeft, afterwards, twice } of list) {
          const project = projects[place] ?? '';
          if (isJob(kind)) {
            const run = await jobs[kind](api, project, n);
            Object.assign(life, { callsLeft, afterwards });
            await Promise.allSettled(twice ? [run(), run()] : [run()]);
            life.callsLeft = Number.POSITIVE_INFINITY;
            // The places of killed runs expire.
            api.advance(5 * minuteMs);
            await run().catch(() => {});
          } else await storing[kind](api, project, n);
          all.push(...(await changed()));
          Object.assign(life, { callsLeft, afterwards });
          await Promise.allSettled([countNotices(api, shuffled().slice(0, 5))]);
          life.callsLeft = Number.POSITIVE_INFINITY;
          await expectWhole(api);
        }
        await countNotices(api, shuffled());
        for (const project of projects)
          expect(await totalsOf(api, project)).toEqual(await scan(api, project, all));
        const { projects: shown } = await expectWhole(api);
        for (const { projectId, totals, items } of shown)
          expect(await usageOf(api, projectId ?? '')).toMatchObject({ totals, items });
      },
    ),
    { numRuns },
  );
};

const areEqual = 'the figures of projects equal a scan of their items, and all of them the organisation';
test(areEqual, { tags: ['long'] }, sumsEqual(2));
test(`${areEqual}: more histories`, { tags: ['nightly'] }, sumsEqual(20));

test('what three projects have stored, exported and asked', async () => {
  const { api, project, createEvaluator, run } = await openEvaluations();
  const { count } = noticesSince(api);
  await createEvaluator('judge', modelOf());
  const conversation = await api.createConversation({}, project);
  await api.call('POST', `${conversation}/messages`, { body: say('a', 'é') });
  const other = await api.createProject();
  const body = { title: 't', content: 'abc' };
  await api.call('POST', `/projects/${other}/knowledge/documents`, { body });
  const unused = await api.createProject();
  await count();
  await exportNow(api, project, { what: 'conversations' });
  await exportNow(api, other, { what: 'documents' });
  const { result } = await run({ maxCostUsd: 1 });
  const { costUsd } = result as { costUsd: number };
  expect(costUsd).toBeGreaterThan(0);
  const own = { documents: 0, bytes: 3, conversations: 1, messages: 2, exportedRecords: 1 };
  expect(await totalsOf(api, project)).toEqual({ ...own, modelCostUsd: costUsd });
  const ofOther = { ...none, documents: 1, bytes: 3, exportedRecords: 1 };
  expect(await totalsOf(api, other)).toEqual(ofOther);
  expect(await totalsOf(api, unused)).toEqual(none);
  const { projects } = await expectWhole(api);
  // The newest first.
  expect(projects.map(({ projectId }) => projectId)).toEqual([other, project]);
  const today = await api.call('GET', `/projects/${project}/usage`);
  expect(today.data).toMatchObject({ projectId: project, ...own, modelCostUsd: costUsd });
});

const killedExport = (step: number) => async () => {
  const { api, life } = await openEvaluations();
  const exportKilled = async (callsLeft: number, afterwards: boolean): Promise<boolean> => {
    const project = await api.createProject();
    for (let n = 0; n < 3; n += 1) await api.createConversation({}, project);
    const path = await requestExport(api, project, { what: 'conversations' });
    const run = () => runJob(api, project, path.split('/').at(-1) ?? '');
    Object.assign(life, { callsLeft, afterwards });
    const [killed] = await Promise.allSettled([run()]);
    life.callsLeft = Number.POSITIVE_INFINITY;
    // The place of the killed run expires.
    api.advance(5 * minuteMs);
    await Promise.allSettled([run(), run()]);
    await run();
    expect(await totalsOf(api, project)).toEqual(await scan(api, project, []));
    expect(await totalsOf(api, project)).toEqual({ ...none, exportedRecords: 3 });
    return killed?.status === 'rejected';
  };
  let kills = 0;
  for (let calls = 1; ; calls += step) {
    const areKilled = [await exportKilled(calls, false), await exportKilled(calls, true)];
    if (!areKilled.includes(true)) break;
    kills += 2;
  }
  expect(kills).toBeGreaterThan(20 / step);
  await expectWhole(api);
};

const countsOnce = 'an export that is killed, and then runs twice at the same time, counts each record once';
test(countsOnce, killedExport(6));
test(`${countsOnce}: killed before and after each call`, { tags: ['long'] }, killedExport(1));

test('requests that are sent twice at the same time count once', async () => {
  const api = await openApi();
  const { changed } = noticesSince(api);
  const project = await api.createProject();
  const path = await api.createConversation({}, project);
  const send = () => api.call('POST', `${path}/messages`, { body: say('abc'), idempotencyKey: 'once' });
  expect((await Promise.all([send(), send()])).map(({ status }) => status)).toEqual([201, 201]);
  const notices = await changed();
  await Promise.all([countNotices(api, notices), countNotices(api, notices)]);
  expect(await totalsOf(api, project)).toEqual({ ...none, bytes: 3, conversations: 1, messages: 1 });
  await expectWhole(api);
});

test('a suspended organisation is counted, and reads it afterwards', async () => {
  const api = await openApi();
  const { count } = noticesSince(api);
  const project = await api.createProject();
  await api.createConversation({}, project);
  await suspendNow(api);
  await count();
  expect((await api.call('GET', `/projects/${project}/usage`)).status).toBe(403);
  await resumeNow(api);
  expect(await totalsOf(api, project)).toEqual({ ...none, conversations: 1 });
});

describe('a project that is', () => {
  /** A project that has stored, exported and asked something, beside another. */
  async function openUsed() {
    const { api, project, createEvaluator, run } = await openEvaluations();
    const { changed } = noticesSince(api);
    await createEvaluator('judge', modelOf());
    const conversation = await api.createConversation({}, project);
    await api.call('POST', `${conversation}/messages`, { body: say('abc') });
    await api.createConversation({}, await api.createProject());
    const notices = await changed();
    await countNotices(api, notices);
    await exportNow(api, project, { what: 'conversations' });
    await run({ maxCostUsd: 1 });
    return { api, project, notices };
  }

  test('deleted gets 404, and stays in the sums, without its name; restored, it is as before', async () => {
    const { api, project } = await openUsed();
    const before = await expectWhole(api);
    await api.call('DELETE', `/projects/${project}`);
    for (const path of ['usage', 'usage/days'])
      expect((await api.call('GET', `/projects/${project}/${path}`)).error.code).toBe('not_found');
    expect(await expectWhole(api)).toEqual({
      ...before,
      projects: before.projects.map((one) => (one.projectId === project ? { ...one, name: null } : one)),
    });
    await api.call('POST', `/projects/${project}/restore`);
    expect(await expectWhole(api)).toEqual(before);
  });

  test('purged keeps its days in the sums, and nothing names it, also if changes are counted afterwards', async () => {
    const { api, project, notices } = await openUsed();
    const before = await expectWhole(api);
    await api.call('DELETE', `/projects/${project}`);
    const expired = await expire(api, project);
    await deliver(api, projectPurger, [expired]);
    await deliver(api, projectPurger, [await purgeBegun(api)]);
    // An operator may purge a project at once, so its last changes may be late.
    const today = new Date(api.runtime.nowMs()).toISOString().slice(0, 10);
    const late = notices.map((one) => ({ ...one, detail: `${one.detail}`.replace(/^\S+/, today) }));
    await countNotices(
      api,
      late.filter(({ partition }) => partition[0] === project),
    );
    const after = await expectWhole(api);
    expect(after.totals).toEqual(before.totals);
    const gone = before.projects.find(({ projectId }) => projectId === project);
    expect(after.projects.at(-1)).toEqual({ ...gone, projectId: null, name: null });
    expect(Object.keys(await namingProject(api, project))).toEqual(['projects']);
  });
});
