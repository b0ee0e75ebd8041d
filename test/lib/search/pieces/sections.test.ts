/** Markdown is split into sections, and sections into chunks. */

import { describe, expect, test } from 'vitest';
import { sectionsOf } from '../../../../lib/readers/sections.ts';
import { chunksOf } from '../../../../lib/search/pieces/chunk.ts';

const headingsOf = (text: string) => sectionsOf(text).map(({ heading }) => heading);

describe('a heading', () => {
  test.each([
    ['# One', 'One'],
    ['#\tOne', 'One'],
    ['## One ##', 'One'],
    ['# C#', 'C#'],
    ['# One # two', 'One # two'],
    ['###### Six   ', 'Six'],
    ['# One ########', 'One'],
  ])('%j', (line, title) => {
    expect(headingsOf(line)).toEqual(['', title]);
  });

  test.each([
    '#One',
    '####### Seven',
    '#',
    '# ',
    '## ##',
    ' text # One',
    '```\n# One\n```',
    '~~~\n```\n# One',
    '````\n```\n# One\n```\n# One\n````',
    '```\n``` x\n# One',
    '```\n  ~~~\n# One',
  ])('is not in %j', (text) => {
    expect(headingsOf(text)).toEqual(['']);
  });

  test.each(['```\n````\n# One', '~~~ x\n~~~\n# One', '```a```\n# One', '``\n# One'])('is in %j', (text) => {
    expect(headingsOf(text)).toEqual(['', 'One']);
  });

  test.each(['\n', '\r\n', '\r'])('ends at %j', (end) => {
    expect(sectionsOf(`# One${end}text${end}# Two${end}more`)).toEqual([
      { heading: '', text: '' },
      { heading: 'One', text: '# One\ntext', level: 1 },
      { heading: 'Two', text: '# Two\nmore', level: 1 },
    ]);
  });

  test('belongs below the headings of a higher rank', () => {
    expect(headingsOf('# a\n### b\n## c\n# d')).toEqual(['', 'a', 'a › b', 'a › c', 'd']);
  });

  test('if long, is shortened in each chunk; each of its words is indexed once', () => {
    const title = 'word '.repeat(1000).trim();
    const [, section] = sectionsOf(`# ${title}`);
    expect(section?.heading.length).toBeLessThanOrEqual(120);
    expect(section?.text).toBe(`# ${title}`);
    // Not half of a character.
    expect(headingsOf(`# ${'x'.repeat(119)}😀`)[1]).toBe('x'.repeat(119));
  });
});

test('a document of nothing but headings makes at most 2000 sections and loses no word', () => {
  const text = Array.from({ length: 20_000 }, (_, index) => `# w${index}`).join('\n');
  const sections = sectionsOf(text);
  expect(sections).toHaveLength(2000);
  const words = sections.flatMap((section) => section.text.match(/w\d+/g) ?? []);
  expect(words).toHaveLength(20_000);
});

test('long text is cut at the end of a sentence, in any script', () => {
  const sentences = [
    'He said "Stop." Then he left. ',
    '我昨天买了手机。“真的！”',
    'No end\n\n',
    'Three… dots! ',
  ];
  const text = Array.from({ length: 300 }, (_, index) => sentences[index % 4]).join('');
  const chunks = chunksOf(text);
  expect(chunks.length).toBeGreaterThan(3);
  for (const { text: piece } of chunks) {
    expect(piece.length).toBeLessThanOrEqual(2400);
    expect(piece).toMatch(/(?:[.!…。！]["”]?|No end)$/u);
  }
  expect(
    chunks
      .map((chunk) => chunk.text)
      .join('')
      .replace(/\s/g, ''),
  ).toBe(text.replace(/\s/g, ''));
});
