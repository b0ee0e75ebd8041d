/** The model of an avatar is in each version, deployment, event and log entry, and changes no hash of an avatar without one. */

import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { configHashOf } from '../../lib/avatars/deployments/store/deployments.ts';
import { type Json, storedOf } from '../../samples/api.ts';
import { deliverNotices, noticesOf } from '../../samples/lambda-queue.ts';
import { changeRecord } from '../../samples/stream-records.ts';
import auditWriter from '../../workers/audit-writer.ts';
import eventWriter from '../../workers/event-writer.ts';
import { deploy, openProject, type ProjectApi } from '../support/avatars.ts';
import { allEvents, eventsOf } from '../support/events.ts';

const model = { modelId: 'eu.amazon.nova-micro-v1:0', temperature: 0.29, maxTokens: 4096 };
const persona = { prompt: 'You are Ada.' };

/** The avatars and their versions. Other items have the same ids. */
const avatarItems = async (api: ProjectApi) =>
  (await storedOf(api, 'avatars')).filter(({ persona: content }) => content !== undefined);
const avatarIn = async (api: ProjectApi, id: unknown) =>
  (await avatarItems(api)).find((item) => item.id === id);

const ofDeployed = async (api: ProjectApi) =>
  ((await api.send('GET', '/environments/production/config')).data.avatars as Json[])[0];

test('what was sent comes back in every response, event and entry of the log', async () => {
  const api = await openProject();
  const body = { name: 'Ada', persona, externalId: 'ada', model };
  const created = await api.send('POST', '/avatars', body);
  expect([created.status, created.data.model]).toEqual([201, model]);
  const { id } = created.data;
  const first = await avatarIn(api, id);
  expect((await api.send('PUT', '/avatars/by-external-id/ada', body)).data.outcome).toBe('unchanged');
  await deploy(api);
  const other = { modelId: 'local.extract' };
  expect((await api.send('PATCH', `/avatars/${id}`, { model: other })).data).toMatchObject({ version: 2 });
  const second = await avatarIn(api, id);
  // The model is replaced as a whole.
  expect((await api.send('GET', `/avatars/${id}`)).data.model).toEqual(other);
  expect((await api.send('GET', '/avatars')).data.items).toMatchObject([{ model: other }]);
  expect((await api.send('GET', `/avatars/${id}/versions/1`)).data.model).toEqual(model);
  expect((await ofDeployed(api))?.model).toEqual(model);
  const put = await api.send('PUT', '/avatars/by-external-id/ada', { name: 'Ada', persona });
  expect(put.data).toMatchObject({ outcome: 'updated', avatar: { model: null, version: 3 } });
  // A version is restored by sending its content.
  const { data: old } = await api.send('GET', `/avatars/${id}/versions/1`);
  expect((await api.send('PATCH', `/avatars/${id}`, { model: old.model })).data.model).toEqual(model);

  const records = [changeRecord(undefined, first), changeRecord(first, second)];
  for (const writer of [auditWriter, eventWriter])
    await deliverNotices(api.runtime, writer, noticesOf(writer, records, 'avatars'));
  const events = (await eventsOf(api)).filter(({ data }) => data.id === id);
  expect(events.map(({ data }) => data.model)).toContainEqual(model);
  const entries = (await allEvents(api, `&resourceId=${id}`)).map(({ changes }) => changes as Json);
  expect(entries).toContainEqual({
    fields: ['version', 'model'],
    before: { version: 1, model },
    after: { version: 2, model: other },
    omitted: [],
  });
});

