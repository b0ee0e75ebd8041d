/** Finding the words of a text takes linear work. The tests count it, they do not time it. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normalise } from '../../../lib/text/normalise.ts';
import { termsIn } from '../../../lib/text/terms.ts';
import { anyWorstText, worstTexts } from '../../support/worst-texts.ts';

const documentBytes = 200 * 1024;
const ordinary = String.prototype.normalize;

/**
 * @returns the terms, and the steps that normalising took: one for each code unit, and for each run of marks, which are
 *   sorted by insertion, the square of its length
 */
function measured(text: string) {
  let steps = 0;
  // A mock of Vitest would keep each of the many calls.
  String.prototype.normalize = function (this: string, form?: string) {
    steps += this.length;
    for (const { 0: marks } of this.matchAll(/[\p{M}\uff9e\uff9f]{2,}/gu)) steps += marks.length ** 2;
    return ordinary.call(this, form);
  };
  try {
    const terms = [...termsIn(text)];
    return { terms, steps };
  } finally {
    String.prototype.normalize = ordinary;
  }
}

function expectBounded(text: string) {
  const { terms, steps } = measured(text);
  expect(steps).toBeLessThan(150 * text.length + 1000);
  expect(normalise(text).text.length).toBeLessThanOrEqual(6 * text.length);
  expect(terms.length).toBeLessThanOrEqual(2 * text.length);
  for (const { term } of terms) expect([...term].length).toBeLessThanOrEqual(64);
}

describe('finding the words of 200 KB takes linear work', () => {
  test.each(Object.entries(worstTexts(documentBytes)))('%s', { tags: ['long'] }, (_, text) => {
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(documentBytes);
    expectBounded(text);
  });

  test('any repeated text', { tags: ['long'] }, () => {
    fc.assert(fc.property(anyWorstText(16 * 1024), expectBounded), { numRuns: 30 });
  });
});

test('a text is normalised in pieces as it is in one', () => {
  // U+3000 becomes a space: so the text is not normalised yet.
  const composed = Array.from({ length: 0x110000 }, (_, code) => code)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code))
    .filter((character) => character.normalize('NFD') !== character);
  expect(composed.length).toBeGreaterThan(13_000);
  const wrong = composed.filter((character) => {
    const text = `x${character.normalize('NFD')}\u3000`;
    return normalise(text).text !== text.normalize('NFKC');
  });
  expect(wrong).toEqual([]);
});
