/** Pages whose texts are stored in parts, pages with more links than are kept, and pages without a text of their own. */

import { randomBytes } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { packLinks } from '../../../lib/sources/store/pages.ts';
import { storedOf } from '../../../samples/api.ts';
import { htmlPage } from '../../support/site.ts';
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

const many = Array.from({ length: 2001 }, (_, at) => `https://other.example/${at}`);

test('a refresh with a page whose links are cut finds no page missing, also after a 304', {
  tags: ['long'],
}, async () => {
  const { site, refresh, documents } = await openPages({
    '/': htmlPage('Home', 'Welcome.', ['/a', ...many]),
    '/a': htmlPage('A', 'Page a.', ['/b']),
    '/b': htmlPage('B', 'Page b.'),
  });
  expect((await refresh()).result).toMatchObject({ created: 3, isLimited: true });
  site.pages.set('/a', htmlPage('A', 'Page a.'));
  for (let times = 0; times < 3; times += 1)
    expect((await refresh()).result).toMatchObject({ removed: 0, isLimited: true });
  expect(Object.keys(await documents())).toHaveLength(3);
  site.pages.set('/', htmlPage('Home', 'Welcome.', ['/a']));
  expect((await refresh()).result).toMatchObject({ removed: 0, isLimited: false });
  expect((await refresh()).result).toMatchObject({ removed: 1, isLimited: false });
});

test('links that are too long for an item are cut', () => {
  const urls = Array.from({ length: 400 }, () => `https://acme.example/${randomBytes(1000).toString('hex')}`);
  expect(packLinks({ urls: urls.slice(0, 5), isCut: false }).isCut).toBe(false);
  const { gzip, isCut } = packLinks({ urls, isCut: false });
  expect(isCut).toBe(true);
  expect(gzip.length).toBeLessThanOrEqual(300 * 1024);
  const kept: string[] = JSON.parse(gunzipSync(gzip).toString());
  expect(kept).toEqual(urls.slice(0, kept.length));
});

test('the links of a page without a text are followed', { tags: ['long'] }, async () => {
  const image = '<html><body><a href="/a"><img src="/logo.png"></a></body></html>';
  const { refresh, documents, pages } = await openPages({ '/': image, '/a': htmlPage('A', 'Page a.') });
  expect((await refresh()).result).toMatchObject({ created: 1, failedPages: 1 });
  expect((await pages())['/']).toMatchObject({ status: 'failed', error: { code: 'no_text' } });
  expect(Object.keys(await documents())).toEqual(['/a']);
  // They count although the page fails again.
  for (let times = 0; times < 3; times += 1) expect((await refresh()).result).toMatchObject({ removed: 0 });
});
