import { describe, expect, test } from 'vitest';
import { openKnowledge } from '../../../support/knowledge.ts';
import { responds } from '../../../support/responses.ts';

const whole = {
  title: 't',
  content: 'c',
  mimeType: 'text/html',
  tags: ['a', 'b'],
  metadata: { k: 'v', l: 'w' },
};

describe('knowledge.documents.put', () => {
  responds(201, 'with a new document of that externalId', async () => {
    const { call, path, put, contentOf } = await openKnowledge();
    const response = await put('a', whole);
    const { content, ...rest } = whole;
    expect(response.data).toMatchObject({
      outcome: 'created',
      document: { ...rest, externalId: 'a', status: 'pending' },
    });
    const { id } = response.data.document as { id: string };
    expect((await call('GET', `${path}/${id}`)).data).toEqual(response.data.document);
    expect(await contentOf(id)).toBe(content);
    return response;
  });

  responds(200, 'with the document updated as a whole', async () => {
    const { call, path, put, index, advance, contentOf } = await openKnowledge();
    const { document: before } = (await put('a', whole)).data as { document: { id: string } };
    await index(before.id);
    advance(1000);
    const response = await put('a', { title: 'new', content: 'new' });
    expect(response.data).toEqual({
      outcome: 'updated',
      document: {
        ...before,
        title: 'new',
        mimeType: 'text/plain',
        tags: [],
        metadata: {},
        bytes: 3,
        contentSha256: (await call('GET', `${path}/${before.id}/content`)).data.contentSha256,
        updatedAt: (await call('GET', `${path}/${before.id}`)).data.updatedAt,
      },
    });
    expect(await contentOf(before.id)).toBe('new');
    return response;
  });

  responds(200, 'unchanged, and writes nothing', async () => {
    const { put, index, advance, stored, requestLines } = await openKnowledge();
    const { id } = (await put('a', whole)).data.document as { id: string };
    await index(id);
    const before = await stored(id);
    advance(1000);
    const metadata = { l: 'w', k: 'v' };
    const response = await put('a', { ...whole, tags: ['b', 'a'], metadata });
    expect(response.data).toMatchObject({ outcome: 'unchanged', document: { id, status: 'indexed' } });
    expect(await stored(id)).toEqual(before);
    expect(requestLines().at(-1)?.writeUnits).toBe(0);
    return response;
  });

  test.each([
    ['title', 'x', 'pending'],
    ['content', 'x', 'pending'],
    ['mimeType', 'text/plain', 'pending'],
    ['tags', ['a'], 'pending'],
    ['metadata', { k: 'v' }, 'indexed'],
  ])('another %s is an update', async (field, value, status) => {
    const { call, path, put, index } = await openKnowledge();
    const { id } = (await put('a', whole)).data.document as { id: string };
    await index(id);
    const response = await put('a', { ...whole, [field]: value });
    expect(response.data).toMatchObject({ outcome: 'updated', document: { id, status } });
    const { data } = await call('GET', `${path}/${id}${field === 'content' ? '/content' : ''}`);
    expect(data[field]).toEqual(value);
    expect((await put('a', { ...whole, [field]: value })).data.outcome).toBe('unchanged');
  });

  test('ten at once for one externalId make one document', async () => {
    const { put, listed, contentOf } = await openKnowledge();
    const contents = Array.from({ length: 10 }, (_, index) => `version ${index}`);
    const all = await Promise.all(contents.map((content) => put('a', { content })));
    expect(all.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(all.filter(({ status }) => status === 200)).toHaveLength(9);
    const [document, ...others] = await listed('externalId=a');
    expect(others).toEqual([]);
    expect(await listed()).toHaveLength(1);
    expect(contents).toContain(await contentOf(document?.id));
  });

  test('ten at once that are the same: one creates it, nine find it so', async () => {
    const { put } = await openKnowledge();
    const all = await Promise.all(Array.from({ length: 10 }, () => put('a', whole)));
    expect(all.map(({ data }) => data.outcome).sort()).toEqual(['created', ...Array(9).fill('unchanged')]);
  });

  test.each(['a/b', 'a%2Fb', '100 %', '%E0%A4%A', 'ä+ü?x=1#y', '名前', '..a', 'batch', 'https://x.org/'])(
    'the externalId %s is taken as it is',
    async (externalId) => {
      const { put, listed } = await openKnowledge();
      expect((await put(externalId)).data.document).toMatchObject({ externalId });
      expect(await listed(`externalId=${encodeURIComponent(externalId)}`)).toHaveLength(1);
    },
  );

  test.each([
    ['blank', ' '],
    ['of 256 characters', 'x'.repeat(256)],
    ['with a control character', 'a\nb'],
  ])('400 validation_error: an externalId that is %s', async (_, externalId) => {
    const { put } = await openKnowledge();
    const { error } = await put(externalId);
    expect(error.code).toBe('validation_error');
    expect(error.details?.map(({ path }) => path)).toEqual(['external_id']);
  });

  test.each([
    [{ title: '' }, 'title'],
    [{ content: '' }, 'content'],
    [{ mimeType: null }, 'mimeType'],
    [{ externalId: 'b' }, 'externalId'],
  ])('400 validation_error: %j', async (body, path) => {
    const { put } = await openKnowledge();
    expect((await put('a', body)).error.details?.map((detail) => detail.path)).toEqual([path]);
  });
});
