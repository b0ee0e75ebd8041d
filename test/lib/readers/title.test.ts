import { expect, test } from 'vitest';
import { writtenTitle } from '../../../lib/readers/title.ts';

test.each([
  ['Price list', 'Price list'],
  ['  Price\n\tlist\0 ', 'Price list'],
  ['Untitled landscapes', 'Untitled landscapes'],
  ['Document retention policy', 'Document retention policy'],
  ['Version 2.10', 'Version 2.10'],
  ['價目表', '價目表'],
  ['x'.repeat(300), 'x'.repeat(200)],
])('an author has written %j', (written, title) => {
  expect(writtenTitle(written)).toBe(title);
});

test.each([
  '',
  ' \u200b – ',
  'Microsoft Word - prices.doc',
  'Microsoft PowerPoint - Sales',
  'untitled',
  'Untitled-2',
  'Untitled document',
  'Unbenannt 1',
  'Word Document',
  'Document1',
  'Dokument 3',
  'prices_2024_final.indd',
  'Prices.PDF',
])('no author has written %j', (title) => {
  expect(writtenTitle(title)).toBeUndefined();
});
