/** Tables are cut between rows, and each piece repeats the heading and the header row. */

import { describe, expect, test } from 'vitest';
import { sectionsOf } from '../../../../lib/readers/sections.ts';
import { chunksOf, pieceText } from '../../../../lib/search/pieces/chunk.ts';
import { hasPassage, passageOf } from '../../../../lib/search/pieces/passage.ts';
import { readDocument } from '../../../../lib/search/pieces/read-document.ts';

const numbers = Array.from({ length: 60 }, (_, at) => String(at + 1).padStart(2, '0'));
const fee = (number: string) => `${90 + ((Number(number) * 7) % 60)}.00`;
const textsOf = (document: string) => chunksOf(document).map(({ text }) => text);
const withoutSpace = (text: string) => text.replace(/\s+/g, ' ');

describe.each([
  [';', (number: string) => `"Tariff; T${number}";${number}.00;${fee(number)}`],
  [',', (number: string) => `"Tariff, T${number}",${number}.00,${fee(number)}`],
  ['\t', (number: string) => `Tariff "T${number}"\t${number}.00\t${fee(number)}`],
])('CSV with %j', (separator, rowOf) => {
  const header = ['Product', 'Monthly, and more', 'Cancellation'].map((name) =>
    name.includes(separator) ? `"${name}"` : name,
  );
  const head = header.join(separator);

  test.each(['\n', '\r\n'])('with lines that end with %j', (end) => {
    const csv = [head, ...numbers.map(rowOf)].join(end);
    const chunks = chunksOf(csv);
    expect(chunks.length).toBeGreaterThan(1);
    for (const { text } of chunks) expect(text.split(/\r?\n/)[0]).toBe(head);
    const rows = chunks.flatMap(({ text }) => text.split(/\r?\n/).slice(1));
    expect(rows).toEqual(numbers.map(rowOf));
    // Neighbours are joined without what they repeat.
    expect(passageOf(chunks, 0, 3).split(/\r?\n/).slice(0, 40)).toEqual(csv.split(/\r?\n/).slice(0, 40));
  });

  test('a title above the header, and rows that end early', () => {
    const csv = ['Price list', head, ...numbers.map(rowOf), 'Tariff T61'].join('\n');
    const texts = textsOf(csv);
    expect(texts[0]?.split('\n').slice(0, 2)).toEqual(['Price list', head]);
    for (const text of texts.slice(1)) expect(text.split('\n')[0]).toBe(head);
    expect(texts.at(-1)).toContain('Tariff T61');
  });
});

test('a cell with line ends and quotation marks, and a row that looks like a heading', () => {
  const row = (number: string) => `"# T${number}\nsays ""hello""",${number}`;
  const csv = ['name,price', ...numbers.map(row), ...numbers.map((number) => `# ${number},1`)].join('\n');
  const chunks = chunksOf(csv);
  for (const number of numbers) {
    expect(chunks.filter(({ text }) => text.includes(row(number)))).toHaveLength(1);
    expect(chunks.filter(({ text }) => text.includes(`# ${number},1`))).toHaveLength(1);
  }
  for (const { heading, text } of chunks) expect([heading, text.split('\n')[0]]).toEqual(['', 'name,price']);
});

test('the text of a piece of before versions had marks is encoded as it was', () => {
  const text = '# a comment of code';
  expect(pieceText({ title: 't', heading: 'h', text })).toBe(`t\nh\n${text}`);
  expect(pieceText({ title: 't', heading: 'h', text: '## h\n\nw', level: 2 })).toBe('t\nh\nh\n\nw');
});

test('prose with commas is no table', () => {
  const prose = Array.from({ length: 100 }, (_, at) => `In the year ${at}, nothing happened.`).join('\n');
  const texts = textsOf(prose);
  expect(texts.length).toBeGreaterThan(2);
  expect(texts.filter((text) => text.includes('year 0,'))).toHaveLength(1);
});

const markdown = [
  '# Shop',
  '## Prices',
  'All prices are net.',
  '',
  '| Tariff | Monthly | Cancellation |',
  '|:--|--:|--:|',
  ...numbers.map((number) => `| T${number} | ${number}.00 a month | ${fee(number)} once |`),
  '',
  'Prices may change.',
].join('\n');

