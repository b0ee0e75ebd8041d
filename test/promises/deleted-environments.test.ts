/**
 * A deleted environment stays deleted, and its index is kept for seven days, or as long as another environment has it: whatever is
 * revoked, suspended, expunged, purged, restored, repeated or killed meanwhile.
 */

import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { dayMs } from '../../lib/base/time.ts';
import { type Json, storedOf } from '../../samples/api.ts';
import environmentRemover from '../../workers/environment-remover.ts';
import projectPurger from '../../workers/project-purger.ts';
import { afterDeletion, deletionOf, openPreview, removeEnvironment } from '../support/environments.ts';
import { intercept } from '../support/faults.ts';
import { expire, namingProject, purgeBegun } from '../support/purges.ts';
import { withoutGone } from '../support/stored.ts';
import { resumeNow, suspendNow } from '../support/suspensions.ts';
import { deliver, mortal } from '../support/workers.ts';

type Preview = Awaited<ReturnType<typeof openPreview>>;

const remove = ({ call, project }: Preview, options = {}) =>
  call('DELETE', `${project}/environments/preview`, options);

const isServed = async ({ call, project }: Preview, name = 'preview') =>
  (await call('GET', `${project}/environments/${name}/config`)).status === 200;

const searchTested = ({ search, tested }: Preview) => search(`q=drum&deploymentId=${tested.id}`);

/** Searches end after seven days, and what is stored gets a TTL. */
async function expectReleased(api: Preview) {
  expect(await isServed(api)).toBe(false);
  const version = (await api.versions()).get(`${api.tested.knowledgeIndexVersion}`);
  expect(version).toMatchObject({ ttl: expect.any(Number) });
  const kept = (await storedOf(api, 'knowledgeIndexes')).filter(
    ({ tenant, ttl }) => `${tenant}`.includes(`#build#${version?.build}`) && ttl === undefined,
  );
  expect(kept).toEqual([]);
  expect((await searchTested(api)).data.items).toHaveLength(1);
  api.advance(7 * dayMs);
  expect((await searchTested(api)).error.code).toBe('index_retired');
}

