/**
 * A job that sends something, costs money or copies data out ends when the credential that requested it is revoked with its
 * children: before its next request, file or call. Every other job goes on.
 */

import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { rootScopes } from '../../lib/base/scopes.ts';
import { hourMs } from '../../lib/base/time.ts';
import { jobTypeNames, jobTypes } from '../../lib/jobs/types.ts';
import { type Json, openApi, storedOf, type TestApi, toLoopback } from '../../samples/api.ts';
import { deliverNotices, noticesOf } from '../../samples/lambda-queue.ts';
import { replyWithFaults } from '../../samples/models.ts';
import { changeRecord } from '../../samples/stream-records.ts';
import eventWriter from '../../workers/event-writer.ts';
import keyRevoker from '../../workers/key-revoker.ts';
import {
  factsOf,
  modelOf,
  openEvaluations,
  reservationsOf,
  ruleOf,
  spentOfDay,
} from '../support/evaluations.ts';
import { eventsOf } from '../support/events.ts';
import { runJob } from '../support/exports.ts';
import { intercept } from '../support/faults.ts';
import { openJobs, openProject, shownJob, storedJob, work } from '../support/jobs.ts';
import { htmlPage } from '../support/site.ts';
import { finish, openPages } from '../support/sources.ts';
import { handleAll } from '../support/suspensions.ts';
import { openApiWith, openIssuer } from '../support/tokens.ts';

const { requests, close } = await openJobs();
afterAll(close);

const failed = { status: 'failed', result: null, error: { code: 'credential_revoked' } };

const revoke = (api: TestApi, key: { id: string }, query = '?children=true') =>
  api.call('DELETE', `/api-keys/${key.id}${query}`);

/** Ends the children, as the worker does. */
const endChildren = (api: TestApi, key: { id: string }) =>
  handleAll(api, keyRevoker, 'apiKeys', ({ id }) => id === key.id);

/** Writes the events of a change, as the worker does. @returns the events of the organisation */
async function eventsAfter(
  api: TestApi,
  table: 'apiKeys' | 'jobs',
  before: Json | undefined,
  after: Json | undefined,
) {
  const notices = noticesOf(eventWriter, [changeRecord(before, after)], table);
  await deliverNotices(api.runtime, eventWriter, notices);
  return (await eventsOf(api)).map(({ type }) => type);
}

const keyOf = (api: TestApi, creator?: { secret: string }, body = {}) =>
  api.createKey({ scopes: rootScopes, ...body }, creator?.secret);

const open = async () => {
  const api = await openApi((runtime) => ({ ...toLoopback(runtime), sleep: async () => {} }));
  return { api, project: await openProject(api) };
};

test('exports, refreshes and evaluation runs end with their credential', () => {
  expect(jobTypeNames.filter((type) => jobTypes[type].endsWithCredential).sort()).toEqual([
    'audit.export',
    'conversations.evaluate',
    'conversations.export',
    'knowledge.export',
    'knowledge.refresh',
  ]);
});

describe.each(jobTypeNames)('%s', (type) => {
  const [revoked, ends] = jobTypes[type].endsWithCredential
    ? ([failed, 'ends'] as const)
    : ([{ status: 'succeeded' }, 'goes on'] as const);

  test(`${ends} before it starts, also when the worker has not ended the children yet`, async () => {
    const { api, project } = await open();
    const key = await keyOf(api);
    const job = await requests[type](api, project, key.secret);
    await revoke(api, key);
    await work(api, job);
    expect(await shownJob(api, project, job)).toMatchObject(revoked);
  });

  test('goes on when the key is only revoked', { tags: ['long'] }, async () => {
    const { api, project } = await open();
    const key = await keyOf(api);
    const job = await requests[type](api, project, key.secret);
    await revoke(api, key, '');
    await work(api, job);
    expect(await shownJob(api, project, job)).toMatchObject({ status: 'succeeded' });
  });
});

