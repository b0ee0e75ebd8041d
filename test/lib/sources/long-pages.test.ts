/** Pages whose texts are stored in parts. */

import { expect, test } from 'vitest';
import { storedOf } from '../../../samples/api.ts';
import { openPages } from '../../support/sources.ts';

const linesOf = (bytes: number, word: string) =>
  Array.from({ length: Math.ceil(bytes / (word.length + 8)) }, (_, at) => `${word} ${1e6 + at}`).join('\n');
const plain = (body: string) => ({ headers: { 'content-type': 'text/plain' }, body });

async function open(bytes: number) {
  const first = linesOf(bytes, 'first');
  const opened = await openPages({ '/': plain(first) }, { type: 'url' });
  const { api, base } = opened;
  const whole = async (id: unknown) => {
    let text = '';
    for (let cursor = ''; ; ) {
      const { data } = await api.call('GET', `${base}/documents/${id}/content?${cursor}`);
      text += data.content;
      if (data.nextCursor === null) return text;
      cursor = `cursor=${data.nextCursor}`;
    }
  };
  const parts = async () =>
    (await storedOf(api, 'knowledge')).filter(({ tenant }) => `${tenant}`.endsWith('#text'));
  return { ...opened, first, whole, parts };
}

test('a text of a megabyte is stored in parts, replaced, and not written again', {
  tags: ['long'],
}, async () => {
  const { site, refresh, documents, whole, parts, first } = await open(1_000_000);
  expect((await refresh()).result).toMatchObject({ created: 1 });
  const [document] = Object.values(await documents());
  expect(document?.bytes).toBe(first.length);
  expect(await whole(document?.id)).toBe(first);
  const before = await parts();
  expect(before).toHaveLength(Math.ceil(first.length / (200 * 1024)) - 1);
  expect((await refresh()).result).toMatchObject({ unchanged: 1 });
  expect(await parts()).toEqual(before);
  const second = linesOf(500_000, 'second');
  site.pages.set('/', plain(second));
  expect((await refresh()).result).toMatchObject({ updated: 1 });
  expect(await whole(document?.id)).toBe(second);
});

test('a text of more than 5 MB is refused', async () => {
  const { site, refresh, pages } = await open(1000);
  // Each byte of ISO 8859-1 is two bytes of UTF-8.
  const body = Buffer.alloc(3_000_000, 0xe9);
  site.pages.set('/', { headers: { 'content-type': 'text/plain; charset=iso-8859-1' }, body });
  await refresh();
  expect((await pages())['/']).toMatchObject({ status: 'failed', error: { code: 'document_too_large' } });
});
