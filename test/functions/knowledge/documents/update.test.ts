import { describe, expect, test } from 'vitest';
import { openKnowledge } from '../../../support/knowledge.ts';
import { refuses, responds } from '../../../support/responses.ts';
import { htmlPage, openSite } from '../../../support/site.ts';
import { openSources } from '../../../support/sources.ts';

const indexed = { status: 'indexed', indexVersion: 'v1', error: null };
const pending = { status: 'pending', indexVersion: null, error: null };

describe('knowledge.documents.update', () => {
  responds(200, 'with the fields that were sent changed, and no other', async () => {
    const { call, path, create, advance, contentOf } = await openKnowledge();
    const before = await create({ externalId: 'a', tags: ['x'], metadata: { a: '1' }, content: 'old' });
    advance(1000);
    const body = { title: 'new', metadata: { b: '2' } };
    const response = await call('PATCH', `${path}/${before.id}`, { body });
    expect(response.data).toEqual({ ...before, ...body, updatedAt: response.data.updatedAt });
    expect(Date.parse(response.data.updatedAt as string)).toBeGreaterThan(
      Date.parse(before.updatedAt as string),
    );
    expect((await call('GET', `${path}/${before.id}`)).data).toEqual(response.data);
    expect(await contentOf(before.id)).toBe('old');
    return response;
  });

  responds(200, 'with another content, of the same type unless another is sent', async () => {
    const { call, path, create, contentOf } = await openKnowledge();
    const { id } = await create({ mimeType: 'text/html', content: '<p>old' });
    const response = await call('PATCH', `${path}/${id}`, { body: { content: '<p>new!' } });
    expect(response.data).toMatchObject({ mimeType: 'text/html', bytes: 7 });
    expect(await contentOf(id)).toBe('<p>new!');
    const body = { content: '<p>new!', mimeType: 'text/plain' };
    const plain = await call('PATCH', `${path}/${id}`, { body });
    expect(plain.data).toMatchObject({ mimeType: 'text/plain', contentSha256: response.data.contentSha256 });
    expect((await call('GET', `${path}/${id}/content`)).data.mimeType).toBe('text/plain');
    return response;
  });

  responds(200, 'with another externalId, and the old one is free', async () => {
    const { call, path, create, put, listed } = await openKnowledge();
    const { id } = await create({ externalId: 'a' });
    const response = await call('PATCH', `${path}/${id}`, { body: { externalId: 'b' } });
    expect(response.data.externalId).toBe('b');
    expect((await put('b')).data.document).toMatchObject({ id });
    expect((await put('a')).status).toBe(201);
    await call('PATCH', `${path}/${id}`, { body: { externalId: null } });
    expect((await put('b')).status).toBe(201);
    expect(await listed()).toHaveLength(3);
    return response;
  });

  responds(200, 'with the externalId that it has', async () => {
    const { call, path, create } = await openKnowledge();
    const { id } = await create({ externalId: 'a' });
    return call('PATCH', `${path}/${id}`, { body: { externalId: 'a' } });
  });

  refuses('not_found', 'a deleted document', async () => {
    const { call, path, create } = await openKnowledge();
    const { id } = await create();
    await call('DELETE', `${path}/${id}`);
    return call('PATCH', `${path}/${id}`, { body: { title: 'x' } });
  });

  refuses('external_id_taken', 'the externalId of another document, which is named', async () => {
    const { call, path, create } = await openKnowledge();
    const { id: holder } = await create({ externalId: 'a' });
    const { id } = await create({ externalId: 'b' });
    const response = await call('PATCH', `${path}/${id}`, { body: { externalId: 'a' } });
    expect(response.error.message).toContain(holder);
    return response;
  });

  test.each([
    ['the title', { title: 'other' }, pending],
    ['the content', { content: 'other' }, pending],
    ['the type', { content: 'c', mimeType: 'text/html' }, pending],
    ['the tags', { tags: ['a', 'b', 'c'] }, pending],
    ['the order of the tags', { tags: ['b', 'a'] }, indexed],
    ['nothing', { title: 't', content: 'c', tags: ['a', 'b'] }, indexed],
    ['the metadata', { metadata: { a: '1' } }, indexed],
    ['the externalId', { externalId: 'x' }, indexed],
  ])('who changes %s of an indexed document', async (_, body, state) => {
    const { call, path, create, index } = await openKnowledge();
    const { id } = await create({ tags: ['a', 'b'] });
    await index(id);
    expect((await call('PATCH', `${path}/${id}`, { body })).data).toMatchObject(state);
    expect((await call('GET', `${path}/${id}`)).data).toMatchObject(state);
  });

  test('a failed document that is changed has no error any more', async () => {
    const { call, path, create, index } = await openKnowledge();
    const { id } = await create();
    await index(id, 'failed');
    expect((await call('PATCH', `${path}/${id}`, { body: { content: 'x' } })).data).toMatchObject(pending);
  });

  test.each([
    [{}, ''],
    [{ title: null }, 'title'],
    [{ content: '' }, 'content'],
    [{ mimeType: 'text/html' }, 'mimeType'],
    [{ externalId: '' }, 'externalId'],
    [{ tags: null }, 'tags'],
    [{ status: 'indexed' }, 'status'],
    [{ indexVersion: 'v1', title: 't' }, 'indexVersion'],
  ])('400 validation_error: %j', async (body, field) => {
    const { call, path, create } = await openKnowledge();
    const { id } = await create();
    const { error } = await call('PATCH', `${path}/${id}`, { body });
    expect(error.details?.map((detail) => detail.path)).toEqual([field]);
  });

  test('changes of different fields at the same time all take effect', async () => {
    const { call, path, create, contentOf } = await openKnowledge();
    const { id } = await create();
    const bodies = [{ title: 'new' }, { content: 'new' }, { tags: ['a'] }, { externalId: 'x' }];
    const responses = await Promise.all(bodies.map((body) => call('PATCH', `${path}/${id}`, { body })));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const { data } = await call('GET', `${path}/${id}`);
    expect(data).toMatchObject({ title: 'new', tags: ['a'], externalId: 'x', bytes: 3 });
    expect(await contentOf(id)).toBe('new');
  });
});

describe('knowledge.documents.update of a source', () => {
  refuses('managed_by_source', 'a document that a source writes', async () => {
    await using site = await openSite(new Map([['/', htmlPage('Home', 'Welcome.')]]));
    const { api, base, refresh, documents } = await openSources(site);
    await refresh();
    const { '/': document } = await documents();
    return api.call('PATCH', `${base}/documents/${document?.id}`, { body: { title: 'Mine' } });
  });
});
