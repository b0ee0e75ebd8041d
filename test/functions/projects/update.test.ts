import { describe, expect, test } from 'vitest';
import { openApi } from '../../../samples/api.ts';
import { refuses, responds } from '../../support/responses.ts';

describe('projects.update', () => {
  responds(200, 'with the fields that were sent changed, and no other', async () => {
    const { call, advance } = await openApi();
    const { data: before } = await call('POST', '/projects', {
      body: { name: 'old', description: 'text', metadata: { a: '1' } },
    });
    advance(1000);
    const response = await call('PATCH', `/projects/${before.id}`, { body: { name: 'new' } });
    expect(response.data).toEqual({ ...before, name: 'new', updatedAt: response.data.updatedAt });
    expect(Date.parse(response.data.updatedAt as string)).toBeGreaterThan(
      Date.parse(before.updatedAt as string),
    );
    expect((await call('GET', `/projects/${before.id}`)).data).toEqual(response.data);
    return response;
  });

  responds(200, 'and metadata is replaced as a whole, a description taken away by null', async () => {
    const { call } = await openApi();
    const { data } = await call('POST', '/projects', {
      body: { name: 'p', description: 'text', metadata: { a: '1', b: '2' } },
    });
    const body = { metadata: { c: '3' }, description: null };
    const response = await call('PATCH', `/projects/${data.id}`, { body });
    expect(response.data).toMatchObject(body);
    expect(response.data.metadata).toEqual({ c: '3' });
    return response;
  });

  responds(200, 'and of the settings those that are sent change', async () => {
    const { call, createProject } = await openApi();
    const id = await createProject({ settings: { conversationTimeoutMinutes: 5, retentionDays: 7 } });
    await call('PATCH', `/projects/${id}`, { body: { settings: { conversationTimeoutMinutes: 6 } } });
    const limit = { settings: { maxConversationCostUsd: 0.000_001 } };
    expect((await call('PATCH', `/projects/${id}`, { body: limit })).data).toMatchObject(limit);
    const response = await call('PATCH', `/projects/${id}`, { body: { settings: { retentionDays: null } } });
    expect(response.data.settings).toEqual({
      conversationTimeoutMinutes: 6,
      retentionDays: null,
      searchFields: [],
      maxConversationCostUsd: 0.000_001,
    });
    expect((await call('GET', `/projects/${id}`)).data).toEqual(response.data);
    return response;
  });

  responds(200, 'to and from archived', async () => {
    const { call, createProject } = await openApi();
    const id = await createProject();
    const archived = await call('PATCH', `/projects/${id}`, { body: { status: 'archived' } });
    expect(archived.data.status).toBe('archived');
    const response = await call('PATCH', `/projects/${id}`, { body: { status: 'active', name: 'back' } });
    expect(response.data).toMatchObject({ status: 'active', name: 'back' });
    return response;
  });

  refuses('not_found', 'a deleted project', async () => {
    const { call, createProject } = await openApi();
    const id = await createProject();
    await call('DELETE', `/projects/${id}`);
    return call('PATCH', `/projects/${id}`, { body: { name: 'x' } });
  });

  test.each([
    [{}, ''],
    [{ status: 'deleted' }, 'status'],
    [{ name: null }, 'name'],
    [{ metadata: null }, 'metadata'],
    [{ name: 'a\u0000' }, 'name'],
    [{ id: 'proj_01JZ4Y7Q8R5T2V9W3X6B0C1D4E', name: 'x' }, 'id'],
    [{ settings: { searchFields: null } }, 'settings.searchFields'],
    [{ settings: { searchFields: ['a', 'a'] } }, 'settings.searchFields'],
    [
      { settings: { searchFields: Array.from({ length: 11 }, (_, at) => `f${at}`) } },
      'settings.searchFields',
    ],
    [{ settings: { searchFields: ['ok', 'a:b'] } }, 'settings.searchFields.1'],
    [{ settings: { searchFields: [''] } }, 'settings.searchFields.0'],
    [{ settings: { searchFields: ['a'.repeat(41)] } }, 'settings.searchFields.0'],
    [{ settings: { maxConversationCostUsd: 0 } }, 'settings.maxConversationCostUsd'],
    [{ settings: { maxConversationCostUsd: 0.000_000_9 } }, 'settings.maxConversationCostUsd'],
    [{ settings: { maxConversationCostUsd: 1000.01 } }, 'settings.maxConversationCostUsd'],
    [{ settings: { maxConversationCostUsd: '1' } }, 'settings.maxConversationCostUsd'],
    [{ createdAt: '2026-01-01T00:00:00.000Z', name: 'x' }, 'createdAt'],
  ])('400 validation_error: %j', async (body, path) => {
    const { call, createProject } = await openApi();
    const { error } = await call('PATCH', `/projects/${await createProject()}`, { body });
    expect(error.details?.map((detail) => detail.path)).toEqual([path]);
  });

  test('changes of different fields at the same time all take effect', async () => {
    const { call, createProject } = await openApi();
    const id = await createProject({ description: 'old' });
    const bodies = [
      { name: 'new' },
      { description: 'new' },
      { metadata: { a: '1' } },
      { status: 'archived' },
    ];
    const responses = await Promise.all(bodies.map((body) => call('PATCH', `/projects/${id}`, { body })));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const { data } = await call('GET', `/projects/${id}`);
    expect(data).toMatchObject(Object.assign({}, ...bodies));
  });

  refuses('external_id_taken', 'another project, unnamed, has the externalId', async () => {
    const { call, createProject } = await openApi();
    const first = await createProject({ externalId: 'x' });
    const second = await createProject({ externalId: 'y' });
    const name = (id: string, externalId: string | null) =>
      call('PATCH', `/projects/${id}`, { body: { externalId } });
    const response = await name(second, 'x');
    expect(response.error.message).not.toContain(first);
    // A name that is free again can be taken, and the own one kept.
    expect((await name(first, null)).data.externalId).toBe(null);
    expect((await name(second, 'x')).data.externalId).toBe('x');
    expect((await name(second, 'x')).status).toBe(200);
    expect((await name(first, 'y')).status).toBe(200);
    return response;
  });
});