describe('of a key below the revoked key', () => {
  const expectedAfter = async (end: (api: TestApi, key: { id: string }) => Promise<unknown>) => {
    const { api, project } = await open();
    const parent = await keyOf(api);
    const child = await keyOf(api, parent);
    const grandchild = await keyOf(api, child, { expiresIn: '1h' });
    const job = await requests['knowledge.export'](api, project, grandchild.secret);
    await end(api, grandchild);
    await revoke(api, parent);
    await endChildren(api, parent);
    await work(api, job);
    return shownJob(api, project, job);
  };

  test('it ends', async () => {
    expect(await expectedAfter(async () => undefined)).toMatchObject(failed);
  });
  test('it ends, if the key was revoked alone before', async () => {
    expect(await expectedAfter((api, key) => revoke(api, key, ''))).toMatchObject(failed);
  });
  test('it ends, if the key has expired before', async () => {
    expect(await expectedAfter(async (api) => api.advance(2 * hourMs))).toMatchObject(failed);
  });

  test('it goes on, if the caller may not end the key', async () => {
    const { api, project } = await open();
    const parent = await keyOf(api);
    const child = await keyOf(api, parent);
    const job = await requests['knowledge.export'](api, project, child.secret);
    await api.call('PATCH', `/api-keys/${parent.id}`, { body: { scopes: ['api-keys:write'] } });
    const path = `/api-keys/${parent.id}?children=true`;
    const { status } = await api.call('DELETE', path, { key: parent.secret });
    expect(status).toBe(202);
    await endChildren(api, parent);
    await work(api, job);
    expect(await shownJob(api, project, job)).toMatchObject({ status: 'succeeded' });
  });

  test('the end of its work is no change of an ended key: it has no event', async () => {
    const { api } = await open();
    const parent = await keyOf(api);
    const child = await keyOf(api, parent);
    await revoke(api, child, '');
    const stored = async () =>
      (await storedOf(api, 'apiKeys')).find(
        ({ tenant, id }) => tenant === `${api.organisationId}#live` && id === child.id,
      );
    const before = await stored();
    await revoke(api, parent);
    await endChildren(api, parent);
    const after = await stored();
    expect(after).toMatchObject({ workEndedBy: parent.id, revokedAt: before?.revokedAt });
    expect(await eventsAfter(api, 'apiKeys', before, after)).toEqual([]);
  });
});

test('the job of an access token goes on: nobody can revoke the token', async () => {
  const issuer = await openIssuer();
  onTestFinished(() => issuer.close());
  const api = await openApiWith(issuer, {}, () => ({ sleep: async () => {} }));
  const project = await openProject(api);
  const job = await requests['knowledge.export'](api, project, await api.token());
  await work(api, job);
  expect(await shownJob(api, project, job)).toMatchObject({ status: 'succeeded' });
});

test('a job that another key has requested goes on', async () => {
  const { api, project } = await open();
  const key = await keyOf(api);
  const [own, other] = [
    await requests['knowledge.export'](api, project, key.secret),
    await requests['knowledge.export'](api, project),
  ];
  await revoke(api, key);
  await endChildren(api, key);
  for (const job of [own, other]) await work(api, job);
  expect(await shownJob(api, project, own)).toMatchObject(failed);
  expect(await shownJob(api, project, other)).toMatchObject({ status: 'succeeded' });
});

test('a run that waits for a revoked run has its turn', async () => {
  const { api, project } = await open();
  const key = await keyOf(api);
  const first = await requests['conversations.evaluate'](api, project, key.secret);
  const { data } = await api.call('POST', `/projects/${project}/evaluation-runs`, { body: {} });
  await revoke(api, key);
  await work(api, first);
  await work(api, `${data.id}`);
  expect(await shownJob(api, project, first)).toMatchObject(failed);
  expect(await shownJob(api, project, `${data.id}`)).toMatchObject({ status: 'succeeded' });
});

