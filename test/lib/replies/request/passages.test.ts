/** Which pieces a request has, and how a message cites them. */

import { expect, test } from 'vitest';
import { citationsOf } from '../../../../lib/replies/request/citations.ts';
import { maxPassageBytes, passagesOf, shownPassage } from '../../../../lib/replies/request/passages.ts';
import { Citation } from '../../../../lib/schema/citation.ts';
import { hit } from './parts.ts';

const other = 'kdoc_01JZ4Y7Q8R5T2V9W3X6B0C1D4F';

test('at most 8 hits become passages, with numbers from 1', () => {
  const { passages, unused } = passagesOf(
    Array.from({ length: 10 }, (_, index) => hit({ score: 10 - index })),
  );
  expect(passages.map(({ number, score }) => [number, score])).toEqual(
    Array.from({ length: 8 }, (_, index) => [index + 1, 10 - index]),
  );
  expect(unused.map(({ score }) => score)).toEqual([2, 1]);
});

test('passages have 24 KB together, and only whole ones: a smaller one may follow', () => {
  const sizes = [10_000, 10_000, 10_000, 100];
  const hits = sizes.map((size) => hit({ text: 'a'.repeat(size), snippet: `${size}` }));
  const { passages, unused } = passagesOf(hits);
  expect(passages.map(({ number, text, isCut }) => [number, text.length, isCut])).toEqual([
    [1, 10_000, false],
    [2, 10_000, false],
    [3, 100, false],
  ]);
  expect(unused).toEqual([hits[2]]);
});

test.each(['a', 'ä', '😀', '<', '\n'])('a first passage of many %j is cut, at a character', (character) => {
  const { passages } = passagesOf([hit({ text: character.repeat(30_000) }), hit()]);
  const [first, ...rest] = passages;
  if (!first) throw new Error('there is no passage');
  expect(first.isCut).toBe(true);
  expect(first.text.isWellFormed()).toBe(true);
  const size = Buffer.byteLength(shownPassage(first));
  expect(size).toBeLessThanOrEqual(maxPassageBytes);
  expect(size).toBeGreaterThan(maxPassageBytes - 8);
  expect(rest).toEqual([]);
});

test('without room for a text there is no passage; a hit without a text has its snippet', () => {
  expect(passagesOf([hit()], 50)).toMatchObject({ passages: [], unused: [{ title: 'Returns' }] });
  const { text: _, ...withoutText } = hit();
  expect(passagesOf([withoutText]).passages[0]?.text).toBe(withoutText.snippet);
  expect(passagesOf([])).toEqual({ passages: [], unused: [] });
});

test('each cited passage is one citation, in the order of the first markers', () => {
  const { passages } = passagesOf([hit(), hit({ documentId: other, pieceId: `${other}.1`, page: null })]);
  const cited = [2, 1, 2, 9].map((number) => ({ number, at: 0 }));
  expect(citationsOf(cited, passages)).toEqual([
    {
      documentId: other,
      pieceId: `${other}.1`,
      title: 'Returns',
      snippet: 'You can send it back within 30 days.',
      page: null,
      span: { start: 11, end: 47 },
    },
    expect.objectContaining({ page: 12 }),
  ]);
});

test('the span is the part of the piece that the snippet shows, if it has it', () => {
  const text = 'First.\n\nIt is\nsold. Last.';
  const spanOf = (snippet: string) =>
    citationsOf([{ number: 1, at: 0 }], passagesOf([hit({ text, snippet })]).passages)[0]?.span;
  const span = spanOf('…It is sold.…');
  expect(text.slice(span?.start, span?.end)).toBe('It is\nsold.');
  expect(spanOf('elsewhere')).toBeUndefined();
  expect(spanOf('…')).toBeUndefined();
});

test('a citation is one that a message may have, also of a long title', () => {
  const { passages } = passagesOf([hit({ title: '😀'.repeat(300), snippet: 'a'.repeat(600) })]);
  const [citation] = citationsOf([{ number: 1, at: 3 }], passages);
  expect(Citation.parse(citation)).toEqual(citation);
});
