/** The work of a knowledge search is limited, whatever the query and the index. The tests count it, they do not time it. */
// @module-tag long

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { currentAlgorithm, firstAlgorithm, loadIndex } from '../../../../lib/search/index/algorithms.ts';
import { buildIndex } from '../../../../lib/search/index/builder.ts';
import { allowance } from '../../../../lib/search/index/common/search-index.ts';
import { chunksOf } from '../../../../lib/search/pieces/chunk.ts';
import { worstTexts } from '../../../support/worst-texts.ts';

const documentBytes = 200 * 1024;
const maxQuery = 500;

function indexOf(algorithm: string, contents: readonly string[]) {
  const builder = buildIndex({ algorithm });
  for (const [at, content] of contents.entries()) {
    builder.add(
      { id: `kdoc_${at}`, title: 'title', tags: at === 0 ? ['first'] : [], chunks: chunksOf(content) },
      0,
    );
  }
  return loadIndex(Buffer.from([...builder.serialise()].join('')), algorithm);
}

const texts = worstTexts(documentBytes);
/** Some 40 000 different terms that begin with e, as many others, and two terms that every chunk has. */
const different = texts['different words'] ?? '';
const contents = [
  different,
  different.replace(/\b(?=\w)/g, 'e'),
  texts['one word again and again'] ?? '',
  texts['words of one letter'] ?? '',
  texts['Thai without spaces'] ?? '',
  texts['regional indicators'] ?? '',
];

const queries: Record<string, string> = {
  'one letter sixty times': 'e '.repeat(60),
  'as many letters as fit': Array.from({ length: 250 }, (_, n) => (n % 36).toString(36)).join(' '),
  'as many beginnings as fit': Array.from({ length: 166 }, (_, n) => (n + 36).toString(36)).join(' '),
  'long words that are nowhere': Array.from(
    { length: 12 },
    (_, n) => `${n.toString(36)}${'ab'.repeat(18)}`,
  ).join(' '),
  'one long word': 'e'.repeat(maxQuery),
  'what all have': 'word a '.repeat(70),
  ...Object.fromEntries(Object.entries(worstTexts(maxQuery)).map(([name, text]) => [`query: ${name}`, text])),
};

/** Comparisons are counted by the word. */
const slack = 10 * maxQuery;

describe.each([
  [firstAlgorithm, undefined],
  [currentAlgorithm, 3],
])('the work of a search with %s is limited', (algorithm, perDocument) => {
  const index = indexOf(algorithm, contents);

  /** @returns what a search has used, which is allowed so much */
  function used(query: string, tag: string | undefined, allowed = allowance()) {
    const work = { ...allowed };
    const { hits } = index.search(
      query.slice(0, maxQuery),
      { tags: tag === undefined ? undefined : [tag] },
      { pieces: 50, perDocument },
      undefined,
      work,
    );
    return {
      hits,
      postings: allowed.postings - work.postings,
      comparisons: allowed.comparisons - work.comparisons,
    };
  }

  test.each(Object.entries(queries))('%s', (_, query) => {
    for (const tag of [undefined, 'first', 'nothing']) {
      const { hits, postings, comparisons } = used(query, tag);
      expect(postings).toBeLessThanOrEqual(allowance().postings);
      expect(comparisons).toBeLessThanOrEqual(allowance().comparisons + slack);
      expect(hits.length).toBeLessThanOrEqual(50);
    }
  });

  test('for any allowance', () => {
    const unit = fc.constantFrom(...'ea0 9x', '\u0301', 'ก', '🇩', 'word ', 'e1');
    const limits = fc.record({ postings: fc.nat(3000), comparisons: fc.nat(20_000) });
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 200 }), limits, (query, allowed) => {
        for (const tag of [undefined, 'first']) {
          const { postings, comparisons } = used(query, tag, { ...allowed });
          expect(postings).toBeLessThanOrEqual(allowed.postings);
          expect(comparisons).toBeLessThanOrEqual(allowed.comparisons + slack);
        }
      }),
      { numRuns: 100 },
    );
  });

  test('a tag that no document has costs no work', () => {
    expect(used('e '.repeat(60), 'nothing')).toEqual({ hits: [], postings: 0, comparisons: 0 });
  });

  test('a repeated word of a query is looked up once', () => {
    expect(used('word word word', undefined)).toEqual(used('word', undefined));
  });

  test('the rarest words count when there are too many', () => {
    const [common, rare] = [used('word', undefined), used('e1x', undefined)];
    const both = used('word e1x', undefined, { postings: common.postings, comparisons: 0 });
    expect(rare.postings).toBeGreaterThan(0);
    expect(both.hits).toEqual(rare.hits);
    expect(both.postings).toBe(rare.postings);
  });
});
