import { describe, expect, test } from 'vitest';
import { openApi } from '../../../samples/api.ts';
import { refuses, responds } from '../../support/responses.ts';

const create = async (body: unknown) => (await openApi()).call('POST', '/projects', { body });

/** @returns the fields that were found wrong */
const faults = async (body: unknown) => (await create(body)).error.details?.map(({ path }) => path);

describe('projects.create', () => {
  responds(201, 'with an active project', async () => {
    const { call, rootKey } = await openApi();
    const me = await call('GET', '/api-keys/me', { key: rootKey });
    const response = await call('POST', '/projects', { body: { name: 'Support' } });
    const { id, createdAt } = response.data as { id: string; createdAt: string };
    expect(response.data).toEqual({
      id,
      externalId: null,
      name: 'Support',
      description: null,
      metadata: {},
      settings: {
        conversationTimeoutMinutes: 30,
        retentionDays: null,
        searchFields: [],
        maxConversationCostUsd: null,
      },
      status: 'active',
      createdAt,
      updatedAt: createdAt,
      createdBy: me.data.id,
    });
    expect(id).toMatch(/^proj_[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
    expect(createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    return response;
  });

  responds(201, 'and text comes back as it was sent', async () => {
    const { call } = await openApi();
    const body = {
      name: ' 名前 👩‍👩‍👧 é e\u0301 \u202e ',
      description: 'line one\nline two\t\u0000',
      metadata: { ключ: '', constructor: 'x', 'a.b': '\u2028' },
    };
    const response = await call('POST', '/projects', { body });
    expect(response.data).toMatchObject(body);
    const read = await call('GET', `/projects/${response.data.id}`);
    expect(read.data).toEqual(response.data);
    return response;
  });

  responds(201, 'with the settings that were sent, and those that were not as they usually are', async () => {
    const response = await create({ name: 'p', settings: { retentionDays: 3650 } });
    expect(response.data.settings).toEqual({
      conversationTimeoutMinutes: 30,
      retentionDays: 3650,
      searchFields: [],
      maxConversationCostUsd: null,
    });
    return response;
  });

  responds(201, 'at every limit, counted in characters', async () => {
    const pairs = Array.from({ length: 50 }, (_, index) => [`🔑${index}`.padEnd(41, 'k'), '🔑'.repeat(500)]);
    return create({
      name: '🚀'.repeat(100),
      description: 'é'.repeat(1000),
      metadata: Object.fromEntries(pairs),
    });
  });

  refuses('insufficient_scope', 'a key that is bound to projects', async () => {
    const { call, createKey, createProject } = await openApi();
    const projectIds = [await createProject()];
    const { secret } = await createKey({ scopes: ['projects:write'], projectIds });
    return call('POST', '/projects', { key: secret, body: { name: 'more' } });
  });

  test('400 names every field that is wrong, at once', async () => {
    expect(await faults({ name: '', description: 5, metadata: { a: 1 }, colour: 'red' })).toEqual([
      'name',
      'description',
      'metadata.a',
      'colour',
    ]);
  });

  test.each([
    ['no name', {}, 'name'],
    ['a name of 101 characters', { name: 'x'.repeat(101) }, 'name'],
    ['a line break in the name', { name: 'a\nb' }, 'name'],
    ['a C1 control character in the name', { name: 'a\u0085b' }, 'name'],
    ['half a character in the name', { name: 'a\ud83d' }, 'name'],
    ['half a character in the description', { name: 'a', description: '\udc00' }, 'description'],
    ['a description of 1001 characters', { name: 'a', description: 'x'.repeat(1001) }, 'description'],
    ['a null name', { name: null }, 'name'],
    ['a blank name', { name: ' \u00a0\u200b\u2028' }, 'name'],
    ['metadata as a list', { name: 'a', metadata: [] }, 'metadata'],
    ['nested metadata', { name: 'a', metadata: { a: { b: 'c' } } }, 'metadata.a'],
    ['an empty name in the metadata', { name: 'a', metadata: { '': 'x' } }, 'metadata.'],
    [
      'a metadata name of 41 characters',
      { name: 'a', metadata: { ['k'.repeat(41)]: 'x' } },
      `metadata.${'k'.repeat(41)}`,
    ],
    ['a metadata value of 2,001 characters', { name: 'a', metadata: { k: 'x'.repeat(2001) } }, 'metadata.k'],
    [
      '51 pairs',
      { name: 'a', metadata: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, 'v'])) },
      'metadata',
    ],
    [
      'no minute',
      { name: 'a', settings: { conversationTimeoutMinutes: 0 } },
      'settings.conversationTimeoutMinutes',
    ],
    [
      '1441 minutes',
      { name: 'a', settings: { conversationTimeoutMinutes: 1441 } },
      'settings.conversationTimeoutMinutes',
    ],
    ['half a day', { name: 'a', settings: { retentionDays: 0.5 } }, 'settings.retentionDays'],
    ['3651 days', { name: 'a', settings: { retentionDays: 3651 } }, 'settings.retentionDays'],
    ['an unknown setting', { name: 'a', settings: { colour: 'red' } }, 'settings.colour'],
    ['an id', { name: 'a', id: 'proj_01JZ4Y7Q8R5T2V9W3X6B0C1D4E' }, 'id'],
  ])('400 validation_error: %s', async (_, body, path) => {
    expect(await faults(body)).toEqual([path]);
  });

  refuses('external_id_taken', 'another project has the externalId', async () => {
    const { call } = await openApi();
    const first = await call('POST', '/projects', { body: { name: 'a', externalId: 'x' } });
    expect([first.status, first.data.externalId]).toEqual([201, 'x']);
    const response = await call('POST', '/projects', { body: { name: 'b', externalId: 'x' } });
    expect(response.error.message).toContain(first.data.id);
    expect((await call('GET', '/projects')).data.items).toEqual([first.data]);
    return response;
  });

  test('the first 100 of many errors are listed', async () => {
    const unknown = Array.from({ length: 150 }, (_, n) => [`field${n}`, 1]);
    const found = await faults({ name: 'Support', ...Object.fromEntries(unknown) });
    expect(found).toEqual(unknown.slice(0, 100).map(([name]) => name));
  });
});
