/** CSV and TSV as a table. */

import { describe, expect, test } from 'vitest';
import type { Block } from '../../../lib/readers/blocks.ts';
import { readCsv } from '../../../lib/readers/csv.ts';
import { markdownOf } from '../../../lib/readers/markdown.ts';

function read(text: string, isCertain = false) {
  const blocks: Block[] = [];
  return readCsv(text, (block) => void blocks.push(block), isCertain) ? blocks : undefined;
}
const rowsOf = (text: string, isCertain?: boolean) =>
  read(text, isCertain)?.flatMap((block) => (block.type === 'table' ? block.rows : []));

test.each([
  [
    'commas',
    'a,b\n1,\n,2\n',
    [
      ['a', 'b'],
      ['1', ''],
      ['', '2'],
    ],
  ],
  [
    'tabs',
    'a\tb\r\n1\t\r\n\t2',
    [
      ['a', 'b'],
      ['1', ''],
      ['', '2'],
    ],
  ],
  [
    'semicolons and decimal commas',
    'a;b;c\n1,5;2,5;3,5\n4,5;5,5;6,5',
    [
      ['a', 'b', 'c'],
      ['1,5', '2,5', '3,5'],
      ['4,5', '5,5', '6,5'],
    ],
  ],
  [
    'a list in a cell',
    'a,tags\n1,x;y\n2,z;w\n3,u;v',
    [
      ['a', 'tags'],
      ['1', 'x;y'],
      ['2', 'z;w'],
      ['3', 'u;v'],
    ],
  ],
  [
    'quotation marks',
    'a,b\n"x, ""y""\nz",2\n3,"4"',
    [
      ['a', 'b'],
      ['x, "y"\nz', '2'],
      ['3', '4'],
    ],
  ],
  [
    'single quotation marks',
    "a;b\n'x; ''y''';2\n'3;z';4\n'u;v;w';'5'",
    [
      ['a', 'b'],
      ["x; 'y'", '2'],
      ['3;z', '4'],
      ['u;v;w', '5'],
    ],
  ],
  [
    'rows that end early',
    'a,b,c\n1,2,3\n4,5,6\n7,8,9\n1,2,3\n4,5,6\n7,8,9\n1,2,3\n4,5,6\n7',
    [
      ['a', 'b', 'c'],
      ['1', '2', '3'],
      ['4', '5', '6'],
      ['7', '8', '9'],
      ['1', '2', '3'],
      ['4', '5', '6'],
      ['7', '8', '9'],
      ['1', '2', '3'],
      ['4', '5', '6'],
      ['7', '', ''],
    ],
  ],
  [
    'a separator at the end of each row',
    'a;b;\n1;;\n;2;',
    [
      ['a', 'b'],
      ['1', ''],
      ['', '2'],
    ],
  ],
  [
    'the separator in the first line',
    'sep=;\r\na;b\r\n1;2\r\n',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
])('with %s', (_, text, rows) => {
  expect(rowsOf(text)).toEqual(rows);
});

test('the separator that the first line states is used, also another one', () => {
  expect(rowsOf('sep=|\na;b|c;d\n1|2')).toEqual([
    ['a;b', 'c;d'],
    ['1', '2'],
  ]);
});

test('a title above the header is text', () => {
  expect(read('Price list\na,b\n1,2\n3,4\n5,6\n7,8\n1,2\n3,4\n5,6\n7,8')?.[0]).toEqual({
    type: 'paragraph',
    text: 'Price list',
  });
});

test('a title in a cell of a spreadsheet is text, and empty rows are none', () => {
  expect(read('Price list;;\n;;\n;Tariff;Fee\n;T1;5\n;;\n;T2;6\nnet;;\n')).toEqual([
    { type: 'paragraph', text: 'Price list' },
    {
      type: 'table',
      rows: [
        ['', 'Tariff', 'Fee'],
        ['', 'T1', '5'],
        ['', 'T2', '6'],
        ['net', '', ''],
      ],
    },
  ]);
});

test('each row is a line below the header', () => {
  expect(markdownOf(read('Tariff;Fee|net\n"T;1";5\nT2;6') ?? [])).toBe(
    '| Tariff | Fee\\|net |\n|---|---|\n| T;1 | 5 |\n| T2 | 6 |',
  );
});

test.each([
  ['prose', 'In 1999, a.\nIn 2000, b.\nIn 2001, c.'],
  ['few rows', 'a,b\n1,2'],
  ['one column', 'a\nb\nc'],
  ['nothing', ''],
  ['a list', '- a, b, c\n- d, e, f\n- g, h, i'],
  ['lines of JSON', '{"a":1,"b":2}\n{"a":3,"b":4}\n{"a":5,"b":6}'],
  ['a table of Markdown', '| a | b |\n|---|---|\n| 1 | 2 |'],
  ['a program', 'let a;\nlet b;\nlet c;'],
  ['a program with comments', 'let a;\nlet b;\nlet c; // d\nlet e;'],
  ['sentences', 'Yes, no, maybe.\nOne, two, three.\nHere, there, now.'],
])('no table: %s', (_, text) => expect(read(text)).toBeUndefined());

test('a text that is known to be CSV may have few rows, one column and irregular rows', () => {
  expect(rowsOf('a,b\n1,2', true)).toEqual([
    ['a', 'b'],
    ['1', '2'],
  ]);
  expect(rowsOf('a\nb', true)).toEqual([['a'], ['b']]);
  expect(rowsOf('a, b\n1, 2\n3', true)).toEqual([
    ['a', 'b'],
    ['1', '2'],
    ['3', ''],
  ]);
  expect(rowsOf('a|b\n1|2', true)).toEqual([
    ['a', 'b'],
    ['1', '2'],
  ]);
  expect(rowsOf('a, "b, c"\n1,  "2"', true)).toEqual([
    ['a', 'b, c'],
    ['1', '2'],
  ]);
  expect(read('', true)).toBeUndefined();
});

describe('the worst CSV of 5 MB takes linear time and space', { tags: ['long'] }, () => {
  const size = 5_000_000;
  test.each<[string, () => string]>([
    ['cells', () => 'a,b\n'.repeat(size / 4)],
    ['one row', () => `a,b\n${'a,'.repeat(size / 2)}`],
    ['a wide header', () => `${'a,'.repeat(size / 4)}\n${'b\n'.repeat(size / 4)}`],
    ['a wide row', () => `a,b\n${'b\n'.repeat(size / 4)}${'a,'.repeat(size / 4)}`],
    ['quotation marks', () => '"'.repeat(size)],
    ['quotation marks that do not end', () => `a,b\n"${"','".repeat(size / 3)}`],
    ['line ends in cells', () => `a,b\n${'"\n\n",\n'.repeat(size / 7)}`],
    ['line ends', () => `a,b\n1,"${'\r\n'.repeat(size / 2)}x"`],
    ['spaces', () => `a,b\n1,${' '.repeat(size)}x`],
  ])('%s', (_, text) => {
    for (const isCertain of [false, true]) {
      const begun = process.cpuUsage().user;
      expect(markdownOf(read(text(), isCertain) ?? []).length).toBeLessThan(10 * size);
      expect(process.cpuUsage(undefined).user - begun).toBeLessThan(20e6);
    }
  });
});