describe('while it runs', () => {
  test('a run calls no model after the revocation. The calls that are under way are counted, and their scores stay', async () => {
    let acted: Promise<unknown> | undefined;
    const opened = await openEvaluations({
      async reply(request) {
        acted ??= revoke(opened.api, key);
        await acted;
        return replyWithFaults(request);
      },
    });
    const { api, path, createEvaluator, converse, finish: end, models } = opened;
    const key = await keyOf(api);
    await createEvaluator('judge', modelOf());
    for (let n = 0; n < 24; n += 1) await converse();
    const body = { maxCostUsd: 1 };
    const { data } = await api.call('POST', `${path}/evaluation-runs`, { key: key.secret, body });
    expect(await end(data.id)).toMatchObject({ ...failed, progress: { failed: 0 } });
    const calls = models.calls.length;
    expect(calls).toBe(8);
    expect((await factsOf(api)).size).toBe(calls);
    // Each reservation of an answered call is settled.
    expect(await reservationsOf(api)).toEqual([]);
    const stored = await storedJob(api, `${data.id}`);
    expect(stored.evaluation).toMatchObject({ counts: { calls, evaluated: calls } });
    expect(await spentOfDay(api)).toBe((stored.evaluation as { spentMicroUsd: number }).spentMicroUsd);
    // A request that names a user does not stay.
    const requested = (await storedOf(api, 'jobs')).filter(({ tenant }) =>
      `${tenant}`.includes('evaluation-requests'),
    );
    expect(requested).toEqual([]);
  });

  test('a run of rules, which calls no model, reads no further page of conversations', async () => {
    const { api, project, path, createEvaluator, converse } = await openEvaluations();
    const key = await keyOf(api);
    await createEvaluator('short', ruleOf());
    for (let n = 0; n < 22; n += 1) await converse();
    const body = {};
    const { data } = await api.call('POST', `${path}/evaluation-runs`, { key: key.secret, body });
    let revoking: Promise<unknown> | undefined;
    const client = intercept(api.runtime.client, ({ input }, proceed) => {
      // The scores of the first page, after the claim.
      if (revoking || !JSON.stringify(input).includes('#scores#conv_')) return undefined;
      revoking = revoke(api, key);
      return revoking.then(proceed);
    });
    await work(api, `${data.id}`, { ...api.runtime, client });
    expect(await shownJob(api, project, `${data.id}`)).toMatchObject(failed);
    expect((await factsOf(api)).size).toBe(20);
  });

  test('a refresh sends no request after the revocation, and the source says why', async () => {
    let revoking: Promise<unknown> | undefined;
    const names = ['/a', '/b', '/c', '/d'];
    // The order of the pages follows from their hashes, so whichever comes first revokes the key.
    const revokingPage = (path: string) => async () => {
      revoking ??= revoke(api, key);
      await revoking;
      return htmlPage(path, `The text of ${path}.`);
    };
    const { api, path, project, site } = await openPages({
      '/': htmlPage('Home', 'Welcome.', names),
      ...Object.fromEntries(names.map((name) => [name, revokingPage(name)])),
    });
    const key = await keyOf(api);
    const { data } = await api.call('POST', `${path}/refresh`, { key: key.secret, body: {} });
    expect(await finish(api, project, `${data.id}`)).toMatchObject(failed);
    expect(site.requests.filter((request) => names.includes(request))).toHaveLength(1);
    const { data: source } = await api.call('GET', path);
    // Another key has set the source, so it is not paused.
    expect(source).toMatchObject({ paused: false, lastRefresh: failedRefresh(data.id) });
  });

  test('an export writes no file after the revocation', async () => {
    const { api, project } = await open();
    for (let n = 0; n < 6; n += 1) {
      const body = { title: `Document ${n}`, content: 'x'.repeat(700) };
      await api.call('POST', `/projects/${project}/knowledge/documents`, { body });
    }
    const key = await keyOf(api);
    const job = await requests['knowledge.export'](api, project, key.secret);
    const before = await storedJob(api, job);
    const { files } = api.runtime;
    const runtime = {
      ...api.runtime,
      files: {
        ...files,
        async put(...given: Parameters<typeof files.put>) {
          await files.put(...given);
          await revoke(api, key);
        },
      },
    };
    await runJob({ runtime, organisationId: api.organisationId }, project, job);
    expect(await shownJob(api, project, job)).toMatchObject(failed);
    expect([...api.files.keys()]).toHaveLength(1);
    expect(await eventsAfter(api, 'jobs', before, await storedJob(api, job))).toEqual(['job.failed']);
  });

  test('the read of the credential is consistent, and there is one for each file', async () => {
    const { api, project } = await open();
    const job = await requests['knowledge.export'](api, project);
    const reads: unknown[] = [];
    const client = intercept(api.runtime.client, (command) => {
      if (command instanceof GetCommand && command.input.TableName === api.runtime.tableNames.apiKeys)
        reads.push(command.input.ConsistentRead);
      return undefined;
    });
    await work(api, job, { ...api.runtime, client });
    // The claim, and one file.
    expect(reads).toEqual([true, true]);
  });
});

const failedRefresh = (jobId: unknown) => ({
  jobId,
  status: 'failed',
  error: { code: 'credential_revoked' },
});
