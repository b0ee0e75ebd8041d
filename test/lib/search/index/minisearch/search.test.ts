/** The first algorithm finds what MiniSearch finds, with the same scores. */

import MiniSearch, { type Options } from 'minisearch';
import { expect, test } from 'vitest';
import { documentAt, queryAt, wordAt } from '../../../../../bench/corpus.ts';
import { firstAlgorithm, loadIndex } from '../../../../../lib/search/index/algorithms.ts';
import { buildIndex } from '../../../../../lib/search/index/builder.ts';
import { asDistances, PostingsStore } from '../../../../../lib/search/index/common/index-file.ts';
import { termsOf } from '../../../../../lib/search/index/common/terms.ts';
import { chunksOf } from '../../../../../lib/search/pieces/chunk.ts';

const options: Options = {
  fields: ['title', 'heading', 'text'],
  tokenize: termsOf,
  processTerm: (term) => term,
  searchOptions: { boost: { title: 2, heading: 1.5 }, maxFuzzy: 2 },
};

const documents = Array.from({ length: 60 }, (_, number) => {
  const { externalId: id, content, ...rest } = documentAt(number, 4096);
  return { id, ...rest, chunks: chunksOf(content) };
});

function both() {
  const builder = buildIndex({ algorithm: firstAlgorithm });
  const plain = new MiniSearch(options);
  for (const document of documents) {
    builder.add(document, 0);
    for (const { heading, text } of document.chunks) {
      plain.add({ id: plain.documentCount, title: document.title, heading, text });
    }
  }
  expect(builder.chunkCount()).toBe(plain.documentCount);
  const bytes = Buffer.from([...builder.serialise()].join(''));
  return { index: loadIndex(bytes, firstAlgorithm), plain, chunkCount: plain.documentCount };
}

test('finds what MiniSearch finds, with the same scores', () => {
  const { index, plain, chunkCount } = both();
  const places = documents.flatMap(({ id, chunks }) => chunks.map((_, chunk) => `${id} ${chunk}`));
  const misspelt = Array.from({ length: 10 }, (_, rank) => `${wordAt(6000 + rank)}x`);
  for (const query of [...Array.from({ length: 40 }, (_, number) => queryAt(number)), ...misspelt]) {
    const unique = [...new Set(termsOf(query))].join(' ');
    const exact = plain.search(unique);
    const all = exact.length > 0 ? exact : plain.search(unique, { prefix: true, fuzzy: 0.2 });
    const rounded = (score: number) => Math.round(score * 1e6);
    // Of two that are as good, the first in the index comes first.
    const expected = all.toSorted((a, b) => rounded(b.score) - rounded(a.score) || a.id - b.id);
    const found = index.search(query, {}, { pieces: chunkCount }).hits;
    expect(found.map(({ document, chunk }) => `${document.id} ${chunk}`)).toEqual(
      expected.map(({ id }) => places[id as number]),
    );
    for (const [at, { score }] of found.entries()) expect(score).toBeCloseTo(expected[at]?.score ?? 0, 2);
  }
  expect(misspelt.filter((query) => index.search(query, {}, { pieces: 1 }).hits.length > 0)).not.toEqual([]);
});

test('an empty index finds nothing', () => {
  const index = loadIndex(
    Buffer.from([...buildIndex({ algorithm: firstAlgorithm }).serialise()].join('')),
    firstAlgorithm,
  );
  expect(index.search('anything', {}, { pieces: 10 }).hits).toEqual([]);
});

test('postings are returned as they were added', () => {
  const pairs = [3, 1, 4, 7, 90_000, 2];
  const store = new PostingsStore(4);
  store.add(asDistances([1, 1]), 0);
  const { from, to } = store.add(['term', 0, ...asDistances(pairs)], 2);
  expect([...store.ids.slice(from, to)]).toEqual([3, 4, 90_000]);
  expect([...store.counts.slice(from, to)]).toEqual([1, 7, 2]);
});
