/** An expunge that is killed, or that meets other requests, at any of its calls: nothing is left, and nothing is lost. */

import { describe, expect, test } from 'vitest';
import { expectGone, openDeployed } from './support/expunge.ts';

describe('while documents are expunged', () => {
  const killed = async (every: number) => {
    const measured = await openDeployed();
    const { data } = await measured.expunge(measured.gone.id);
    measured.at.calls = 0;
    await measured.workOff(measured.projectId, data.id as string);
    const calls = measured.at.calls;
    expect(calls).toBeGreaterThan(40);
    for (let point = 2; point <= calls; point += every) {
      const api = await openDeployed();
      const { data: job } = await api.expunge(api.gone.id);
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
  const killedTitle =
    'a worker that is killed at a call goes on: nobody finds the document, and searches always answer';
  test(`${killedTitle} (some calls)`, () => killed(29));
  test(`${killedTitle} (every second call)`, { tags: ['long'] }, () => killed(2));

  const raced = async (every: number) => {
    const measured = await openDeployed();
    const { data } = await measured.expunge(measured.gone.id);
    measured.at.calls = 0;
    await measured.workOff(measured.projectId, data.id as string);
    const calls = measured.at.calls;
    for (let point = 3; point <= calls; point += every) {
      const api = await openDeployed();
      const third = await api.deploy('production');
      const { data: job } = await api.expunge(api.gone.id);
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
  const racedTitle =
    'a deployment, a rollback, a promotion and a re-index at a call get or keep the new versions';
  test(`${racedTitle} (some calls)`, () => raced(31));
  test(`${racedTitle} (every second call)`, { tags: ['long'] }, () => raced(2));

  test('a re-index that runs already cannot publish them', async () => {
    const api = await openDeployed();
    await api.create({ title: 'new', content: 'a piano' });
    const { data: reindexing } = await api.call('POST', `${api.project}/knowledge/reindex`);
    let job = '';
    api.at.act = async () => {
      job = (await api.expunge(api.gone.id)).data.id as string;
      // The worker of the re-index seems to be dead: the expunge takes over, and the other one goes on behind it.
      await api.workOff(api.projectId, job);
    };
    Object.assign(api.at, { calls: 0, call: 16 });
    await api.workOff(api.projectId, reindexing.id as string);
    expect((await api.jobOf(job)).status).toBe('succeeded');
    expect(await api.search()).toEqual([]);
    await expectGone(api);
  });
});
