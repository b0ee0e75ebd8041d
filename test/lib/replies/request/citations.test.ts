import { expect, test } from 'vitest';
import { citationsOf } from '../../../../lib/replies/request/citations.ts';
import { passagesOf } from '../../../../lib/replies/request/passages.ts';
import { cpuMsOf } from '../../../support/cpu-time.ts';
import { hit as hitWith } from './parts.ts';

const hit = hitWith();

const cite = (text: string, snippet: string) => {
  const { passages } = passagesOf([{ ...hit, text, snippet }]);
  const [citation] = citationsOf([{ number: 1, at: 0 }], passages);
  return citation?.span && text.slice(citation.span.start, citation.span.end);
};

test.each([
  [
    '# Returns\n\nYou can send **everything** back.',
    'Returns You can send everything back.',
    'Returns\n\nYou can send **everything** back.',
  ],
  ['One. Two.\n\n* Three\n* Four 😀 five', '…Three Four 😀 five', 'Three\n* Four 😀 five'],
  ['𝒳 a b', 'a b', 'a b'],
])('the span is the part of the piece that the snippet shows', (text, snippet, shown) => {
  expect(cite(text, snippet)).toBe(shown);
});

test.each(['something else', '', '…'])(
  'a snippet that the piece does not have leaves the span out',
  (snippet) => {
    expect(cite('# Returns', snippet)).toBeUndefined();
  },
);

test('each cited passage has one citation, in the order of the markers', () => {
  const { passages } = passagesOf([hit, { ...hit, pieceId: `${hit.documentId}.2` }]);
  const cited = [2, 1, 2, 9].map((number, at) => ({ number, at }));
  expect(citationsOf(cited, passages).map(({ pieceId }) => pieceId)).toEqual([
    `${hit.documentId}.2`,
    hit.pieceId,
  ]);
});

test('a piece of 20,000 characters is compared in a moment', () => {
  const compare = () => expect(cite('ab'.repeat(10_000), 'ba'.repeat(100))).toBeDefined();
  expect(cpuMsOf(compare)).toBeLessThan(500);
});
