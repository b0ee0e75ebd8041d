/**
 * A job of a suspended organisation waits, without using up its time, and goes on when the organisation is resumed. One that
 * removes data does not wait.
 */

import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, describe, expect, test } from 'vitest';
import { hourMs, minuteMs } from '../../lib/base/time.ts';
import { silentMs } from '../../lib/jobs/busy.ts';
import { type JobType, jobTypeNames, jobTypes } from '../../lib/jobs/types.ts';
import eventWriter from '../../workers/event-writer.ts';
import { workers } from '../../workers/index.ts';
import organisationResumer from '../../workers/organisation-resumer.ts';
import { type Json, openApi, storedOf, type TestApi, toLoopback } from '../support/api.ts';
import { intercept } from '../support/faults.ts';
import { requestImport, textOf } from '../support/imports.ts';
import { deliverNotices } from '../support/lambda-queue.ts';
import { ruleBody } from '../support/samples.ts';
import { dueNotices, runDue } from '../support/schedule.ts';
import { htmlPage, openSite } from '../support/site.ts';
import { handleAll, resumeAndGoOn, resumeNow, suspendNow, waitingOf } from '../support/suspensions.ts';
import { openMortal } from '../support/workers.ts';

const line = {
  externalId: 'imported',
  avatarId: 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E',
  startedAt: '2026-03-01T09:30:00Z',
  messages: [{ role: 'user', text: 'hello', at: '2026-03-01T09:31:00Z', clientMessageId: 'm' }],
};

/** @returns the id of the job that the request starts */
const started = async (api: TestApi, method: string, path: string, body?: Json): Promise<string> => {
  const { status, text, data } = await api.call(method, path, body && { body });
  if (status !== 202) throw new Error(text);
  return `${data.id}`;
};
const exported = (what: string) => (api: TestApi, project: string) =>
  started(api, 'POST', `/projects/${project}/exports`, { what });

const site = await openSite(new Map([['/', htmlPage('Home', 'Welcome.')]]));
afterAll(() => site.close());

/** @returns its path */
async function createSource(api: TestApi, project: string): Promise<string> {
  const path = `/projects/${project}/knowledge/sources`;
  const { data } = await api.call('POST', path, { body: { type: 'url', url: site.url } });
  return `${path}/${data.id}`;
}

/** Starts a job of each type. @returns its id */
const requests: Readonly<Record<JobType, (api: TestApi, project: string) => Promise<string>>> = {
  'knowledge.reindex': (api, project) => started(api, 'POST', `/projects/${project}/knowledge/reindex`),
  async 'knowledge.expunge'(api, project) {
    const { data } = await api.call('GET', `/projects/${project}/knowledge/documents`);
    const [document] = data.items as Json[];
    return started(api, 'DELETE', `/projects/${project}/knowledge/documents/${document?.id}?expunge=true`);
  },
  async 'knowledge.refresh'(api, project) {
    const source = await createSource(api, project);
    return started(api, 'POST', `${source}/refresh`, {});
  },
  async 'knowledge.remove-source'(api, project) {
    return started(api, 'DELETE', await createSource(api, project));
  },
  'conversations.erase': (api, project) =>
    started(api, 'POST', `/projects/${project}/conversations/erase`, { externalUserId: 'anna' }),
  'conversations.reindex': (api, project) =>
    started(api, 'POST', `/projects/${project}/conversations/reindex`),
  async 'conversations.evaluate'(api, project) {
    await api.call('POST', `/projects/${project}/evaluators`, { body: ruleBody });
    return started(api, 'POST', `/projects/${project}/evaluation-runs`, {});
  },
  'conversations.export': exported('conversations'),
  'conversations.import': (api, project) => requestImport(api, project, textOf([line])),
  'knowledge.export': exported('documents'),
  'audit.export': exported('audit'),
};

