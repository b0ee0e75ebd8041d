/** RTF as blocks. */

import { describe, expect, test } from 'vitest';
import type { Block } from '../../../../lib/readers/blocks.ts';
import { markdownOf } from '../../../../lib/readers/markdown.ts';
import { readRtf } from '../../../../lib/readers/rtf/read.ts';

function read(body: string, header = '') {
  const blocks: Block[] = [];
  const notes = readRtf(`{\\rtf1\\ansi\\deff0${header}${body}}`, (block) => void blocks.push(block));
  return { blocks, notes };
}
const textOf = (body: string, header?: string) => markdownOf(read(body, header).blocks);

describe('text', () => {
  test.each([
    ['paragraphs', String.raw`One\par Two\line three\par{\b Bo}ld\par`, 'One\n\nTwo\nthree\n\nBold'],
    ['line ends of the source', 'One\r\n two\\\nthree\\\r\nfour', 'One two\n\nthree\n\nfour'],
    ['signs', String.raw`\ldblquote a\rdblquote\emdash b\~c\_d\-e \{f\}\\`, '“a”—b c-de {f}\\'],
    ['bytes of Windows-1252', String.raw`Ger\'e4t 5 \'80 Stra\'dfe`, 'Gerät 5 € Straße'],
    ['raw bytes', 'Ger\xe4t', 'Gerät'],
    ['Unicode with a fallback', String.raw`\u8217\'92s \u-10179?\u-8704?\u20320?`, '’s 😀你'],
    ['Unicode with longer fallbacks', String.raw`\uc2\u20320\'c4\'e3b{\uc0\u22909}\u22909xxy`, '你b好好y'],
    ['a fallback that ends with its group', String.raw`{\u8217}s`, '’s'],
    [
      'raised and lowered numbers',
      String.raw`For 500{\super 1} in 10\super 6\nosupersub 7 H\sub 2\sub0 O 1{\super st}\super\plain 3`,
      'For 500¹ in 10⁶7 H₂O 1st3',
    ],
    ['hidden and deleted text', String.raw`a{\v no}{\deleted no}\v no\v0 b`, 'ab'],
    ['alternatives', String.raw`{\upr{no}{\*\ud{\u22909?yes}}}!`, '好yes!'],
    [
      'fields',
      String.raw`{\field{\*\fldinst HYPERLINK "https://acme.example"}{\fldrslt our page}}`,
      'our page',
    ],
    ['a result of an object', String.raw`{\object{\*\objdata 0a0b}{\result Sum 3}}`, 'Sum 3'],
    ['a text box once', String.raw`{\shp{\*\shpinst{\sp{\sn x}{\sv 1}}{\shptxt Box}}{\shprslt Box}}`, 'Box'],
    ['an unknown control word', String.raw`\foo12 a\bar-1 b`, 'ab'],
    ['a group that does not end', '{a{b', 'ab'],
    ['groups that end too often', 'a}}}b', 'ab'],
    ['a broken byte', String.raw`a\'zzb`, 'azzb'],
    ['a star behind other words', String.raw`{\b\*\cs7 text}`, 'text'],
    ['null characters behind the end', 'a}\0\0', 'a'],
    ['lists outside of their table', String.raw`{\list{\listlevel 00.}}a`, 'a'],
  ])('%s', (_, body, text) => {
    expect(textOf(body)).toBe(text);
  });

  test.each([
    ['the encoding of the file', String.raw`\ansicpg1251`, String.raw`\'cf\'f0\'e8`, 'При'],
    [
      'the encoding of a font',
      String.raw`{\fonttbl{\f0 Arial;}{\f3\fcharset204 Arial Cyr;}}`,
      String.raw`\'e4{\f3 \'cf\'f0}\'e4\f3 \'e8\plain \'e4`,
      'äПрäиä',
    ],
    [
      'Japanese',
      String.raw`{\fonttbl{\f0\fcharset128 MS Mincho;}}`,
      String.raw`\'93\'fa\'96{\b\'7b}\'83A\'83v`,
      '日\ufffd{アプ',
    ],
    ['Chinese', String.raw`{\fonttbl{\f0\fcharset134 SimSun;}}`, String.raw`\'c4\'e3\'ba\'c3`, '你好'],
    ['UTF-8', String.raw`\ansicpg65001`, String.raw`\'c3\'a9`, 'é'],
    ['Mac', String.raw`\mac`, String.raw`\'8e`, 'é'],
    ['an unknown encoding', String.raw`\ansicpg9999`, String.raw`\'e9`, 'é'],
  ])('in %s', (_, header, body, text) => {
    expect(textOf(body, header)).toBe(text);
  });

  test('destinations are skipped', () => {
    const header = String.raw`{\fonttbl{\f0\fnil Font;}}{\colortbl;\red0;}{\stylesheet{\s0 Normal;}}{\info{\title Title}{\upr{\author A}{\*\ud{\author B}}}}{\*\generator X;}`;
    const body = String.raw`{\header Head\par}{\footer Foot}{\pict\pngblip 89504e}{\*\shppict{\pict 00}}a{\*\bkmkstart b}{\pict\bin5 }}}{a b}c`;
    expect(textOf(body, header)).toBe('ac');
  });
});