describe('the hash of a deployment', () => {
  const avatar = {
    id: 'avtr_01ARZ3NDEKTSV4RRFFQ69G5FAV',
    name: 'Ada',
    persona: { prompt: 'You are Ada.', greeting: null, language: 'en' },
    voice: null,
    imageUrl: null,
    knowledgeTags: [],
    metadata: {},
  };
  // Hashes from before avatars had models, of an avatar without a runtime and with one.
  const vectors = [
    [avatar, 'af05eb4a708a1a6f4f837d1b3fe099cb9ae7ba0a34215d3139727aacd98f45e0'],
    [{ ...avatar, runtime: { a: 1 } }, '4547196533b42d9d677d261520d3a6824947ae9e391dfb7c723e2ce3c3f0d659'],
  ] as const;

  test.each(vectors)('of an avatar without a model is the same as before there were models', (one, hash) => {
    for (const same of [one, { ...one, model: null }, { ...one, model: undefined }])
      expect(configHashOf([same], null)).toBe(hash);
    expect(configHashOf([{ ...one, model }], null)).not.toBe(hash);
  });

  test('follows the model, and not the order of its fields', async () => {
    const api = await openProject();
    const { id } = await api.createAvatar();
    const without = await deploy(api);
    expect(await ofDeployed(api)).not.toHaveProperty('model');
    await api.send('PATCH', `/avatars/${id}`, { model });
    const withModel = await deploy(api);
    expect(withModel.configHash).not.toBe(without.configHash);
    const { maxTokens, ...others } = model;
    expect(
      (await api.send('PATCH', `/avatars/${id}`, { model: { maxTokens, ...others } })).data.version,
    ).toBe(2);
    const changes = async () => {
      const { id: deployment } = await deploy(api);
      const { data } = await api.send('GET', `/deployments/${deployment}/changes`);
      return (data.items as Json[]).map(({ fields, paths }) => ({ fields, paths }));
    };
    await api.send('PATCH', `/avatars/${id}`, { model: { ...model, temperature: 0 } });
    expect(await changes()).toEqual([{ fields: ['model'], paths: ['model.temperature'] }]);
    await api.send('PATCH', `/avatars/${id}`, { model: null });
    expect(await changes()).toEqual([{ fields: ['model'], paths: ['model'] }]);
    expect((await deploy(api)).configHash).toBe(without.configHash);
  });
});

test('an avatar of an earlier version of the service has no model, and the same hash', async () => {
  const api = await openProject();
  const { id } = await api.createAvatar();
  const { configHash } = await deploy(api);
  for (const { tenant, id: key } of await avatarItems(api))
    await api.runtime.client.send(
      new UpdateCommand({
        TableName: api.runtime.tableNames.avatars,
        Key: { tenant, id: key },
        UpdateExpression: 'REMOVE #m',
        ExpressionAttributeNames: { '#m': 'model' },
      }),
    );
  expect((await api.send('GET', `/avatars/${id}`)).data.model).toBeNull();
  expect((await api.send('GET', `/avatars/${id}/versions`)).data.items).toMatchObject([{ model: null }]);
  expect(await ofDeployed(api)).not.toHaveProperty('model');
  const unchanged = await api.send('POST', '/deployments', { environment: 'production', ifChanged: true });
  expect([unchanged.status, unchanged.data.configHash]).toEqual([200, configHash]);
  expect((await api.send('PATCH', `/avatars/${id}`, { model: null })).data.version).toBe(1);
  expect((await api.send('PATCH', `/avatars/${id}`, { model })).data).toMatchObject({ version: 2, model });
});

test.each([
  [{}, 'model.modelId'],
  [{ modelId: '' }, 'model.modelId'],
  [{ modelId: ' ' }, 'model.modelId'],
  [{ modelId: 'a\nb' }, 'model.modelId'],
  [{ modelId: 'x'.repeat(129) }, 'model.modelId'],
  [{ modelId: 'm', temperature: 1.01 }, 'model.temperature'],
  [{ modelId: 'm', temperature: -0.01 }, 'model.temperature'],
  [{ modelId: 'm', temperature: 0.125 }, 'model.temperature'],
  [{ modelId: 'm', temperature: 1e-200 }, 'model.temperature'],
  [{ modelId: 'm', temperature: null }, 'model.temperature'],
  [{ modelId: 'm', maxTokens: 0 }, 'model.maxTokens'],
  [{ modelId: 'm', maxTokens: 4097 }, 'model.maxTokens'],
  [{ modelId: 'm', maxTokens: 1.5 }, 'model.maxTokens'],
  [{ modelId: 'm', topP: 1 }, 'model.topP'],
])('400 validation_error: %j', async (sent, path) => {
  const api = await openProject();
  const { id } = await api.createAvatar({ externalId: 'x' });
  const requests = [
    await api.send('POST', '/avatars', { name: 'Ada', persona, model: sent }),
    await api.send('PATCH', `/avatars/${id}`, { model: sent }),
    await api.send('PUT', '/avatars/by-external-id/x', { name: 'Ada', persona, model: sent }),
  ];
  for (const { status, error } of requests) {
    expect(status).toBe(400);
    expect(error.details?.map((detail) => detail.path)).toEqual([path]);
  }
});

test('every temperature of two decimals is kept', async () => {
  const api = await openProject();
  const { id } = await api.createAvatar();
  for (const hundredths of [0, 1, 7, 28, 29, 57, 58, 99, 100]) {
    const { status, data } = await api.send('PATCH', `/avatars/${id}`, {
      model: { modelId: 'm', temperature: hundredths / 100 },
    });
    expect([status, data.model]).toEqual([200, { modelId: 'm', temperature: hundredths / 100 }]);
  }
  expect((await api.send('GET', `/avatars/${id}`)).data.model).toEqual({ modelId: 'm', temperature: 1 });
});
