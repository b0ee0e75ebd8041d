/** An upsert takes the externalId of its path in the body, too, so that a stored resource can be sent back. */

import { beforeAll, describe, expect, test } from 'vitest';
import { endpoints } from '../../functions/index.ts';
import { type ContractApi, openApi } from '../../samples/api.ts';
import { sampleOf } from '../../samples/samples.ts';

const upserts = endpoints.filter(({ path }) => path.endsWith('/{external_id}'));

let api: ContractApi;
beforeAll(async () => {
  api = await openApi();
});

test('projects, avatars, conversations and documents have upserts', () => {
  expect(upserts.map(({ id }) => id).sort()).toEqual([
    'avatars.put',
    'conversations.put',
    'knowledge.documents.put',
    'projects.put',
  ]);
});

describe.each(upserts)('$id', ({ id, method }) => {
  test('takes the externalId of its path, and stores the same', async () => {
    const { path, body } = await sampleOf(id, api);
    const externalId = decodeURIComponent(path.split('/').at(-1) ?? '');
    const created = await api.call(method, path, { body: { ...body, externalId } });
    expect(created).toMatchObject({ status: 201, data: { outcome: 'created' } });
    const [stored] = Object.values(created.data).filter((value) => typeof value === 'object');
    expect(stored).toMatchObject({ externalId });
    for (const sent of [{ ...body, externalId }, { ...body }])
      expect(await api.call(method, path, { body: sent })).toMatchObject({ data: { outcome: 'unchanged' } });
  });

  test('refuses another externalId, and null, and creates nothing', async () => {
    const { path, body } = await sampleOf(id, api);
    const refused = await api.call(method, path, { body: { ...body, externalId: 'another' } });
    expect(refused).toMatchObject({
      status: 400,
      error: {
        code: 'validation_error',
        details: [{ path: 'externalId', message: 'must equal the externalId of the path' }],
      },
    });
    expect(await api.call(method, path, { body: { ...body, externalId: null } })).toMatchObject({
      status: 400,
      error: { details: [{ path: 'externalId' }] },
    });
    expect((await api.call(method, path, { body: { ...body } })).status).toBe(201);
  });
});
