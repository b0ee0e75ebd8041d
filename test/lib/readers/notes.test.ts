import { expect, test } from 'vitest';
import { summed } from '../../../lib/readers/notes.ts';

test('notes with the same code are one note, in the order of the first of them', () => {
  const notes = summed([
    { code: 'encoding_assumed', count: 1 },
    { code: 'comments_left_out', count: 2 },
    { code: 'encoding_assumed', count: 3 },
  ]);
  expect(notes).toEqual([
    { code: 'encoding_assumed', count: 4 },
    { code: 'comments_left_out', count: 2 },
  ]);
});

test('a count of 0 is no note, and a note keeps its pages', () => {
  const notes = summed([
    { code: 'truncated_file', count: 0 },
    { code: 'pages_without_text', count: 2, pages: [3, 7] },
    { code: 'pages_without_text', count: 0 },
  ]);
  expect(notes).toEqual([{ code: 'pages_without_text', count: 2, pages: [3, 7] }]);
});