describe('the deletion of an environment', () => {
  test('is not undone by the revocation of the key that asked for it, and a revoked key deletes nothing', async () => {
    const api = await openPreview();
    const { id, secret: key } = await api.createKey({ scopes: ['deploy:write'] });
    await api.call('DELETE', `/api-keys/${id}`);
    expect((await remove(api, { key })).status).toBe(401);
    expect(await isServed(api)).toBe(true);
    const other = await api.createKey({ scopes: ['deploy:write'] });
    expect((await remove(api, { key: other.secret })).status).toBe(200);
    await api.call('DELETE', `/api-keys/${other.id}`);
    await afterDeletion(api, 'preview');
    await expectReleased(api);
  });

  test('is completed while the organisation is suspended', async () => {
    const api = await openPreview();
    await remove(api);
    await suspendNow(api);
    await afterDeletion(api, 'preview');
    await resumeNow(api);
    await expectReleased(api);
  });

  test('lets an expunge remove the text at once, before the worker and after it', async () => {
    for (const isEarly of [true, false]) {
      const api = await openPreview();
      await remove(api);
      if (!isEarly) await afterDeletion(api, 'preview');
      const drum = (await api.listed()).find(({ title }) => title === 'Drum');
      const { data: job } = await api.call('DELETE', `${api.path}/${drum?.id}?expunge=true`);
      await api.workOff(api.projectId, `${job.id}`);
      if (isEarly) await afterDeletion(api, 'preview');
      const { data, error } = await searchTested(api);
      expect(error?.code ?? data.items).toEqual(isEarly ? [] : 'index_retired');
      const versions = [...(await api.versions()).values()];
      expect(versions.filter(({ held }) => held)).toEqual([]);
      const published = await api.search('q=flute');
      expect(published.data.items).toHaveLength(1);
    }
  });

  test('stays when the project is deleted and restored', async () => {
    const api = await openPreview();
    await remove(api);
    await api.call('DELETE', api.project);
    await afterDeletion(api, 'preview');
    expect((await api.call('POST', `${api.project}/restore`)).status).toBe(200);
    await expectReleased(api);
  });

  test('leaves nothing behind the purge of the project, if the worker comes after it', async () => {
    const api = await openPreview();
    await remove(api);
    const deletion = await deletionOf(api, 'preview');
    await api.call('DELETE', api.project);
    await deliver(api, projectPurger, [await expire(api, api.projectId)]);
    await deliver(api, projectPurger, [await purgeBegun(api)]);
    const left = await namingProject(api, api.projectId);
    await deliver(api, environmentRemover, [deletion]);
    expect(await namingProject(api, api.projectId)).toEqual(left);
    expect(withoutGone(left.deployments ?? [])).toEqual([]);
  });

  test('is not undone by the replay of a deployment', async () => {
    const api = await openPreview();
    const deploy = () =>
      api.call('POST', `${api.project}/deployments`, {
        body: { environment: 'preview', from: { environment: 'prod' } },
        idempotencyKey: 'once',
      });
    await api.post('/deployments', { environment: 'prod' });
    const first = await deploy();
    await removeEnvironment(api, 'preview');
    const again = await deploy();
    expect(again.headers['Idempotent-Replayed']).toBe('true');
    expect(again.data).toEqual(first.data);
    expect(await isServed(api)).toBe(false);
    expect((await remove(api)).status).toBe(404);
  });

  test('takes effect once, of ten at the same moment and two runs of the worker', async () => {
    const api = await openPreview();
    const all = await Promise.all(Array.from({ length: 10 }, () => remove(api)));
    expect(all.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(404)]);
    const record = await deletionOf(api, 'preview');
    await Promise.all([1, 2].map(() => deliver(api, environmentRemover, [record])));
    await deliver(api, environmentRemover, [record]);
    await expectReleased(api);
  });

  test('is completed after a run that was killed at a write', async () => {
    for (const isAfterwards of [false, true]) {
      const api = await openPreview();
      await api.post('/deployments', { environment: 'preview', promote: false });
      await remove(api);
      const record = await deletionOf(api, 'preview');
      const { client, life } = mortal(api.runtime.client);
      let writes = 0;
      const counting = intercept(client, (command) => {
        if (/Get|Query/.test(command.constructor.name)) return undefined;
        writes += 1;
        if (writes === 2) Object.assign(life, { callsLeft: 1, afterwards: isAfterwards });
        return undefined;
      });
      const runtime = { ...api.runtime, client: counting };
      await expect(deliver({ runtime }, environmentRemover, [record])).rejects.toThrow();
      await deliver(api, environmentRemover, [record]);
      await expectReleased(api);
    }
  });
});

describe('a deployment `from` the environment, and its deletion', () => {
  test('of which the deletion comes first is refused', async () => {
    for (const [from, code] of [
      [() => ({ environment: 'preview' }), 'not_found'],
      [({ tested }: Preview) => ({ deploymentId: tested.id }), 'index_retired'],
    ] as const) {
      let act: (() => Promise<void>) | undefined;
      const api: Preview = await openPreview(({ client }) => ({
        client: intercept(client, (command, proceed) => {
          if (!act || !(command instanceof TransactWriteCommand)) return undefined;
          const before = act();
          act = undefined;
          return before.then(proceed);
        }),
      }));
      act = () => removeEnvironment(api, 'preview');
      const body = { environment: 'prod', from: from(api) };
      const { error } = await api.call('POST', `${api.project}/deployments`, { body });
      expect(error.code).toBe(code);
      expect(await isServed(api, 'prod')).toBe(false);
      await expectReleased(api);
    }
  });

  test('at the same moment: the deployment has its index for as long as it can be served, or is refused', async () => {
    for (let round = 0; round < 6; round += 1) {
      const api = await openPreview();
      const from = round % 2 === 0 ? { environment: 'preview' } : { deploymentId: api.tested.id };
      const body = { environment: 'prod', from };
      const [deployed] = await Promise.all([
        api.call('POST', `${api.project}/deployments`, { body }),
        removeEnvironment(api, 'preview'),
      ]);
      await afterDeletion(api, 'preview');
      api.advance(8 * dayMs);
      const { data, error } = await api.search(`q=drum&environment=prod`);
      if (deployed.status === 201) expect((data.items as Json[]).length).toBe(1);
      else {
        expect(deployed.error.code).toBeOneOf(['not_found', 'index_retired']);
        expect(error.code).toBe('not_found');
      }
    }
  });
});
