/** Similar terms, compared with a plain comparison of every term. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { allowance } from '../../../../../lib/search/index/common/search-index.ts';
import { similarTerms } from '../../../../../lib/search/index/minisearch/search.ts';

function distanceOf(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length;
  const rest = distanceOf(a.slice(1), b.slice(1));
  if (a[0] === b[0]) return rest;
  return 1 + Math.min(rest, distanceOf(a.slice(1), b), distanceOf(a, b.slice(1)));
}

const letters = (maxLength: number) =>
  fc.string({ unit: fc.constantFrom('a', 'b', 'c', '品'), minLength: 1, maxLength });

test('similar terms begin with the word or are spelt almost like it', () => {
  fc.assert(
    fc.property(fc.uniqueArray(letters(6), { maxLength: 40 }), letters(5), (terms, word) => {
      const allowed = Math.min(2, Math.round(word.length * 0.2));
      const expected = terms
        .filter((term) => term !== word)
        .filter((term) => term.startsWith(word) || distanceOf(term, word) <= allowed);
      const found = similarTerms(terms.toSorted(), word, allowance());
      expect(found.map(({ term }) => term).sort()).toEqual(expected.sort());
      expect(found.map(({ weight }) => weight)).toEqual(
        found.map(({ weight }) => weight).sort((a, b) => b - a),
      );
    }),
    { numRuns: 300 },
  );
});

test('a long word may differ in two letters', () => {
  const terms = ['kundenzentrum', 'kundigen', 'kundigung', 'kundigungen', 'kundigunk', 'mundikunk'].sort();
  const found = similarTerms(terms, 'kundigung', allowance()).map(({ term }) => term);
  expect(found).toEqual(['kundigunk', 'kundigen', 'kundigungen']);
});
