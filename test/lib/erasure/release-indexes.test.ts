import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { dayMs } from '../../../lib/base/time.ts';
import { type Json, storedOf } from '../../../samples/api.ts';
import { changeRecord } from '../../../samples/stream-records.ts';
import environmentRemover from '../../../workers/environment-remover.ts';
import { openPreview, openRetiring, removeEnvironment } from '../../support/environments.ts';
import { intercept } from '../../support/faults.ts';
import { deliver, mortal } from '../../support/workers.ts';

/** The parts of a build that stay. */
const keptParts = async (api: Parameters<typeof storedOf>[0], build: unknown) =>
  (await storedOf(api, 'knowledgeIndexes')).filter(
    ({ tenant, ttl }) => `${tenant}`.includes(`#build#${build}`) && ttl === undefined,
  );

describe('the index of a deleted environment', () => {
  test('can be searched for seven days by its deployment, and is then retired', async () => {
    const api = await openRetiring();
    const { tested, search, versions, advance } = api;
    const version = (await versions()).get(`${tested.knowledgeIndexVersion}`);
    expect(version).toMatchObject({ ttl: expect.any(Number) });
    expect(version?.held).toBeUndefined();
    expect(await keptParts(api, version?.build)).toEqual([]);
    advance(7 * dayMs - 60_000);
    expect((await search(`q=drum&deploymentId=${tested.id}`)).data.items).toHaveLength(1);
    advance(60_000);
    expect((await search(`q=drum&deploymentId=${tested.id}`)).error.code).toBe('index_retired');
    // What is published is not affected.
    expect((await search('q=flute')).data.items).toHaveLength(1);
  });

  test('stays while a deployment of another environment has it', async () => {
    const api = await openPreview();
    const { tested, post, search, versions, advance } = api;
    const prod = await post('/deployments', { environment: 'prod', from: { environment: 'preview' } });
    // It is not current any more. A rollback leads to it.
    await post('/deployments', { environment: 'prod' });
    await removeEnvironment(api, 'preview');
    const versionOf = async () => (await versions()).get(`${tested.knowledgeIndexVersion}`);
    expect(await versionOf()).toMatchObject({ held: true });
    advance(8 * dayMs);
    expect((await search(`q=drum&deploymentId=${tested.id}`)).data.items).toHaveLength(1);
    expect(await post('/rollback', { environment: 'prod' })).toMatchObject({ current: prod.id });
    await removeEnvironment(api, 'prod');
    expect(await versionOf()).toMatchObject({ ttl: expect.any(Number) });
    expect((await search(`q=drum&deploymentId=${prod.id}`)).data.items).toHaveLength(1);
  });

  test('stays while it is published, and is retired by the next publication', async () => {
    const api = await openPreview();
    const { post, search, versions, advance } = api;
    const { knowledgeIndexVersion, id } = await post('/deployments', { environment: 'other' });
    await removeEnvironment(api, 'other');
    const version = (await versions()).get(`${knowledgeIndexVersion}`);
    expect([version?.held, version?.ttl]).toEqual([undefined, undefined]);
    expect((await keptParts(api, version?.build)).length).toBeGreaterThan(0);
    advance(8 * dayMs);
    expect((await search('q=flute')).data.items).toHaveLength(1);
    await api.create({ title: 'Horn', content: 'a horn' });
    await api.reindex();
    expect((await versions()).get(`${knowledgeIndexVersion}`)?.ttl).toEqual(expect.any(Number));
    expect((await search(`q=flute&deploymentId=${id}`)).data.items).toHaveLength(1);
  });

  test('is built again if the same documents are indexed again', async () => {
    const api = await openRetiring();
    const { tested, search, post, advance } = api;
    advance(8 * dayMs);
    const { items } = (await api.call('GET', `${api.path}?limit=100`)).data as { items: Json[] };
    const flute = items.find(({ title }) => title === 'Flute');
    await api.call('DELETE', `${api.path}/${flute?.id}`);
    await api.reindex();
    const { knowledgeIndexVersion } = await post('/deployments', { environment: 'preview' });
    expect(knowledgeIndexVersion).toBe(tested.knowledgeIndexVersion);
    expect((await search(`q=drum&deploymentId=${tested.id}`)).data.items).toHaveLength(1);
    const back = await post('/rollback', { environment: 'preview', deploymentId: tested.id });
    expect(back).toMatchObject({ current: tested.id });
  });

  test('is not released if a deployment begins to hold it at the same moment', async () => {
    const api = await openPreview();
    const { tested, post, versions } = api;
    await api.call('DELETE', `${api.project}/environments/preview`);
    const tombstone = (await storedOf(api, 'deployments')).find(({ tenant }) =>
      `${tenant}`.endsWith('#gone'),
    );
    let isMade = false;
    const client = intercept(api.runtime.client, (command, proceed) => {
      if (isMade || !(command instanceof TransactWriteCommand)) return undefined;
      isMade = true;
      const body = { environment: 'prod', from: { deploymentId: tested.id } };
      return post('/deployments', body).then(proceed);
    });
    const runtime = { ...api.runtime, client };
    await deliver({ runtime }, environmentRemover, [changeRecord(undefined, tombstone)]);
    expect(isMade).toBe(true);
    const version = (await versions()).get(`${tested.knowledgeIndexVersion}`);
    expect(version).toMatchObject({ held: true });
    expect(version?.ttl).toBeUndefined();
  });

  test('is released by a worker that is killed at any point, and runs again', {
    tags: ['long'],
  }, async () => {
    for (let calls = 1; ; calls += 1) {
      const api = await openPreview();
      await api.post('/deployments', { environment: 'preview', promote: false });
      await api.call('DELETE', `${api.project}/environments/preview`);
      const tombstone = (await storedOf(api, 'deployments')).find(({ tenant }) =>
        `${tenant}`.endsWith('#gone'),
      );
      const { client, life } = mortal(api.runtime.client);
      life.callsLeft = calls;
      life.afterwards = calls % 2 === 0;
      const records = [changeRecord(undefined, tombstone)];
      const isDone = await deliver({ runtime: { ...api.runtime, client } }, environmentRemover, records).then(
        () => true,
        () => false,
      );
      await deliver(api, environmentRemover, records);
      const version = (await api.versions()).get(`${api.tested.knowledgeIndexVersion}`);
      expect(version).toMatchObject({ ttl: expect.any(Number) });
      expect(await keptParts(api, version?.build)).toEqual([]);
      const { items } = (await api.call('GET', `${api.project}/deployments`)).data as { items: Json[] };
      expect(items.map(({ phase }) => phase)).toEqual(['superseded', 'superseded']);
      if (isDone) return;
    }
  });

  test('is replaced by an expunge while another environment has it, and released afterwards', {
    tags: ['long'],
  }, async () => {
    const api = await openPreview();
    const { tested, post, search, versions } = api;
    const prod = await post('/deployments', { environment: 'prod', from: { environment: 'preview' } });
    const gone = await api.create({ title: 'Gone', content: 'a gong' });
    await api.reindex();
    const drum = (await api.listed()).find(({ title }) => title === 'Drum');
    expect(gone.id).toBeDefined();
    const { data: job } = await api.call('DELETE', `${api.path}/${drum?.id}?expunge=true`);
    await api.workOff(api.projectId, `${job.id}`);
    const { knowledgeIndexVersion: replaced } = (
      await api.call('GET', `${api.project}/deployments/${prod.id}`)
    ).data;
    expect(replaced).not.toBe(tested.knowledgeIndexVersion);
    await removeEnvironment(api, 'preview');
    expect((await versions()).get(`${replaced}`)).toMatchObject({ held: true });
    expect((await search(`q=drum&deploymentId=${tested.id}`)).data.items).toEqual([]);
    await removeEnvironment(api, 'prod');
    expect((await versions()).get(`${replaced}`)).toMatchObject({ ttl: expect.any(Number) });
  });
});