async function openProject(api: TestApi): Promise<string> {
  const project = await api.createProject();
  await api.createConversation({ externalUserId: 'anna' }, project);
  const body = { title: 'Returns', content: 'within 30 days' };
  await api.call('POST', `/projects/${project}/knowledge/documents`, { body });
  return project;
}

const jobWorkers = workers.filter(({ sources }) => sources.includes('jobs'));

/** Gives the job to all workers, as when it is new. */
async function work(api: TestApi, job: string, runtime = api.runtime): Promise<void> {
  for (const worker of jobWorkers) await handleAll(api, worker, 'jobs', ({ id }) => id === job, runtime);
}

const storedJob = async (api: TestApi, job: string) =>
  (await storedOf(api, 'jobs')).find(({ id, type }) => id === job && type !== undefined) ?? {};
const shownJob = async (api: TestApi, project: string, job: string) =>
  (await api.call('GET', `/projects/${project}/jobs/${job}`)).data;
const failures = async (api: TestApi) =>
  (await storedOf(api, 'events')).filter(({ type }) => type === 'job.failed');

/** Suspends the organisation after the first transaction with the job: a step of its run. */
function interrupted(api: TestApi) {
  let isSuspended = false;
  const client = intercept(api.runtime.client, (command, proceed) => {
    const isStep =
      command instanceof TransactWriteCommand &&
      JSON.stringify(command.input).includes(`${api.runtime.tableNames.jobs}`);
    if (isSuspended || !isStep) return undefined;
    isSuspended = true;
    return proceed().then(async (output) => {
      await suspendNow(api);
      return output;
    });
  });
  return { ...api.runtime, client };
}

const open = async () => {
  const api = await openApi((runtime) => ({ ...toLoopback(runtime), sleep: async () => {} }));
  return { api, project: await openProject(api) };
};

const waitingTypes = jobTypeNames.filter((type) => !jobTypes[type].removesData);

/** All types share the code that waits. */
const [firstType, ...otherTypes] = waitingTypes;
const waits = (type: JobType) => {
  test('waits, past its deadline, and succeeds', { tags: ['long'] }, async () => {
    const { api, project } = await open();
    const job = await requests[type](api, project);
    const requested = await shownJob(api, project, job);
    const lifeMs = Date.parse(`${requested.deadlineAt}`) - Date.parse(`${requested.createdAt}`);
    api.advance(lifeMs / 2);
    await suspendNow(api);
    await work(api, job);
    expect(await storedJob(api, job)).toMatchObject({ status: 'queued', attempts: 0 });
    expect((await waitingOf(api)).map(({ id }) => `${id}`.split('#').at(-1))).toContain(job);

    const beforeMs = api.runtime.nowMs();
    api.advance(lifeMs + hourMs);
    // Only timers are due: nothing comes again and again.
    await runDue(api);
    expect((await dueNotices(api)).filter(({ id }) => id === job)).toEqual([]);
    await work(api, job);
    expect(await storedJob(api, job)).toMatchObject({ status: 'queued', attempts: 0 });

    const released = await resumeNow(api);
    const suspendedMs = api.runtime.nowMs() - beforeMs;
    const resumed = await shownJob(api, project, job);
    const deadlineMs = Date.parse(`${resumed.deadlineAt}`);
    expect(resumed).toMatchObject({ status: 'queued', error: null });
    expect(Math.abs(deadlineMs - Date.parse(`${requested.deadlineAt}`) - suspendedMs)).toBeLessThan(minuteMs);
    await deliverNotices(api.runtime, organisationResumer, released);
    await runDue(api);
    expect(await shownJob(api, project, job)).toMatchObject({ status: 'succeeded' });
    expect(await failures(api)).toEqual([]);
    expect(await waitingOf(api)).toEqual([]);
  });

  test('stops at its next step when it runs, and continues', { tags: ['long'] }, async () => {
    const { api, project } = await open();
    const job = await requests[type](api, project);
    await work(api, job, interrupted(api));
    expect(await storedJob(api, job)).toMatchObject({ status: 'running', result: null });
    expect((await waitingOf(api)).map(({ id }) => `${id}`.split('#').at(-1))).toEqual([job]);
    await resumeAndGoOn(api);
    expect(await shownJob(api, project, job)).toMatchObject({ status: 'succeeded' });
  });
};
describe.each(firstType ? [firstType] : [])('%s', waits);
describe.each(otherTypes)('%s', { tags: ['long'] }, waits);

