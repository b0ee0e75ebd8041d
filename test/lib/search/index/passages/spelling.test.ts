/** Spellings, compared with a plain comparison of every term. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { allowance } from '../../../../../lib/search/index/common/search-index.ts';
import { speltAlmost } from '../../../../../lib/search/index/passages/forms.ts';

function distanceOf(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length;
  const same = a[0] === b[0] ? 0 : 1;
  const least = Math.min(
    distanceOf(a.slice(1), b.slice(1)) + same,
    distanceOf(a.slice(1), b) + 1,
    distanceOf(a, b.slice(1)) + 1,
  );
  const isExchanged = a.length > 1 && b.length > 1 && a[0] === b[1] && a[1] === b[0];
  return isExchanged ? Math.min(least, distanceOf(a.slice(2), b.slice(2)) + 1) : least;
}

const letters = (maxLength: number) =>
  fc.string({ unit: fc.constantFrom('a', 'b', 'c', '品'), minLength: 1, maxLength });

test('finds every term that differs in a letter, or in the order of two', () => {
  fc.assert(
    fc.property(fc.uniqueArray(letters(6), { maxLength: 40 }), letters(5), (terms, word) => {
      const allowed = word.length < 4 ? 0 : 1;
      const expected = terms.filter((term) => term !== word && distanceOf(term, word) <= allowed);
      const found = speltAlmost(terms.toSorted(), word, allowance());
      expect(found.map(({ term }) => term).sort()).toEqual(expected.sort());
    }),
    { numRuns: 300 },
  );
});

test('a long word may differ in two letters, and numbers are never other numbers', () => {
  const terms = ['a1234568', 'kundenzentrum', 'kundigunk', 'kundgiung', 'mundikunk'].sort();
  const found = speltAlmost(terms, 'kundigung', allowance());
  expect(found.map(({ term }) => term)).toEqual(['kundgiung', 'kundigunk']);
  expect(speltAlmost(terms, 'a1234567', allowance())).toEqual([]);
});
