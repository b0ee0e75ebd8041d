/**
 * An expunge that is killed, or meets other requests, at any of its calls removes everything that it should and nothing
 * else.
 */

import { describe, expect, test } from 'vitest';
import { silentMs } from '../../../lib/jobs/busy.ts';
import { betweenTurns } from '../../../lib/jobs/run.ts';
import { jobNotice, storedOf } from '../../../samples/api.ts';
import { deliverNotices, endsTurn } from '../../../samples/lambda-queue.ts';
import knowledgeIndexer from '../../../workers/knowledge-indexer.ts';
import { expectGone, expectWhole, openDeployed, secret } from '../../support/expunge.ts';
import { remember } from '../../support/rewind.ts';
import { storedText } from '../../support/stored.ts';

describe('while documents are expunged', () => {
  const killed = async (every: number) => {
    const api = await openDeployed();
    const { data: job } = await api.expunge(api.gone.id);
    const rewind = await remember(api);
    api.at.calls = 0;
    await api.workOff(api.projectId, job.id as string);
    const calls = api.at.calls;
    expect(calls).toBeGreaterThan(40);
    for (let point = 2; point <= calls; point += every) {
      await rewind();
      Object.assign(api.at, { calls: 0, call: point, afterwards: point % 2 === 0 });
      api.at.act = () => Promise.reject(new Error('killed'));
      await expect(api.workOff(api.projectId, job.id as string), `at call ${point}`).rejects.toThrow(
        'killed',
      );
      for (const query of ['', '&environment=production', '&environment=staging']) {
        expect(await api.search(query)).toEqual([]);
        const { data: others } = await api.call('GET', `${api.project}/knowledge/search?q=drum${query}`);
        expect(others.items, `at call ${point}`).toHaveLength(1);
      }
      await api.workOff(api.projectId, job.id as string);
      expect(await api.jobOf(job.id), `at call ${point}`).toMatchObject({
        status: 'succeeded',
        result: { expunged: 1, replacedVersions: 3, environments: ['production', 'staging'] },
      });
      await expectGone(api);
    }
  };
  const killedTitle = 'killed at a call, the next run continues; no search fails or finds the document';
  test(`${killedTitle} (every second call)`, { tags: ['nightly'] }, () => killed(2));

  const raced = async (every: number) => {
    const api = await openDeployed();
    const third = await api.deploy('production');
    const { data: job } = await api.expunge(api.gone.id);
    const rewind = await remember(api);
    api.at.calls = 0;
    await api.workOff(api.projectId, job.id as string);
    const calls = api.at.calls;
    for (let point = 3; point <= calls; point += every) {
      await rewind();
      let reindexJob = '';
      api.at.act = async () => {
        const body = { environment: 'production' };
        expect((await api.call('POST', `${api.project}/rollback`, { body })).status).toBe(200);
        expect((await api.deploy('another')).phase).toBe('current');
        const promote = `${api.project}/deployments/${third.id}/promote`;
        expect((await api.call('POST', promote)).status).toBe(200);
        expect((await api.call('POST', `${api.project}/rollback`, { body })).status).toBe(200);
        reindexJob = (await api.call('POST', `${api.project}/knowledge/reindex`)).data.id as string;
      };
      Object.assign(api.at, { calls: 0, call: point });
      await api.workOff(api.projectId, job.id as string);
      await api.workOff(api.projectId, reindexJob);
      expect((await api.jobOf(job.id)).status, `at call ${point}`).toBe('succeeded');
      expect(await api.jobOf(reindexJob), `at call ${point}`).toMatchObject({
        status: 'succeeded',
        result: { changed: false },
      });
      await expectGone(api);
      expect(
        (await api.call('GET', `${api.project}/knowledge/search?q=drum&environment=another`)).data.items,
      ).toHaveLength(1);
      expect((await api.config('production')).deploymentId).toBe(api.first.id);
    }
  };
  const racedTitle = 'a deployment, rollback, promotion or re-index at a call gets or keeps the new versions';
  test(`${racedTitle} (every second call)`, { tags: ['nightly'] }, () => raced(2));

  test('in turns that end after each piece, are killed, and meet other requests, the job ends', {
    tags: ['long'],
  }, async () => {
    const api = await openDeployed();
    const { call, project, projectId, at } = api;
    const third = await api.deploy('production');
    // More stored responses than a turn looks at.
    const body = { avatarId: 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E' };
    for (let n = 0; n < 110; n += 1)
      await call('POST', `${project}/conversations`, { body, idempotencyKey: `${n}` });
    const { data: job } = await api.expunge(api.gone.id);
    const tenant = `${api.organisationId}#live` as const;
    const notice = jobNotice(tenant, projectId, `${job.id}`);
    const turn = () => deliverNotices({ ...api.runtime, turnMs: 0 }, knowledgeIndexer, [notice]);
    const storedJob = async () => (await storedOf(api, 'jobs')).find(({ id, type }) => type && id === job.id);
    const rewind = await remember(api);
    const phases: string[] = [];
    while (await endsTurn(turn())) {
      const { attempt, attempts, position } = (await storedJob()) ?? {};
      expect([attempt, attempts]).toEqual([betweenTurns, 0]);
      phases.push(`${position}`.replace(/ .*| ?$/, ''));
      expect(phases.length).toBeLessThan(200);
      // At first the rollback, and at last.
      if (phases.length > 13) continue;
      const isBack = phases.length % 2 === 1;
      const change = isBack
        ? call('POST', `${project}/rollback`, { body: { environment: 'production' } })
        : call('POST', `${project}/deployments/${third.id}/promote`);
      expect((await change).status).toBe(200);
      expect((await api.deploy('another')).phase).toBe('current');
    }
    expect(new Set(phases).size).toBeGreaterThan(5);
    expect(phases.slice(3)).toEqual(expect.arrayContaining(['pointers', 'builds', 'responses', 'history']));
    expect((await api.jobOf(job.id)).status).toBe('succeeded');
    await expectGone(api);

    await rewind();
    at.act = () => Promise.reject(new Error('killed'));
    for (let turns = 1; ; turns += 1) {
      Object.assign(at, { calls: 0, call: 3 + ((turns * 7) % 29), afterwards: turns % 4 === 1 });
      if (turns % 2 === 0) at.call = Number.POSITIVE_INFINITY;
      const end = await endsTurn(turn()).catch((error: Error) => error.message);
      expect([true, false, 'killed']).toContain(end);
      expect(turns).toBeLessThan(200);
      if (end === false) break;
    }
    at.call = Number.POSITIVE_INFINITY;
    expect(await api.jobOf(job.id)).toMatchObject({
      status: 'succeeded',
      result: { expunged: 1, replacedVersions: 3, environments: ['production', 'staging'] },
    });
    await expectGone(api);
  });

  test('a re-index that was already running cannot publish them', { tags: ['long'] }, async () => {
    const api = await openDeployed();
    await api.create({ title: 'new', content: 'a piano' });
    const { data: reindexing } = await api.call('POST', `${api.project}/knowledge/reindex`);
    let job = '';
    api.at.act = async () => {
      job = (await api.expunge(api.gone.id)).data.id as string;
      // The worker of the re-index seems to be dead: the expunge takes over, and the other one goes on behind it.
      api.advance(silentMs);
      await api.workOff(api.projectId, job);
    };
    Object.assign(api.at, { calls: 0, call: 16 });
    await api.workOff(api.projectId, reindexing.id as string);
    expect((await api.jobOf(job)).status).toBe('succeeded');
    expect(await api.search()).toEqual([]);
    await expectGone(api);
  });
});

describe('a run that was taken over but continues', () => {
  /** Three jobs, one behind the other. @returns them, and what has to be true when they have ended */
  async function openQueue(first: 'expunge' | 'reindex') {
    const api = await openDeployed();
    const { call, project, projectId, workOff, jobOf } = api;
    await api.create({ title: 'new', content: 'a piano' });
    const reindex = async () => (await call('POST', `${project}/knowledge/reindex`)).data.id as string;
    const expunge = async () => (await api.expunge(api.gone.id)).data.id as string;
    const jobs: string[] = [];
    /** A job is queued as one of its own only once the one before it runs. */
    const queueLater = async () => {
      jobs.push(await (first === 'expunge' ? reindex() : expunge()));
      jobs.push(await (first === 'expunge' ? expunge() : reindex()));
    };
    jobs.push(await (first === 'expunge' ? expunge() : reindex()));
    await queueLater();
    const workOffAll = async () => {
      for (const job of jobs) await workOff(projectId, job);
    };
    const expectEnded = async (at: string) => {
      for (const job of jobs) expect((await jobOf(job)).status, at).toBe('succeeded');
      expect(await storedText(api), at).not.toContain(secret);
      await expectWhole(api);
      for (const query of ['drum', 'piano', 'horn&environment=staging', 'flute&environment=production']) {
        const { data } = await call('GET', `${project}/knowledge/search?q=${query}`);
        expect(data.items, `${at}: ${query}`).toHaveLength(1);
      }
    };
    return { ...api, jobs, workOffAll, expectEnded };
  }

  const takenOver = async (first: 'expunge' | 'reindex', every: number) => {
    const api = await openQueue(first);
    const rewind = await remember(api);
    for (let point = 3, isReached = true; isReached; point += every) {
      await rewind();
      isReached = false;
      api.at.act = async () => {
        isReached = true;
        await api.workOffAll();
      };
      Object.assign(api.at, { calls: 0, call: point, afterwards: point % 2 === 0 });
      // It may find that what it wants to read is gone. Then its change comes again.
      await api.workOff(api.projectId, api.jobs[0] ?? '').catch(() => undefined);
      api.at.call = Number.POSITIVE_INFINITY;
      await api.workOffAll();
      await api.expectEnded(`${first}, at call ${point}`);
    }
  };
  const takenOverTitle = 'changes nothing of what the other one and later jobs make';
  test.each(['expunge', 'reindex'] as const)(
    `%s: ${takenOverTitle} (every call)`,
    { tags: ['nightly'] },
    (first) => takenOver(first, 1),
  );

  test.each(['expunge', 'reindex'] as const)(
    '%s: many of all jobs at the same time',
    { tags: ['long'] },
    async (first) => {
      const api = await openQueue(first);
      const runs = [...api.jobs, ...api.jobs].map((job) => api.workOff(api.projectId, job));
      await Promise.allSettled(runs);
      await api.workOffAll();
      await api.expectEnded(first);
    },
  );
});
