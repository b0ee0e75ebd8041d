/** Texts that are longer than an item: they are read, indexed, found and removed as a whole. */

import { hash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { cutText } from '../../../lib/documents/store/text-parts.ts';
import type { Json } from '../../../samples/api.ts';
import { type Knowledge, openKnowledge } from '../../support/knowledge.ts';
import { pagesOfText, storeLongText } from '../../support/long-texts.ts';

const partBytes = 200 * 1024;

describe('a text is cut', () => {
  test.each([
    ['short', 'short'],
    ['of exactly one part', 'x'.repeat(partBytes)],
    ['with characters of three bytes', '語'.repeat(partBytes)],
    ['with characters of four bytes', `x${'😀'.repeat(partBytes / 2)}`],
  ])('%s', (_, text) => {
    const parts = cutText(text);
    expect(parts.join('')).toBe(text);
    expect(Math.max(...parts.map((part) => Buffer.byteLength(part)))).toBeLessThanOrEqual(partBytes);
    expect(parts.length).toBeLessThanOrEqual(Math.ceil(Buffer.byteLength(text) / partBytes) + 1);
  });
});

/** Reads a content part by part. */
async function readAll({ call, path }: Knowledge, id: string): Promise<{ text: string; parts: Json[] }> {
  const parts: Json[] = [];
  for (let cursor = ''; ; ) {
    const { data } = await call('GET', `${path}/${id}/content${cursor}`);
    parts.push(data);
    if (data.nextCursor === null) break;
    cursor = `?cursor=${data.nextCursor}`;
  }
  return { text: parts.map(({ content }) => content).join(''), parts };
}

describe('a document with a long text', () => {
  test('has its content in parts, each with the hash of the whole', async () => {
    const api = await openKnowledge();
    const text = pagesOfText(300, 3000);
    const id = await storeLongText(api, text);
    const read = await readAll(api, id);
    expect(read.text).toBe(text);
    expect(read.parts).toHaveLength(5);
    for (const part of read.parts) {
      expect(part).toMatchObject({ bytes: text.length, contentSha256: hash('sha256', text) });
    }
  });

  test('a cursor of another content is refused', async () => {
    const api = await openKnowledge();
    const id = await storeLongText(api, pagesOfText(100, 3000));
    const { data } = await api.call('GET', `${api.path}/${id}/content`);
    await api.call('PATCH', `${api.path}/${id}`, { body: { content: 'short' } });
    const refused = await api.call('GET', `${api.path}/${id}/content?cursor=${data.nextCursor}`);
    expect(refused.error.details?.map(({ path }) => path)).toEqual(['cursor']);
    expect(await api.contentOf(id)).toBe('short');
  });

  test('is found by its last page, in one document, and the hit has the page', {
    tags: ['long'],
  }, async () => {
    const api = await openKnowledge();
    await api.create({ title: 'Short', content: 'A sentence about deliveries.' });
    const id = await storeLongText(api, pagesOfText(300, 3000));
    const job = await api.reindex();
    expect(job).toMatchObject({ status: 'succeeded', result: { documents: 2 } });
    const find = async (q: string) =>
      (await api.call('GET', `${api.project}/knowledge/search?q=${q}&mode=lexical`)).data.items as Json[];
    expect(await find('page300')).toMatchObject([{ documentId: id, page: 300 }, {}, {}]);
    expect((await find('page1'))[0]).toMatchObject({ documentId: id, page: 1 });
    const pages = (await find('deliveries')).map(({ title, page }) => [title, page === null]);
    expect(pages).toContainEqual(['Short', true]);
  });

  test('leaves nothing when it is expunged', { tags: ['long'] }, async () => {
    const api = await openKnowledge();
    const other = await storeLongText(api, pagesOfText(100, 3000));
    const id = await storeLongText(api, pagesOfText(100, 3000));
    await api.reindex();
    const { data } = await api.call('DELETE', `${api.path}/${id}?expunge=true`);
    await api.workOff(api.projectId, data.id as string);
    const query = { partition: [api.projectId, 'text'], from: ' ', to: '~', after: undefined, limit: 100 };
    const { items } = await api.store.page('knowledge', query);
    expect(items.map((item) => item.id.split('#')[0])).toEqual([other]);
    expect((await readAll(api, other)).parts).toHaveLength(2);
    await api.call('DELETE', `${api.path}/${other}`);
    const search = await api.call('GET', `${api.project}/knowledge/search?q=page7&mode=lexical`);
    expect(search.data.items).toMatchObject([{ documentId: other }, {}, {}]);
  });
});
