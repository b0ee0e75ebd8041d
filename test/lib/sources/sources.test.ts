/** Documents of several sources in one project: synchronising one source never changes another. */

import { describe, expect, test } from 'vitest';
import type { Json } from '../../../samples/api.ts';
import { openKnowledge } from '../../support/knowledge.ts';

const idOf = ({ data }: { data: Json }) => (data.document as Json).id;

describe('an externalId', () => {
  test('names one document of each source, and one without a source', async () => {
    const { put, listed } = await openKnowledge();
    const sent = [{ source: 'a' }, { source: 'b' }, {}];
    const first = [];
    for (const body of sent) first.push(await put('README.md', { ...body, content: `of ${body.source}` }));
    expect(first.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(first.map(idOf)).size).toBe(3);
    const second = [];
    for (const body of sent) second.push(await put('README.md', { ...body, content: 'new' }));
    expect(second.map(({ data }) => data.outcome)).toEqual(['updated', 'updated', 'updated']);
    expect(second.map(idOf)).toEqual(first.map(idOf));
    const ids = first.map(idOf).reverse();
    expect((await listed('externalId=README.md')).map(({ id }) => id)).toEqual(ids);
    expect((await listed('externalId=README.md&source=a')).map(({ source }) => source)).toEqual(['a']);
    expect(await listed('externalId=README.md&source=c')).toEqual([]);
  });

  test('is listed page by page where many sources have it', async () => {
    const { call, path, put } = await openKnowledge();
    for (const source of ['a', 'b', 'c', 'd', 'e']) await put('x', { source });
    const found: unknown[] = [];
    for (let cursor = ''; ; ) {
      const { data } = await call('GET', `${path}?externalId=x&limit=2${cursor}`);
      found.push(...(data.items as Json[]).map(({ source }) => source));
      if (data.nextCursor === null) break;
      cursor = `&cursor=${data.nextCursor}`;
    }
    expect(found).toEqual(['e', 'd', 'c', 'b', 'a']);
  });

  test('may be repeated in a batch, for another source', async () => {
    const { batch, listed } = await openKnowledge();
    const of = (source?: string) => ({
      ...(source && { source }),
      externalId: 'x',
      title: 't',
      content: 'c',
    });
    const { data } = await batch([of('a'), of('b'), of()]);
    expect((data.results as Json[]).map(({ outcome }) => outcome)).toEqual(['created', 'created', 'created']);
    const again = await batch([of(), of('b'), of('a')]);
    expect((again.data.results as Json[]).map(({ outcome }) => outcome)).toEqual(Array(3).fill('unchanged'));
    expect((await listed()).map(({ source }) => source).sort()).toEqual(['a', 'b', null]);
    const twice = await batch([of('a'), of('a')]);
    expect(twice.error.details).toEqual([{ path: 'documents.1.externalId', message: 'must be unique' }]);
  });

  test('is unique within its source', async () => {
    const { call, path, create, put } = await openKnowledge();
    const { id } = await create({ source: 'a', externalId: 'x' });
    const body = { title: 't', content: 'c', externalId: 'x' };
    expect((await call('POST', path, { body: { ...body, source: 'b' } })).status).toBe(201);
    expect((await call('POST', path, { body: { ...body, source: 'a' } })).error.code).toBe(
      'external_id_taken',
    );
    const other = idOf(await put('y', { source: 'b' }));
    const move = (changes: Json) => call('PATCH', `${path}/${other}`, { body: changes });
    expect((await move({ externalId: 'x' })).error.code).toBe('external_id_taken');
    expect((await move({ externalId: 'x', source: 'c' })).data).toMatchObject({
      externalId: 'x',
      source: 'c',
    });
    expect((await move({ source: 'a' })).error).toMatchObject({
      code: 'external_id_taken',
      message: expect.stringContaining(id as string),
    });
    expect((await move({ source: null })).data).toMatchObject({ externalId: 'x', source: null });
    expect((await put('x', { source: 'c' })).status).toBe(201);
  });
});

