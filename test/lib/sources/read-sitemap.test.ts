/** The body of a sitemap or a feed, as it comes from the network. */

import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { sitemapBody } from '../../../lib/sources/refresh/read-sitemap.ts';

const chunkBytes = 16 * 1024;

async function* chunksOf(body: Uint8Array, bytes = chunkBytes) {
  for (let at = 0; at < body.length; at += bytes) yield body.subarray(at, at + bytes);
}

const head = { status: 200, headers: {} };

/** @param most the number of addresses that are wanted */
async function read(body: string | Uint8Array, { most = Number.POSITIVE_INFINITY, chunk = chunkBytes } = {}) {
  const urls: string[] = [];
  let isIndex = false;
  const reader = sitemapBody((url, ofIndex) => {
    urls.push(url);
    isIndex = ofIndex;
    return urls.length < most;
  });
  const result = await reader(chunksOf(Buffer.from(body), chunk), head, () => {});
  return { urls, isIndex, result };
}

const xml = (name: string, ...urls: string[]) =>
  `<?xml version="1.0"?><${name} xmlns="x">${urls.map((url) => `<url><loc> ${url} </loc></url>`).join('')}</${name}>`;

test.each<[string, string | Uint8Array, string[]]>([
  ['a sitemap', xml('urlset', 'https://a.example/1'), ['https://a.example/1']],
  ['an entity', xml('urlset', 'https://a.example/?a=1&amp;b=2'), ['https://a.example/?a=1&b=2']],
  [
    'an `&` that is not escaped',
    xml('urlset', 'https://a.example/?a=1&b=2', 'https://a.example/2'),
    ['https://a.example/?a=1&b=2', 'https://a.example/2'],
  ],
  ['CDATA', xml('urlset', '<![CDATA[https://a.example/c]]>'), ['https://a.example/c']],
  [
    'a comment',
    xml('urlset', 'https://a.example/1<!-- old -->').replace(
      '</urlset>',
      '<!-- <url><loc>https://a.example/no</loc></url> --></urlset>',
    ),
    ['https://a.example/1'],
  ],
  [
    'a space in the tags',
    '<urlset ><url ><loc >https://a.example/1</loc ></url ></urlset >',
    ['https://a.example/1'],
  ],
  [
    'prefixes',
    '<s:urlset xmlns:s="x"><s:url><s:loc>https://a.example/1</s:loc></s:url></s:urlset>',
    ['https://a.example/1'],
  ],
  [
    'a picture',
    '<urlset><url><loc>https://a.example/1</loc><image:image><image:loc>https://a.example/i.png</image:loc></image:image></url></urlset>',
    ['https://a.example/1'],
  ],
  [
    'a picture whose prefix is another',
    '<urlset><url><loc>https://a.example/1</loc><p:image><p:loc>https://a.example/i.png</p:loc></p:image></url></urlset>',
    ['https://a.example/1'],
  ],
  ['an empty address', xml('urlset', '', 'https://a.example/1'), ['https://a.example/1']],
  [
    'lines',
    '\nhttps://a.example/1\r\n\r\nhttps://a.example/2',
    ['https://a.example/1', 'https://a.example/2'],
  ],
  [
    'UTF-16',
    Buffer.from(`\ufeff${xml('urlset', 'https://a.example/é')}`, 'utf16le'),
    ['https://a.example/é'],
  ],
  [
    'a stated encoding',
    Buffer.from(
      xml('urlset', 'https://a.example/\xe9').replace('"?>', '" encoding="iso-8859-1"?>'),
      'latin1',
    ),
    ['https://a.example/é'],
  ],
  ['gzip', gzipSync(xml('urlset', 'https://a.example/1')), ['https://a.example/1']],
  [
    'RSS',
    '<rss><channel><link>https://a.example/</link><item><link>https://a.example/1</link><image><link>no</link></image></item></channel></rss>',
    ['https://a.example/1'],
  ],
  [
    'RSS 1.0',
    '<rdf:RDF><channel><link>no</link></channel><item><link>https://a.example/1</link></item></rdf:RDF>',
    ['https://a.example/1'],
  ],
  [
    'Atom',
    '<feed><link href="https://a.example/"/><entry><link rel="self" href="no"/><link rel="alternate" href="https://a.example/1"/></entry><entry><link href="https://a.example/2"/></entry></feed>',
    ['https://a.example/1', 'https://a.example/2'],
  ],
])('%s', async (_, body, urls) => {
  for (const chunk of [1, 7, chunkBytes])
    expect(await read(body, { chunk })).toEqual({ urls, isIndex: false, result: 'whole' });
});

test('an index', async () => {
  const body = '<sitemapindex><sitemap><loc>https://a.example/1.xml</loc></sitemap></sitemapindex>';
  expect(await read(body)).toEqual({ urls: ['https://a.example/1.xml'], isIndex: true, result: 'whole' });
});

test.each<[string, string | Uint8Array]>([
  ['a page', '<!doctype html><html><body><loc>https://a.example/1</loc></body></html>'],
  ['a text', 'https://a.example/1\nNot found'],
  ['nothing', ''],
  ['a broken archive', Buffer.concat([Buffer.of(0x1f, 0x8b), Buffer.alloc(2000)])],
  ['a line that does not end', `https://${'a'.repeat(100_000)}`],
])('%s is no sitemap', async (_, body) => {
  expect((await read(body)).result).toBe(false);
});

test('only the beginning is read', async () => {
  let chunks = 0;
  async function* endless() {
    yield Buffer.from('<urlset>');
    for (;;) {
      chunks += 1;
      yield Buffer.from('<url><loc>https://a.example/1</loc></url>'.repeat(100));
    }
  }
  const urls: string[] = [];
  const reader = sitemapBody((url) => urls.push(url) < 3);
  expect(await reader(endless(), head, () => {})).toBe('cut');
  expect(urls).toHaveLength(3);
  expect(chunks).toBeLessThan(5);
});

test('an archive that fails in its middle is an error, so that it is requested again', async () => {
  async function* failing() {
    yield gzipSync(
      xml('urlset', ...Array.from({ length: 5000 }, (_, index) => `https://a.example/${index}`)),
    ).subarray(0, 4000);
    throw new Error('the connection was closed');
  }
  await expect(sitemapBody(() => true)(failing(), head, () => {})).rejects.toThrow(
    'the connection was closed',
  );
});

const megabyte = 1024 * 1024;

test.each<[string, string | Uint8Array, string | boolean]>([
  ['addresses without end', `<urlset>${'<url><loc>a</loc></url>'.repeat(2_500_000)}`, 'cut'],
  ['a bomb', gzipSync(Buffer.alloc(500 * megabyte, '<urlset>')), 'cut'],
  ['tags in tags', `<urlset>${'<loc>'.repeat(10_000_000)}`, 'cut'],
  ['an address without end', `<urlset><url><loc>${'a'.repeat(50 * megabyte)}`, 'cut'],
  ['a comment without end', `<urlset><!--${'-'.repeat(50 * megabyte)}`, 'cut'],
  ['an attribute without end', `<urlset a="${'a'.repeat(50 * megabyte)}`, false],
])('the work is bounded: %s', { tags: ['long'] }, async (_, body, result) => {
  const startMs = performance.now();
  expect((await read(body)).result).toBe(result);
  expect(performance.now() - startMs).toBeLessThan(20_000);
});