test.each(jobTypeNames.filter((type) => jobTypes[type].removesData))('%s does not wait', async (type) => {
  const { api, project } = await open();
  const job = await requests[type](api, project);
  await suspendNow(api);
  await work(api, job);
  expect(await storedJob(api, job)).toMatchObject({ status: 'succeeded' });
  expect(await waitingOf(api)).toEqual([]);
});

test('an expunge takes the index that is being built with it, so that nothing publishes the document again', {
  tags: ['long'],
}, async () => {
  const { api, project } = await open();
  const first = await requests['knowledge.reindex'](api, project);
  await work(api, first, interrupted(api));
  const resumed = await resumeNow(api);
  const expunge = await requests['knowledge.expunge'](api, project);
  const last = await requests['knowledge.reindex'](api, project);
  await suspendNow(api);
  await deliverNotices(api.runtime, organisationResumer, resumed);
  // The run of the first job is certainly over.
  api.advance(silentMs);
  await work(api, expunge);
  await work(api, last);
  const states = [first, expunge, last].map(async (job) => (await storedJob(api, job)).status);
  expect(await Promise.all(states)).toEqual(['succeeded', 'succeeded', 'queued']);
  await resumeAndGoOn(api);
  expect(await shownJob(api, project, last)).toMatchObject({ status: 'succeeded' });
});

test('the event of a deadline comes after the time that is left', async () => {
  const { api, project } = await open();
  const job = await requests['knowledge.reindex'](api, project);
  await handleAll(api, eventWriter, 'jobs', ({ id }) => id === job);
  await suspendNow(api);
  api.advance(2 * hourMs);
  await runDue(api);
  await deliverNotices(api.runtime, organisationResumer, await resumeNow(api));
  // Nobody gives the job to its worker.
  await runDue(api);
  api.advance(5 * hourMs + 50 * minuteMs);
  await runDue(api);
  expect(await failures(api)).toEqual([]);
  expect(await shownJob(api, project, job)).toMatchObject({ status: 'queued' });
  api.advance(11 * minuteMs);
  await runDue(api);
  expect(await failures(api)).toHaveLength(1);
  expect(await shownJob(api, project, job)).toMatchObject({
    status: 'failed',
    error: { code: 'deadline_exceeded' },
  });
});

test('what waits is released, wherever a run is killed, and however often it begins', {
  tags: ['long'],
}, async () => {
  const { api, life } = await openMortal({ sleep: async () => {} });
  const project = await openProject(api);
  const jobs = [await requests['knowledge.reindex'](api, project), await exported('audit')(api, project)];
  await suspendNow(api);
  for (const job of jobs) await work(api, job);
  const notices = await resumeNow(api);
  let kills = 0;
  for (let calls = 1; ; calls += 1) {
    life.callsLeft = calls;
    life.afterwards = calls % 2 === 0;
    const isDone = await deliverNotices(api.runtime, organisationResumer, notices).then(
      () => true,
      () => false,
    );
    life.callsLeft = Number.POSITIVE_INFINITY;
    if (isDone) break;
    kills += 1;
    // It is suspended again, and resumed, before the next run.
    await suspendNow(api);
    await deliverNotices(api.runtime, organisationResumer, notices);
    await resumeNow(api);
  }
  expect(kills).toBeGreaterThan(2);
  await deliverNotices(api.runtime, organisationResumer, notices);
  expect(await waitingOf(api)).toEqual([]);
  await runDue(api);
  for (const job of jobs) expect(await shownJob(api, project, job)).toMatchObject({ status: 'succeeded' });
});