test('tables have their rows, columns and merged cells', () => {
  const row = (edges: string, ...cells: string[]) =>
    `\\trowd${edges}\\pard\\intbl ${cells.map((cell) => `${cell}\\cell`).join(' ')}\\row `;
  const body = [
    'Fees\\par ',
    row('\\cellx1000\\cellx2000\\cellx3000', 'a', 'b', 'c'),
    row('\\clvmgf\\cellx1005\\cellx3000', 'x\\par y', '{\\b z}'),
    row('\\clvmrg\\cellx1000\\cellx2000\\cellx3000', '', '', '4|5'),
    row('\\clmgf\\cellx1000\\clmrg\\cellx2000\\cellx3000', 'm', '', 'n'),
    '\\pard After\\par',
  ];
  expect(read(body.join('')).blocks).toEqual([
    { type: 'paragraph', text: 'Fees' },
    {
      type: 'table',
      rows: [
        ['a', 'b', 'c'],
        ['x y', 'z', 'z'],
        ['x y', '', '4|5'],
        ['m', 'm', 'n'],
      ],
    },
    { type: 'paragraph', text: 'After' },
  ]);
});

test('a table in a cell is read in it', () => {
  const body = String.raw`\trowd\cellx1000\cellx2000\pard\intbl a\cell{\itap2 S\nestcell{\nonesttables\par}4\nestcell{\nonesttables\par}}{\*\nesttableprops\trowd\cellx500\cellx900\nestrow}{\itap2 M\nestcell 5\nestcell}{\*\nesttableprops\nestrow}\pard\intbl\cell\row`;
  expect(read(body).blocks).toEqual([{ type: 'table', rows: [['a', 'S 4; M 5']] }]);
});

test('headings, lists and notes', () => {
  const header = String.raw`{\stylesheet{\s0 Normal;}{\s2\sb240 heading 2;}{\s7 Quote;}}`;
  const body = String.raw`\pard\plain\s2 Returns\par
\pard\plain\outlinelevel0 Shop\par
\pard\plain\s7 Text{\super\chftn}{\footnote\pard\plain{\super\chftn} Within\par 30 days.}.\par
{\listtext\pard\plain\f3\'B7\tab}\pard\ls1 {\listtext\pard\plain\f3\'B7\tab}one\par
{\listtext a)\tab}\ilvl1 two\par
{\pntext\f1 3.\tab}\pard three\par`;
  expect(read(body, header).blocks).toEqual([
    { type: 'heading', level: 2, text: 'Returns' },
    { type: 'heading', level: 1, text: 'Shop' },
    { type: 'paragraph', text: 'Text[1].' },
    { type: 'listItem', marker: '•', depth: 0, text: 'one' },
    { type: 'listItem', marker: 'a)', depth: 1, text: 'two' },
    { type: 'listItem', marker: '3.', depth: 0, text: 'three' },
    { type: 'note', marker: '[1]', text: 'Within 30 days.' },
  ]);
});