test('each piece of a Markdown table begins with its heading and header', () => {
  const chunks = chunksOf(markdown);
  const [, first, ...others] = chunks;
  const head = '| Tariff | Monthly | Cancellation |\n|:--|--:|--:|\n';
  expect(first?.text).toContain(`## Prices\nAll prices are net.\n\n${head}| T01 |`);
  expect(others.length).toBeGreaterThan(1);
  for (const chunk of others) {
    expect(chunk.text.startsWith(`## Prices\n\n${head}| T`)).toBe(true);
    expect(chunk.heading).toBe('Shop › Prices');
    expect(chunk.text.length).toBeLessThanOrEqual(1300);
    // The encoder gets the heading without its marks.
    expect(
      pieceText({ title: 'List', ...chunk })
        .split('\n')
        .slice(0, 3),
    ).toEqual(['List', 'Shop › Prices', 'Prices']);
  }
  expect(others.at(-1)?.text).toMatch(/\| T60 \| .*\n\nPrices may change\.$/);
  const whole = passageOf(chunks, 1, 10);
  expect(withoutSpace(whole)).toBe(withoutSpace(markdown));
});

test('a table of HTML is cut in the same way', () => {
  const rows = numbers.map((number) => `<tr><td>T${number}<td>${number}.00<td>${fee(number)}</tr>`);
  const content = `<h2>Prices</h2><table><thead><tr><th>Tariff<th>Monthly<th>Cancellation</thead>${rows.join('')}</table>`;
  const { chunks } = readDocument({ title: 'List', content, mimeType: 'text/html' });
  expect(chunks.length).toBeGreaterThan(1);
  for (const { text } of chunks)
    expect(text).toMatch(/^## Prices\n+\| Tariff \| Monthly \| Cancellation \|\n\|---\|---\|---\|\n\| T/);
});

test('a passage is found with and without the escapes of Markdown', () => {
  const { chunks } = readDocument({
    title: 't',
    content: '<p>3. May<table><tr><td>a|b<td>c<tr><td>C:\\x<td>d</table>',
    mimeType: 'text/html',
  });
  const text = chunks[0]?.text ?? '';
  expect(text).toBe('3\\. May\n\n| a\\|b | c |\n|---|---|\n| C:\\x | d |');
  for (const passage of ['3. may', '3\\. May', 'a|b', 'c:\\X']) expect(hasPassage(text, passage)).toBe(true);
  expect(hasPassage(text, 'C:x')).toBe(false);
});

test('a row that is longer than a piece is cut at its cells, each below the name of its column', () => {
  const cells = Array.from({ length: 30 }, (_, at) => `value${at} ${'x'.repeat(100)}`);
  const names = cells.map((_, at) => `column${at}`);
  const csv = [
    names.join(';'),
    ...['a', 'b', 'c'].map((row) => cells.map((cell) => row + cell).join(';')),
  ].join('\n');
  const chunks = chunksOf(csv);
  for (const row of ['a', 'b', 'c']) {
    for (const at of cells.keys()) {
      const found = chunks.filter(({ text }) => text.includes(`${row}value${at} x`));
      expect(found).toHaveLength(1);
      const [head = '', line = ''] = found[0]?.text.split('\n') ?? [];
      const column = line.split(';').findIndex((cell) => cell.startsWith(`${row}value${at} x`));
      expect(head.split(';')[column]).toBe(`column${at}`);
    }
  }
});

describe('the pieces of the worst tables are bounded', () => {
  const size = 200_000;
  const fill = (text: string) => text.repeat(Math.ceil(size / text.length)).slice(0, size);
  test.each([
    ['a long header above short rows', `${'n'.repeat(590)};${'m'.repeat(590)}\n${fill('a;b\n')}`],
    ['a header that is longer than a piece', `${'n'.repeat(900)};${'m'.repeat(900)}\n${fill('a;b\n')}`],
    ['a long heading', `# ${'word '.repeat(200)}\n|a|b|\n|-|-|\n${fill('|a|b|\n')}`],
    ['a heading longer than the text', `# ${'word '.repeat(30_000)}\n|a|b|\n|-|-|\n${'|a|b|\n'.repeat(500)}`],
    ['one cell', `a;b\na;b\na;b\na;${fill('x ')}`],
    ['one row of cells', `a;b\n${fill('a;')}\n`],
    ['only separators', fill(';')],
    ['only pipes', fill('|')],
    ['only delimiter rows', fill('|-|-|\n')],
    ['only quotation marks', fill('"')],
    ['quotation marks that do not end', fill('"a;b\n')],
    ['separators behind quotation marks', fill('"";"";""\n')],
    ['empty lines', fill('\n')],
    ['line ends in quotation marks', fill('"\n\n";"\n"\n')],
    ['page ends in a header', `|\fa|b|\n|-|-|\n${fill('|a|b|\n')}`],
  ])('%s', (_, text) => {
    const chunks = chunksOf(text);
    for (const chunk of chunks) expect(chunk.text.length).toBeLessThanOrEqual(2600);
    expect(chunks.reduce((sum, chunk) => sum + chunk.text.length, 0)).toBeLessThan(4 * text.length);
    expect(sectionsOf(text).length).toBeLessThan(2001);
  });
});
