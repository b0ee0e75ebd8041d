import { describe, expect, test } from 'vitest';
import { getContents } from '../../../../lib/documents/store/contents.ts';
import { pageDocuments } from '../../../../lib/documents/store/documents.ts';
import { readerVersion } from '../../../../lib/readers/types.ts';
import type { Json } from '../../../../samples/api.ts';
import { type Knowledge, noise, openKnowledge } from '../../../support/knowledge.ts';
import { responds } from '../../../support/responses.ts';

const idsOf = (items: unknown) => (items as Json[]).map(({ id }) => id);

/** Creates them one after the other; the newest is the first. */
async function withDocuments(bodies: readonly Json[]) {
  const api = await openKnowledge();
  const ids: unknown[] = [];
  for (const body of bodies) {
    ids.unshift((await api.create(body)).id);
    api.advance(1000);
  }
  return { ...api, ids };
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => ({ externalId: `${index}` }));

/** @returns every page's ids, one after the other */
async function pages({ call, path }: Knowledge, query: string): Promise<unknown[][]> {
  const found: unknown[][] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { status, text, data } = await call('GET', `${path}?${query}${cursor && `&cursor=${cursor}`}`);
    expect(status, text).toBe(200);
    found.push(idsOf(data.items));
    cursor = data.nextCursor as string | null;
  }
  return found;
}

describe('knowledge.documents.list', () => {
  responds(200, 'newest first, without the contents', async () => {
    const api = await withDocuments(numbered(5));
    const response = await api.call('GET', api.path);
    expect(idsOf(response.data.items)).toEqual(api.ids);
    expect(response.text).not.toContain('content"');
    expect(await pages(api, 'limit=2')).toEqual([api.ids.slice(0, 2), api.ids.slice(2, 4), api.ids.slice(4)]);
    return response;
  });

  responds(200, 'with an empty list for a new project', async () => {
    const { call, path } = await openKnowledge();
    const response = await call('GET', path);
    expect(response.data).toEqual({ items: [], nextCursor: null, readerVersion });
    return response;
  });

  test('filters by status and by tag, and by both', async () => {
    const tags = [['a'], ['a', 'b'], ['b'], [], ['A']];
    const api = await withDocuments(tags.map((names) => ({ tags: names })));
    const [fifth, fourth, third, second, first] = api.ids;
    await api.index(first);
    await api.index(third);
    await api.index(fourth, 'failed');
    expect((await pages(api, 'tag=a&limit=1')).flat()).toEqual([second, first]);
    expect((await pages(api, 'tag=b')).flat()).toEqual([third, second]);
    expect((await pages(api, 'status=indexed&limit=1')).flat()).toEqual([third, first]);
    expect((await pages(api, 'status=pending')).flat()).toEqual([fifth, second]);
    expect((await pages(api, 'status=failed')).flat()).toEqual([fourth]);
    expect((await pages(api, 'status=indexed&tag=a')).flat()).toEqual([first]);
    expect((await pages(api, 'tag=c')).flat()).toEqual([]);
  });

  test('filters by externalId, exactly', async () => {
    const api = await withDocuments([{ externalId: 'a/b c' }, { externalId: 'a', tags: ['x'] }, {}]);
    expect(await pages(api, 'externalId=a%2Fb%20c')).toEqual([[api.ids[2]]]);
    expect(await pages(api, 'externalId=a')).toEqual([[api.ids[1]]]);
    expect(await pages(api, 'externalId=a&tag=x&status=pending')).toEqual([[api.ids[1]]]);
    expect(await pages(api, 'externalId=a&tag=y')).toEqual([[]]);
    expect(await pages(api, 'externalId=A')).toEqual([[]]);
  });

  test('filters by time of change: from is included, after is not', async () => {
    const api = await withDocuments(numbered(3));
    const [newest, middle, oldest] = (await api.listed()) as [Json, Json, Json];
    const changedAfter = (time: unknown) => pages(api, `updatedAfter=${time}`).then((found) => found.flat());
    expect(await changedAfter(middle.updatedAt)).toEqual([newest.id]);
    expect(await pages(api, `updatedFrom=${middle.updatedAt}`)).toEqual([[newest.id, middle.id]]);
    const { data } = await api.call('PATCH', `${api.path}/${oldest.id}`, { body: { title: 'new' } });
    expect(await changedAfter(middle.updatedAt)).toEqual([newest.id, oldest.id]);
    expect(await changedAfter(data.updatedAt)).toEqual([]);
    await api.index(newest.id);
    expect(await changedAfter(newest.updatedAt)).toEqual([oldest.id]);
  });

  test('a cursor is worth nothing in another project', async () => {
    const api = await withDocuments(numbered(2));
    const other = api.path.replace(api.projectId, await api.createProject());
    const { data } = await api.call('GET', `${api.path}?limit=1`);
    const { error } = await api.call('GET', `${other}?limit=1&cursor=${data.nextCursor}`);
    expect(error.details?.map(({ path }) => path)).toEqual(['cursor']);
  });

  test.each(['status=deleted', 'tag=', 'externalId=', 'updatedAfter=yesterday', 'limit=0', 'createdAfter=x'])(
    '400 validation_error: ?%s',
    async (query) => {
      const { call, path } = await openKnowledge();
      const { error } = await call('GET', `${path}?${query}`);
      expect(error.details?.map(({ path: field }) => field)).toEqual([query.split('=')[0]]);
    },
  );
});

describe('the indexer', () => {
  test('reads documents oldest first, page by page, and meets those that come meanwhile', async () => {
    const api = await withDocuments(numbered(5));
    const read: unknown[] = [];
    let after: string | undefined;
    for (let count = 1; ; count += 1) {
      const page = await pageDocuments(api.store, { after, limit: 2 });
      read.push(...idsOf(page.items));
      if (count === 1) api.ids.unshift((await api.create()).id);
      if (page.next === null) break;
      after = page.next;
    }
    expect(read).toEqual(api.ids.toReversed());
    const last = api.ids[0] as string;
    const behind = await pageDocuments(api.store, { after: last, limit: 2 });
    expect(behind).toEqual({ items: [], next: null });
    expect((await pageDocuments(api.store, { after: undefined, limit: 6 })).next).toBeNull();
  });

  test('reads the contents of a hundred documents, also where they are more than one answer holds', {
    tags: ['long'],
  }, async () => {
    const api = await openKnowledge();
    const content = (seed: number) => noise(200 * 1024, seed);
    const ids: string[] = [];
    for (let start = 0; start < 100; start += 10) {
      const made = Array.from({ length: 10 }, (_, index) => api.create({ content: content(start + index) }));
      ids.push(...(await Promise.all(made)).map(({ id }) => id as string));
    }
    const found = await getContents(api.store, ids);
    expect(found.map(({ id }) => id).sort()).toEqual(ids.toSorted());
    for (const { id, read } of found) expect(await read()).toBe(content(ids.indexOf(id)));
    const gone = ids[0] as string;
    await api.call('DELETE', `${api.path}/${gone}`);
    expect(await getContents(api.store, [gone])).toEqual([]);
  });

  test('marks the version that it read, and no other', async () => {
    const { call, path, create, stored, mark } = await openKnowledge();
    const { id } = await create();
    const read = await stored(id);
    if (!read) throw new Error('there is none');
    await call('PATCH', `${path}/${id}`, { body: { content: 'newer' } });
    expect(await mark(read)).toBe(false);
    expect((await stored(id))?.status).toBe('pending');
    await call('DELETE', `${path}/${id}`);
    expect(await mark(read)).toBe(false);
    expect(await stored(id)).toBeUndefined();
  });
});
