import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { noteText } from '../../../clients/typescript/src/index.ts';
import { noteLabels, repairs } from '../../../console/src/pages/knowledge/note-labels.ts';
import { textOfNotes } from '../../../lib/documents/note-text.ts';
import { noteCodes } from '../../../lib/readers/blocks.ts';

test('a note is a sentence, with its pages', () => {
  expect(
    textOfNotes([
      { code: 'pages_without_text', count: 2, pages: [3, 7] },
      { code: 'comments_left_out', count: 1, pages: [4] },
    ]),
  ).toBe('2 pages have no text (pages 3, 7), 1 comment was left out (page 4).');
});

test.each(noteCodes)('the clients say %s in the same words, for one and for several', (code) => {
  for (const count of [1, 2]) {
    expect(textOfNotes([{ code, count }])).toBe(`${noteText({ code, count })}.`);
    expect(noteText({ code, count })).not.toContain('_');
  }
});

test('the console can filter by each code, and repairs no other', () => {
  expect(noteLabels.map(([code]) => code)).toEqual(noteCodes);
  expect(new Set(noteLabels.map(([, label]) => label)).size).toBe(noteCodes.length);
  expect(noteCodes).toEqual(expect.arrayContaining(Object.keys(repairs)));
});

test('the guide explains each code', () => {
  const guide = readFileSync('docs/knowledge.md', 'utf8');
  const [, section = ''] = /### What was not read\n(.*?)\n### /s.exec(guide) ?? [];
  const codes = [...section.matchAll(/^\| `(\w+_\w+)` \|/gm)].map(([, code]) => code);
  expect(codes).toEqual(noteCodes);
});

test('a client shows a code that it does not know as it is', () => {
  expect(noteText({ code: 'charts_left_out', count: 3 })).toBe('3 charts_left_out');
});
