/** The index as it is kept, against MiniSearch as it comes. */

import MiniSearch from 'minisearch';
import { expect, test } from 'vitest';
import { documentAt, queryAt, wordAt } from '../../../bench/corpus.ts';
import { chunksOf } from '../../../lib/knowledge/chunk.ts';
import { asDistances, PostingsStore } from '../../../lib/knowledge/postings.ts';
import { buildIndex, loadIndex, options } from '../../../lib/knowledge/search-index.ts';

const documents = Array.from({ length: 60 }, (_, number) => {
  const { externalId: id, content, ...rest } = documentAt(number, 4096);
  return { id, ...rest, chunks: chunksOf(content) };
});

function both() {
  const builder = buildIndex();
  const plain = new MiniSearch(options);
  for (const document of documents) {
    builder.add(document, 0);
    for (const { heading, text } of document.chunks) {
      plain.add({ id: plain.documentCount, title: document.title, heading, text });
    }
  }
  expect(builder.chunkCount()).toBe(plain.documentCount);
  const bytes = Buffer.from([...builder.serialise()].join(''));
  return { index: loadIndex(bytes), plain, chunkCount: plain.documentCount };
}

test('finds what MiniSearch finds, with its scores', () => {
  const { index, plain, chunkCount } = both();
  const places = documents.flatMap(({ id, chunks }) => chunks.map((_, chunk) => `${id} ${chunk}`));
  const misspelt = Array.from({ length: 10 }, (_, rank) => `${wordAt(6000 + rank)}x`);
  for (const query of [...Array.from({ length: 40 }, (_, number) => queryAt(number)), ...misspelt]) {
    const exact = plain.search(query);
    const expected = exact.length > 0 ? exact : plain.search(query, { prefix: true, fuzzy: 0.2 });
    const found = index.search(query, { tag: undefined }, chunkCount);
    expect(found.map(({ document, chunk }) => `${document.id} ${chunk}`)).toEqual(
      expected.map(({ id }) => places[id as number]),
    );
    for (const [at, { score }] of found.entries()) expect(score).toBeCloseTo(expected[at]?.score ?? 0, 2);
  }
  expect(misspelt.filter((query) => index.search(query, { tag: undefined }, 1).length > 0)).not.toEqual([]);
});

test('an index of nothing finds nothing', () => {
  const index = loadIndex(Buffer.from([...buildIndex().serialise()].join('')));
  expect(index.search('anything', { tag: undefined }, 10)).toEqual([]);
});

test('postings are a Map of chunks and counts', () => {
  const map = new Map([
    [3, 1],
    [4, 7],
    [90_000, 2],
  ]);
  const store = new PostingsStore(4);
  store.add(asDistances([1, 1]), 0);
  const postings = store.add(['term', 0, ...asDistances([...map].flat())], 2);
  expect(postings.size).toBe(map.size);
  expect([...postings.keys()].map((id) => [id, postings.get(id)])).toEqual([...map]);
  expect([1, 2, 5, 90_001].map((id) => postings.get(id))).toEqual(Array(4).fill(undefined));
});
