/** Where the matching words are in a passage. */

import { expect, test } from 'vitest';
import { matchesIn } from '../../cli/src/output/matches.ts';

const marked = (passage: string, ...words: string[]) =>
  matchesIn(passage, words).map(({ start, end }) => passage.slice(start, end));

test('each place of a word is marked, in any case, and not inside of another word', () => {
  expect(marked('Refunds: a refund, REFUNDS, refunded', 'Refunds', 'refund')).toEqual([
    'Refunds',
    'refund',
    'REFUNDS',
  ]);
  expect(marked('café, cafe\u0301', 'Café')).toEqual(['café', 'cafe\u0301']);
  expect(marked("don't, don", "don't")).toEqual(["don't"]);
  expect(marked('👍 or 👎', '👍')).toEqual(['👍']);
  expect(marked('a.b', '')).toEqual([]);
});

test('words of scripts without spaces are marked inside of a run', () => {
  expect(marked('商品は返品できます。返品', '返品')).toEqual(['返品', '返品']);
});

test('the work is linear in the passage', () => {
  const passage = '返'.repeat(50_000);
  expect(
    matchesIn(
      passage,
      Array.from({ length: 10 }, () => '返'.repeat(63)),
    ),
  ).toHaveLength(793);
});
