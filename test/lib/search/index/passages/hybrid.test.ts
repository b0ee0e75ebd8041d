/** Searches by words and meaning, with vectors that the tests choose. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadIndex } from '../../../../../lib/search/index/algorithms.ts';
import { buildIndex } from '../../../../../lib/search/index/builder.ts';
import type { Filter } from '../../../../../lib/search/index/common/search-index.ts';
import {
  cosineTo,
  dimensions,
  distanceTo,
  pieceVectors,
  quantise,
  signsOf,
} from '../../../../../lib/search/semantic/vectors.ts';

/** @returns a vector between two that are at right angles: 0 is the question's, 1 the other */
function vectorAt(share: number): Int8Array {
  const numbers = Array.from({ length: dimensions }, (_, at) => (at < dimensions / 2 ? 1 - share : share));
  return quantise(numbers.map((number, at) => number * (at % 2 === 0 ? 1 : -1)));
}
const question = vectorAt(0);

type Piece = { text: string; share?: number };

function searchIn(documents: Record<string, readonly Piece[]>) {
  const builder = buildIndex();
  const shares = Object.entries(documents).flatMap(([id, pieces]) => {
    const chunks = pieces.map(({ text }) => ({ heading: '', text }));
    builder.add({ id, title: '', tags: [id], chunks }, 0);
    return pieces.map(({ share }) => share);
  });
  const index = loadIndex(Buffer.from([...builder.serialise()].join('')));
  const vectors = pieceVectors(shares.map((share) => (share === undefined ? undefined : vectorAt(share))));
  return (query: string, filter: Filter = {}, perDocument = 3, pieces = 10) =>
    index.search(query, filter, { pieces, perDocument }, { question, vectors }).hits;
}

const refunds = {
  refund: [{ text: 'Refunds reach your account within 14 days.', share: 0.1 }],
  weather: [{ text: 'The weather is nice.', share: 1 }],
  money: [{ text: 'Money is printed in factories.', share: 0.3 }],
  none: [{ text: 'Geld kommt aus der Bank.' }],
};
const idsOf = (hits: readonly { document: { id: string } }[]) => hits.map(({ document }) => document.id);

describe('a search with vectors', () => {
  const search = searchIn(refunds);

  test('finds a piece that shares no word with the question, and says why', () => {
    expect(search('cash')).toMatchObject([
      { document: { id: 'refund' }, scores: { lexical: null, semantic: expect.closeTo(0.994, 2) } },
      { document: { id: 'money' }, scores: { lexical: null } },
    ]);
  });

  test('finds no piece that has neither its words nor its meaning', () => {
    expect(idsOf(search('cash'))).not.toContain('weather');
    expect(idsOf(search('cash'))).not.toContain('none');
  });

  test('ranks by both; the best of both has the score 1', () => {
    expect(search('refunds')[0]).toMatchObject({ document: { id: 'refund' }, score: 1 });
    expect(idsOf(search('money'))).toEqual(['money', 'refund']);
    expect(search('money')[0]?.score).toBeLessThan(1);
  });

  test('finds a piece without a vector by its words', () => {
    expect(search('geld')).toContainEqual(
      expect.objectContaining({
        document: expect.objectContaining({ id: 'none' }),
        scores: { lexical: expect.any(Number), semantic: null },
      }),
    );
  });

  test('a piece without a vector that has a similar word does not hide the others', () => {
    // "Bank" is spelt almost like "back".
    expect(idsOf(search('cash back'))).toEqual(['refund', 'money', 'none']);
  });

  test('returns no document with another tag, and none that is left out', () => {
    expect(idsOf(search('cash', { tags: ['money'] }))).toEqual(['money']);
    expect(idsOf(search('cash', { without: new Set(['refund']) }))).toEqual(['money']);
    expect(search('cash back', { without: new Set(Object.keys(refunds)) })).toEqual([]);
  });
});

test('a question in the language of pieces without vectors is answered by words', () => {
  const german = Array.from(
    { length: 200 },
    (_, at) => [`de${at}`, [{ text: `Konto Nummer ${at}` }]] as const,
  );
  const search = searchIn({ ...Object.fromEntries(german), en: [{ text: 'An account', share: 0 }] });
  const hits = search('Konto 3');
  expect(hits[0]).toMatchObject({ document: { id: 'de3' } });
  expect(hits[0]?.score).toBeGreaterThan(0.95);
  expect(hits.find(({ document }) => document.id === 'en')?.score ?? 0).toBeLessThan(0.05);
});

test('returns at most so many pieces of a document, and of all', () => {
  const pieces = Array.from({ length: 6 }, (_, at) => ({ text: `text ${at}`, share: at / 100 }));
  const search = searchIn({ one: pieces, other: pieces });
  expect(idsOf(search('nothing', {}, 2)).sort()).toEqual(['one', 'one', 'other', 'other']);
  expect(search('nothing', {}, 6, 5)).toHaveLength(5);
});

test('nothing answers nonsense, and a question whose only word is common has a low score', () => {
  const search = searchIn({
    far: [{ text: 'account', share: 0.95 }],
    other: [{ text: 'weather', share: 0.8 }],
  });
  expect(search('qwrtzp')).toEqual([]);
  expect(search('qwrtzp xyzzy account plugh')[0]?.score).toBeLessThan(0.5);
});

test('the nearest by their signs are candidates, at most 400', () => {
  const many = Array.from(
    { length: 1000 },
    (_, at) => [`k${at}`, [{ text: `t${at}`, share: at / 1000 }]] as const,
  );
  const hits = searchIn(Object.fromEntries(many))('nothing', {}, 3, 1000);
  expect(hits.length).toBeGreaterThan(0);
  expect(hits.length).toBeLessThanOrEqual(400);
});

const numbers = fc.array(fc.integer({ min: -1000, max: 1000 }), {
  minLength: dimensions,
  maxLength: dimensions,
});

test('the bytes of a vector keep its direction, and a distance counts the signs that differ', () => {
  fc.assert(
    fc.property(numbers, numbers, (one, other) => {
      const dot = (a: readonly number[], b: readonly number[]) =>
        a.reduce((sum, number, at) => sum + number * (b[at] ?? 0), 0);
      const exact = dot(one, other) / Math.sqrt(dot(one, one) * dot(other, other));
      const [bytes, vectors] = [quantise(one), pieceVectors([undefined, quantise(other)])];
      if (Number.isFinite(exact)) expect(cosineTo(bytes, vectors, 1)).toBeCloseTo(exact, 1);
      const isPositive = (vector: Int8Array) => [...vector].map((byte) => byte > 0);
      const signs = isPositive(quantise(other));
      const differing = isPositive(bytes).filter((sign, at) => sign !== signs[at]).length;
      expect(distanceTo(signsOf(bytes), vectors, 1)).toBe(differing);
    }),
  );
});