test('items stand as deep as their left edges, although they are of several lists', () => {
  const item = (mark: string, left: number, text: string) =>
    `{\\listtext ${mark}\\tab}\\pard\\li${left}\\ilvl1 ${text}\\par `;
  const body = [
    item('1.', 720, 'a'),
    item('-', 1080, 'b'),
    '\\pard\\li1080 more\\par ',
    item('-', 1085, 'c'),
    item('2.', 720, 'd'),
  ];
  expect(read(`${body.join('')}\\pard text\\par ${item('-', 1080, 'e')}`).blocks).toEqual([
    { type: 'listItem', marker: '1.', depth: 0, text: 'a' },
    { type: 'listItem', marker: '•', depth: 1, text: 'b' },
    { type: 'paragraph', text: 'more' },
    { type: 'listItem', marker: '•', depth: 1, text: 'c' },
    { type: 'listItem', marker: '2.', depth: 0, text: 'd' },
    { type: 'paragraph', text: 'text' },
    { type: 'listItem', marker: '•', depth: 0, text: 'e' },
  ]);
});

test('pictures and wrong bytes are counted', () => {
  const header = String.raw`{\fonttbl{\f0\fcharset128 M;}}`;
  const body = String.raw`a{\*\shppict{\pict 00}}{\nonshppict{\pict 00}}{\pict 00}\'ff{\v\'ff}`;
  expect(read(body, header).notes).toEqual([
    { code: 'characters_replaced', count: 1 },
    { code: 'pictures_without_text', count: 2 },
  ]);
});

test('comments are counted', () => {
  expect(read(String.raw`a{\*\atnid B}{\*\annotation no}b{\annotation no}`)).toEqual({
    blocks: [{ type: 'paragraph', text: 'ab' }],
    notes: [{ code: 'comments_left_out', count: 2 }],
  });
});

describe('the worst RTF takes linear time', { tags: ['long'] }, () => {
  const size = 25_000_000;
  test.each([
    '{',
    '}',
    '{\\f1',
    '{\\v',
    '{\\footnote a',
    '\\',
    "\\'",
    "\\'83",
    "{\\fonttbl{\\f0\\fcharset128}}\\'83",
    '\\u1',
    '\\uc9999999999 \\u1 a',
    'a\\par ',
    'a\\cell ',
    'a\\cell\\row ',
    '\\cellx1',
    '\\trowd\\clvmrg\\cellx1\\cell\\row',
    '\\bin99999999999 ',
    '\\bin0 ',
    'a'.repeat(100),
    '\\aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
    '{\\upr{a}{\\*\\ud{b}}}',
    '{\\listtext a}b\\par',
    '{\\stylesheet{\\s1 heading 1;',
  ])('%s', (unit) => {
    const begun = process.cpuUsage().user;
    const blocks: Block[] = [];
    readRtf(`{\\rtf1 ${unit.repeat(size / unit.length)}`, (block) => void blocks.push(block));
    markdownOf(blocks);
    expect(process.cpuUsage(undefined).user - begun).toBeLessThan(40e6);
  });

  test('cells that share the most shapes', () => {
    const begun = process.cpuUsage().user;
    const edges = Array.from({ length: 300_000 }, (_, at) => `\\cellx${at * 50}`).join('');
    const { blocks } = read(`\\trowd${edges}${'a\\cell\\row '.repeat(300_000)}`);
    expect(markdownOf(blocks).length).toBeLessThan(30_000_000);
    expect(process.cpuUsage(undefined).user - begun).toBeLessThan(20e6);
  });
});
