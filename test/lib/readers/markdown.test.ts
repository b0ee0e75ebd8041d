/** Blocks as Markdown. */

import { describe, expect, test } from 'vitest';
import type { Block } from '../../../lib/readers/blocks.ts';
import { markdownOf } from '../../../lib/readers/markdown.ts';

const paragraph = (text: string): Block => ({ type: 'paragraph', text });
const item = (marker: string, text: string, depth = 0): Block => ({ type: 'listItem', marker, depth, text });
const table = (...rows: string[][]): Block => ({ type: 'table', rows });
const code = (text: string): Block => ({ type: 'code', text });

describe('blocks', () => {
  test.each<[string, Block[], string]>([
    [
      'headings and paragraphs',
      [
        { type: 'heading', level: 2, text: 'Opening\nhours' },
        paragraph('Nine to five.'),
        paragraph('Daily.'),
      ],
      '## Opening hours\n\nNine to five.\n\nDaily.',
    ],
    [
      'a caption above its table',
      [{ type: 'caption', text: 'Fees' }, table(['a', 'b'], ['1', ''])],
      'Fees\n\n| a | b |\n|---|---|\n| 1 |  |',
    ],
    [
      'notes',
      [
        { type: 'note', marker: '[^1]', text: 'net' },
        { type: 'note', marker: '[^2]', text: 'of\ntoday' },
      ],
      '[^1]: net\n[^2]: of today',
    ],
    [
      'fields',
      [
        { type: 'field', label: 'Name of the pet:', value: 'Biscuit' },
        { type: 'field', label: 'Kind', value: 'Dog' },
        { type: 'field', label: '', value: 'x' },
        { type: 'field', label: 'Age', value: '' },
      ],
      'Name of the pet: Biscuit\nKind: Dog\nx\nAge:',
    ],
    [
      'page ends',
      [paragraph('one'), { type: 'pageEnd' }, { type: 'pageEnd' }, paragraph('three')],
      'one\n\f\n\f\nthree',
    ],
    ['nothing for empty blocks', [paragraph(' \n'), table(), code(' \n'), paragraph('a')], 'a'],
  ])('%s', (_, blocks, text) => {
    expect(markdownOf(blocks)).toBe(text);
  });
});

test('items have their markers, and inner items are indented below the text of the item above', () => {
  expect(
    markdownOf([
      item('•', 'a'),
      item('◦', 'b\nsecond line', 1),
      item('', 'a goes on'),
      item('9.', 'c'),
      item('10.', 'd'),
      item('iv.', 'e', 1),
      item('§ 1', 'f', 2),
      item('a)', 'g', 1),
      paragraph('text'),
      item('•', 'inner without an outer item', 2),
    ]),
  ).toBe(
    [
      '* a',
      '  * b',
      '    second line',
      '',
      '  a goes on',
      '',
      '9. c',
      '10. d',
      '    iv. e',
      '        § 1 f',
      '    a) g',
      '',
      'text',
      '',
      '    * inner without an outer item',
    ].join('\n'),
  );
});

describe('text that only looks like Markdown is escaped', () => {
  test.each([
    ['# no heading', '\\# no heading'],
    ['#hashtag', '#hashtag'],
    ['- 5 degrees', '\\- 5 degrees'],
    ['-5 degrees', '-5 degrees'],
    ['* note', '\\* note'],
    ['**bold**', '**bold**'],
    ['3. May', '3\\. May'],
    ['3.5 hours', '3.5 hours'],
    ['2) two', '2\\) two'],
    ['```', '\\```'],
    ['~~~ x', '\\~~~ x'],
    ['---', '\\---'],
    ['a\n# b\n- c', 'a\n\\# b\n\\- c'],
    ['a # b', 'a # b'],
    ['a\fb', 'a\nb'],
  ])('%j', (text, written) => {
    expect(markdownOf([paragraph(text)])).toBe(written);
    expect(markdownOf([item('•', text)])).toBe(`* ${written.replaceAll('\n', '\n  ')}`);
  });

  test('in cells and headings', () => {
    expect(markdownOf([table(['a|b', 'c\nd'])])).toBe('| a\\|b | c d |\n|---|---|');
    expect(markdownOf([{ type: 'heading', level: 1, text: 'C#' }])).toBe('# C#');
    expect(markdownOf([{ type: 'heading', level: 9, text: 'Room #' }])).toBe('###### Room \\#');
  });
});

test('the header of a table has all columns', () => {
  expect(markdownOf([table(['a'], ['1', '2', '3'])])).toBe('| a |  |  |\n|---|---|---|\n| 1 | 2 | 3 |');
});

describe('the fence of code is longer than each fence in it', () => {
  test.each([
    ['\n  a\n\n b  \n\n', '```\n  a\n\n b\n```'],
    ['# a', '```\n# a\n```'],
    ['a ``` b', '```\na ``` b\n```'],
    ['``', '```\n``\n```'],
    ['```\nx\n```', '~~~\n```\nx\n```\n~~~'],
    ['````\n~~~', '~~~~\n````\n~~~\n~~~~'],
    ['```\n~~~~', '````\n```\n~~~~\n````'],
    ['a\r\nb\fc', '```\na\nb c\n```'],
  ])('%j', (text, written) => {
    expect(markdownOf([code(text)])).toBe(written);
  });
});

describe('the worst blocks take linear time and space', { tags: ['long'] }, () => {
  const many = 1_000_000;
  test.each<[string, () => Iterable<Block>, number]>([
    ['a million items', () => Array.from({ length: many }, () => item('•', 'a')), 5 * many],
    [
      'a million items, each deeper than the one before',
      () => Array.from({ length: many }, (_, depth) => item('mmmdccclxxxviii.', 'a', depth)),
      80 * many,
    ],
    [
      'items of any depth in turn',
      () => Array.from({ length: many }, (_, at) => item('•', 'a', at % 2 === 0 ? 0 : many)),
      80 * many,
    ],
    ['a row of 100,000 cells', () => [table(Array(100_000).fill('|'), ['a'])], 1_500_000],
    [
      '100,000 rows below a wide one',
      () => [table(Array(100_000).fill('a'), ...Array.from({ length: 100_000 }, () => ['b']))],
      2_000_000,
    ],
    ['code of only fences', () => [code('`'.repeat(5 * many)), code('~\n'.repeat(many))], 16 * many],
    ['a heading of only marks', () => [{ type: 'heading', level: 1, text: '#'.repeat(5 * many) }], 6 * many],
    ['a paragraph of white space', () => [paragraph(`a${' \n'.repeat(many)}b`)], 10],
    ['a paragraph of numbers', () => [paragraph('1'.repeat(5 * many))], 6 * many],
  ])('%s', (_, blocks, length) => {
    const begun = process.cpuUsage().user;
    expect(markdownOf(blocks()).length).toBeLessThanOrEqual(length);
    expect(process.cpuUsage(undefined).user - begun).toBeLessThan(5e6);
  });
});
