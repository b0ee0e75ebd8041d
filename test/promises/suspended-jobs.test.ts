/**
 * A job of a suspended organisation waits, without using up its time, and goes on when the organisation is resumed. One that
 * removes data does not wait.
 */

import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, describe, expect, test } from 'vitest';
import { hourMs, minuteMs } from '../../lib/base/time.ts';
import { silentMs } from '../../lib/jobs/busy.ts';
import { type JobType, jobTypeNames, jobTypes } from '../../lib/jobs/types.ts';
import { openApi, storedOf, type TestApi, toLoopback } from '../../samples/api.ts';
import { deliverNotices } from '../../samples/lambda-queue.ts';
import eventWriter from '../../workers/event-writer.ts';
import organisationResumer from '../../workers/organisation-resumer.ts';
import { intercept } from '../support/faults.ts';
import { openJobs, openProject, shownJob, storedJob, work } from '../support/jobs.ts';
import { dueNotices, runDue } from '../support/schedule.ts';
import { handleAll, resumeAndGoOn, resumeNow, suspendNow, waitingOf } from '../support/suspensions.ts';
import { openMortal } from '../support/workers.ts';

const { requests, close } = await openJobs();
afterAll(close);

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
  const jobs = [
    await requests['knowledge.reindex'](api, project),
    await requests['audit.export'](api, project),
  ];
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
