import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { dayMs } from '../../../lib/base/time.ts';
import { type Json, openApi, storedOf } from '../../../samples/api.ts';
import { responds } from '../../support/responses.ts';

const idsOf = (data: Json) => (data.items as { id: string }[]).map(({ id }) => id);

async function withOneOfEach() {
  const api = await openApi();
  const expired = await api.createKey({ expiresIn: '1d' });
  api.advance(2 * dayMs);
  const revoked = await api.createKey({});
  await api.call('DELETE', `/api-keys/${revoked.id}`);
  const active = await api.createKey({});
  const root = (await api.call('GET', '/api-keys/me')).data as { id: string };
  return { ...api, expired, revoked, active, root };
}

describe('api-keys.list', () => {
  responds(200, 'newest first, with the status of each, and no secret', async () => {
    const { call, active, revoked, expired, root } = await withOneOfEach();
    const response = await call('GET', '/api-keys');
    expect((response.data.items as Json[]).map(({ id, status }) => [id, status])).toEqual([
      [active.id, 'active'],
      [revoked.id, 'revoked'],
      [expired.id, 'expired'],
      [root.id, 'active'],
    ]);
    for (const { secret } of [active, revoked, expired]) expect(response.text).not.toContain(secret);
    return response;
  });

  test('filters by status', async () => {
    const { call, active, revoked, expired, root } = await withOneOfEach();
    const list = async (status: string) => idsOf((await call('GET', `/api-keys?status=${status}`)).data);
    expect(await list('active')).toEqual([active.id, root.id]);
    expect(await list('revoked')).toEqual([revoked.id]);
    expect(await list('expired')).toEqual([expired.id]);
    expect((await call('GET', '/api-keys?status=gone')).error.code).toBe('validation_error');
  });

  test('filters by creator', async () => {
    const { call, createKey } = await openApi();
    const creator = await createKey({ scopes: ['api-keys:write', 'projects:read'] });
    const child = await createKey({ scopes: ['api-keys:write'] }, creator.secret);
    const ended = await createKey({}, creator.secret);
    await createKey({ scopes: ['api-keys:read'] }, child.secret);
    await call('DELETE', `/api-keys/${ended.id}`);
    const list = async (query: string) => idsOf((await call('GET', `/api-keys?${query}`)).data);
    expect(await list(`createdBy=${creator.id}`)).toEqual([ended.id, child.id]);
    expect(await list(`createdBy=${creator.id}&status=active`)).toEqual([child.id]);
    expect(await list(`createdBy=${ended.id}`)).toEqual([]);
    for (const query of ['createdBy=bootstrap', 'createdBy=', `createdBy=proj_${creator.id.slice(4)}`]) {
      expect((await call('GET', `/api-keys?${query}`)).error.code).toBe('validation_error');
    }
  });

  test('filters by expiry', async () => {
    const { call, createKey, active } = await withOneOfEach();
    const soon = await createKey({ expiresIn: '1h' });
    const before = encodeURIComponent(
      new Date(
        Date.parse(String((await call('GET', `/api-keys/${soon.id}`)).data.expiresAt)) + 1,
      ).toISOString(),
    );
    const list = async (query: string) => idsOf((await call('GET', `/api-keys?status=active&${query}`)).data);
    expect(await list(`expiresBefore=${before}`)).toEqual([soon.id]);
    expect(await list('expiresBefore=2100-01-01T00:00:00Z')).toEqual([soon.id, active.id]);
    expect((await call('GET', '/api-keys?expiresBefore=soon')).error.code).toBe('validation_error');
  });

  test('pages', async () => {
    const { call, active, revoked, expired, root } = await withOneOfEach();
    const first = await call('GET', '/api-keys?limit=3');
    expect(idsOf(first.data)).toEqual([active.id, revoked.id, expired.id]);
    const second = await call('GET', `/api-keys?limit=3&cursor=${first.data.nextCursor}`);
    expect(second.data).toMatchObject({ items: [{ id: root.id }], nextCursor: null });
  });

  test('what ended 30 days ago is gone, although TTL has not come round', async () => {
    const { call, advance, expired, revoked, active, root } = await withOneOfEach();
    advance(29 * dayMs - 5000);
    expect(idsOf((await call('GET', '/api-keys')).data)).toHaveLength(4);
    advance(5000);
    expect(idsOf((await call('GET', '/api-keys')).data)).toEqual([active.id, revoked.id, root.id]);
    expect((await call('GET', `/api-keys/${expired.id}`)).status).toBe(404);
    advance(2 * dayMs);
    expect(idsOf((await call('GET', '/api-keys')).data)).toEqual([active.id, root.id]);
  });

  test('a key that is bound to projects sees the keys that are bound to no others', async () => {
    const { call, createKey, createProject } = await openApi();
    const [mine, other] = [await createProject(), await createProject()];
    const scopes = ['api-keys:read', 'projects:read'];
    const own = await createKey({ scopes, projectIds: [mine] });
    await createKey({ projectIds: [other] });
    await createKey({ projectIds: [mine, other] });
    const { data } = await call('GET', '/api-keys', { key: own.secret });
    expect(idsOf(data)).toEqual([own.id]);
  });

  test('a cursor of a bound key names no key that it may not see, and loses none that it may', {
    tags: ['long'],
  }, async () => {
    const api = await openApi();
    const [mine, other] = [await api.createProject(), await api.createProject()];
    const scopes = ['api-keys:read', 'projects:read'];
    const own = await api.createKey({ scopes, projectIds: [mine] });
    const first = (await storedOf(api, 'apiKeys')).find(({ id }) => id === own.id) as Json;
    // Past the API: 1500 keys of another project, every 500th of them of this one, three in each millisecond.
    const hidden: string[] = [];
    const visible: string[] = [own.id];
    const requests = Array.from({ length: 1500 }, (_, n) => {
      const id = api.runtime.newId('apiKey', 0, Date.parse('2030-01-01') + Math.floor(n / 3));
      const isMine = n % 500 === 0;
      (isMine ? visible : hidden).push(id);
      return { PutRequest: { Item: { ...first, id, projectIds: [isMine ? mine : other] } } };
    });
    for (let start = 0; start < requests.length; start += 25) {
      const RequestItems = { [api.runtime.tableNames.apiKeys as string]: requests.slice(start, start + 25) };
      await api.runtime.client.send(new BatchWriteCommand({ RequestItems }));
    }
    for (const limit of [1, 2, 100]) {
      const found: string[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const query = `limit=${limit}${cursor && `&cursor=${cursor}`}`;
        const { data } = await api.call('GET', `/api-keys?${query}`, { key: own.secret });
        found.push(...idsOf(data));
        cursor = data.nextCursor as string | null;
        const told = Buffer.from(cursor ?? '', 'base64url').toString();
        expect(hidden.filter((id) => told.includes(id))).toEqual([]);
      }
      expect(found).toEqual([...visible].sort().reverse());
    }
  });
});