describe('a source', () => {
  test('filters the list, page by page', async () => {
    const { put, create, listed } = await openKnowledge();
    for (const name of ['1', '2', '3']) {
      await put(name, { source: 'a' });
      await put(name, { source: 'b' });
    }
    await create({ source: 'a' });
    await create();
    expect((await listed('source=a')).map(({ externalId }) => externalId)).toEqual([null, '3', '2', '1']);
    expect((await listed('source=b')).map(({ externalId }) => externalId)).toEqual(['3', '2', '1']);
    expect(await listed('source=none')).toEqual([]);
    expect(await listed()).toHaveLength(8);
  });

  test('can be changed without indexing the document again', async () => {
    const { call, path, create, index } = await openKnowledge();
    const { id } = await create();
    await index(id);
    const { data } = await call('PATCH', `${path}/${id}`, { body: { source: 'a' } });
    expect(data).toMatchObject({ source: 'a', status: 'indexed' });
    expect((await call('GET', `${path}/${id}`)).data).toEqual(data);
  });

  test('synchronised as documented leaves all other documents unchanged', async () => {
    const api = await openKnowledge();
    const sync = async (source: string, names: readonly string[]) => {
      for (const name of names) await api.put(name, { source, content: `${source} ${name}` });
      for (const { id, externalId } of await api.listed(`source=${source}`)) {
        if (!names.includes(externalId as string)) await api.call('DELETE', `${api.path}/${id}`);
      }
    };
    await api.create({ externalId: 'README.md', content: 'by hand' });
    await sync('a', ['README.md', 'a.md']);
    await sync('b', ['README.md', 'b.md']);
    await sync('a', ['README.md']);
    const documents = await api.listed();
    const contents = await Promise.all(documents.map(({ id }) => api.contentOf(id)));
    expect(contents.sort()).toEqual(['a README.md', 'b README.md', 'b b.md', 'by hand']);
  });
});

describe('If-Match on a document', () => {
  const stale = '"0123456789abcdef0123456789abcdef"';

  test('takes the ETag of any response until a caller changes the document; indexing does not change it', async () => {
    const { call, path, put, index } = await openKnowledge();
    const created = await call('POST', path, { body: { title: 't', content: 'c', externalId: 'x' } });
    const { ETag } = created.headers as { ETag: string };
    const at = `${path}/${created.data.id}`;
    expect(ETag).toMatch(/^"[0-9a-f]{32}"$/);
    expect((await call('GET', at)).headers.ETag).toBe(ETag);
    expect((await put('x')).headers.ETag).toBe(ETag);
    await index(created.data.id);
    expect((await call('GET', at)).headers.ETag).toBe(ETag);
    const send = (method: string, url: string, tag: string, body?: Json) =>
      call(method, url, { headers: { 'If-Match': tag }, ...(body && { body }) });
    const patched = await send('PATCH', at, ETag, { tags: ['a'] });
    expect(patched.status).toBe(200);
    expect(patched.headers.ETag).not.toBe(ETag);
    expect((await call('GET', at)).headers.ETag).toBe(patched.headers.ETag);
    for (const refused of [
      await send('PATCH', at, ETag, { tags: ['b'] }),
      await send('PUT', `${path}/by-external-id/x`, ETag, { title: 't', content: 'new' }),
      await send('PUT', `${path}/by-external-id/none`, '*', { title: 't', content: 'new' }),
      await send('DELETE', at, ETag),
      await send('DELETE', at, stale),
    ]) {
      expect([refused.status, refused.error.code]).toEqual([412, 'version_mismatch']);
    }
    const tag = patched.headers.ETag as string;
    const updated = await send('PUT', `${path}/by-external-id/x`, `${stale}, ${tag}`, {
      title: 't',
      content: 'new',
    });
    expect(updated.data.outcome).toBe('updated');
    expect((await send('DELETE', at, '*')).status).toBe(200);
  });

  test('lets only one of two simultaneous changes through', async () => {
    const { call, path, create } = await openKnowledge();
    const { id } = await create();
    const { headers } = await call('GET', `${path}/${id}`);
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        call('PATCH', `${path}/${id}`, {
          body: { title: `title ${index}` },
          headers: { 'If-Match': headers.ETag as string },
        }),
      ),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(412)]);
  });
});
