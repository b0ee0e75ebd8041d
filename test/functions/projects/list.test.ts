import { describe, expect, test } from 'vitest';
import { fillProjects } from '../../../bench/fill.ts';
import { type Json, openApi, type TestApi } from '../../../samples/api.ts';
import { responds } from '../../support/responses.ts';

const idsOf = (data: Json) => (data.items as { id: string }[]).map(({ id }) => id);

async function withProjects(count: number): Promise<{ api: TestApi; ids: string[] }> {
  const api = await openApi();
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    ids.unshift(await api.createProject({ name: `p${index}` }));
  }
  return { api, ids };
}

/** @returns every page's ids, one after the other */
async function pages(api: TestApi, query: string, key?: string): Promise<string[][]> {
  const found: string[][] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const path = `/projects?${query}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
    const { status, text, data } = await api.call('GET', path, key === undefined ? {} : { key });
    expect(status, text).toBe(200);
    found.push(idsOf(data));
    cursor = data.nextCursor as string | null;
  }
  return found;
}

describe('projects.list', () => {
  responds(200, 'newest first, 25 to a page', async () => {
    const { api, ids } = await withProjects(26);
    const response = await api.call('GET', '/projects');
    expect(idsOf(response.data)).toEqual(ids.slice(0, 25));
    expect(await pages(api, '')).toEqual([ids.slice(0, 25), ids.slice(25)]);
    return response;
  });

  responds(200, 'with an empty list for a new organisation', async () => {
    const { call } = await openApi();
    const response = await call('GET', '/projects');
    expect(response.data).toEqual({ items: [], nextCursor: null });
    return response;
  });

  test('the last page that is full ends the list', async () => {
    const { api, ids } = await withProjects(4);
    expect(await pages(api, 'limit=2')).toEqual([ids.slice(0, 2), ids.slice(2)]);
    expect(await pages(api, 'limit=100')).toEqual([ids]);
  });

  test('a page goes on where the last one ended, whatever has come and gone since', async () => {
    const { api, ids } = await withProjects(5);
    const first = await api.call('GET', '/projects?limit=2');
    await api.createProject();
    await api.call('DELETE', `/projects/${ids[1]}`);
    const second = await api.call('GET', `/projects?limit=5&cursor=${first.data.nextCursor}`);
    expect(idsOf(second.data)).toEqual(ids.slice(2));
  });

  test('filters by status', async () => {
    const { api, ids } = await withProjects(6);
    const archived = [ids[1], ids[4]] as string[];
    for (const id of archived) await api.call('PATCH', `/projects/${id}`, { body: { status: 'archived' } });
    const active = ids.filter((id) => !archived.includes(id));
    expect((await pages(api, 'status=archived&limit=1')).flat()).toEqual(archived);
    expect((await pages(api, 'status=active&limit=3')).flat()).toEqual(active);
    expect((await pages(api, 'limit=3')).flat()).toEqual(ids);
  });

  test('filters by time of creation: from is included, before and after are not', async () => {
    const api = await openApi();
    const ids: string[] = [];
    const times: string[] = [];
    for (let index = 0; index < 3; index += 1) {
      const { data } = await api.call('POST', '/projects', { body: { name: 'p' } });
      ids.unshift(data.id as string);
      times.unshift(data.createdAt as string);
      api.advance(1000);
    }
    const [newest, middle, oldest] = times;
    expect(await pages(api, `createdAfter=${middle}`)).toEqual([[ids[0]]]);
    expect(await pages(api, `createdFrom=${middle}`)).toEqual([[ids[0], ids[1]]]);
    expect(await pages(api, `createdFrom=${middle}&createdBefore=${newest}`)).toEqual([[ids[1]]]);
    expect(await pages(api, `createdBefore=${middle}`)).toEqual([[ids[2]]]);
    expect(await pages(api, `createdAfter=${oldest}&createdBefore=${newest}`)).toEqual([[ids[1]]]);
    expect(await pages(api, `createdAfter=${newest}&createdBefore=${oldest}`)).toEqual([[]]);
    expect(await pages(api, 'createdBefore=1950-01-01T00:00:00Z')).toEqual([[]]);
    expect(await pages(api, 'createdAfter=9999-12-31T23:59:59Z')).toEqual([[]]);
    const offset = (middle ?? '').replace('Z', '%2B00:00');
    expect(await pages(api, `createdAfter=${offset}&limit=1`)).toEqual([[ids[0]]]);
  });

  test('a deleted project is not in it, and costs nothing', async () => {
    const { api, ids } = await withProjects(3);
    await api.call('DELETE', `/projects/${ids[1]}`);
    expect(await pages(api, '')).toEqual([[ids[0], ids[2]]]);
  });

  test('a key that is bound to projects sees these', async () => {
    const { api, ids } = await withProjects(5);
    const projectIds = [ids[0], ids[2], ids[3]];
    const { secret } = await api.createKey({ projectIds });
    expect(await pages(api, 'limit=2', secret)).toEqual([[ids[0], ids[2]], [ids[3]]]);
    await api.call('PATCH', `/projects/${ids[2]}`, { body: { status: 'archived' } });
    expect(await pages(api, 'status=archived', secret)).toEqual([[ids[2]]]);
  });

  test('live and test mode have lists of their own, and so has every organisation', async () => {
    const { api } = await withProjects(1);
    const key = await api.testModeKey();
    expect(await pages(api, '', key)).toEqual([[]]);
    expect(await pages(await openApi(), '')).toEqual([[]]);
  });

  test('a cursor is worth nothing to another tenant, another list or another filter', async () => {
    const { api } = await withProjects(3);
    const { data } = await api.call('GET', '/projects?limit=1');
    const cursor = data.nextCursor as string;
    const other = await openApi();
    await other.createProject();
    const refused = [
      await other.call('GET', `/projects?cursor=${cursor}`),
      await api.call('GET', `/projects?cursor=${cursor}`, { key: await api.testModeKey() }),
      await api.call('GET', `/projects?status=active&cursor=${cursor}`),
      await api.call('GET', `/api-keys?cursor=${cursor}`),
      await api.call('GET', `/projects?cursor=${cursor.slice(0, -1)}`),
      await api.call('GET', '/projects?cursor=x'),
      await api.call('GET', '/projects?cursor='),
    ];
    for (const { error } of refused) {
      expect(error.code).toBe('validation_error');
      expect(error.details?.map(({ path }) => path)).toEqual(['cursor']);
    }
    expect((await api.call('GET', `/projects?limit=2&cursor=${cursor}`)).status).toBe(200);
  });

  test.each([
    'limit=0',
    'limit=101',
    'limit=-1',
    'limit=1.5',
    'limit=1e1',
    'limit=',
    'limit=%2010',
    'limit=10&limit=20',
    'status=deleted',
    'status=',
    'status=Active',
    'createdAfter=yesterday',
    'createdAfter=2026-01-01T00:00:00Z&createdFrom=2026-01-01T00:00:00Z',
    'createdAfter=2026-02-30T00:00:00Z',
    'createdAfter=2026-01-01',
    'createdBefore=1767225600',
    'Limit=10',
  ])('400 validation_error: ?%s', async (query) => {
    const { call } = await openApi();
    const { error } = await call('GET', `/projects?${query}`);
    expect(error.code).toBe('validation_error');
    expect(error.details?.map(({ path }) => path)).toEqual([query.split('=')[0]]);
  });

  test('where few of many match, a page ends all the same and the cursor goes on', async () => {
    const api = await openApi();
    const tenant = `${api.organisationId}#live`;
    await fillProjects(api.runtime, { tenant, from: 0, to: 1 });
    await fillProjects(api.runtime, { tenant, from: 1, to: 1500, status: 'archived' });
    const found = await pages(api, 'status=active');
    expect(found.map((ids) => ids.length)).toEqual([0, 1]);
  });
});
