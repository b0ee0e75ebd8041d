/** Tables of a DOCX, and what stands beside its paragraphs: text boxes, pictures and other files. */

import { describe, expect, test } from 'vitest';
import {
  cell,
  docxWith,
  lineOf,
  linesIn,
  par,
  read,
  row,
  run,
  styled,
  table,
} from '../../../support/docx-parts.ts';

describe('a table', () => {
  test('has a line for each row, with its empty cells', async () => {
    const fees = table(
      row(cell('Plan'), cell('Setup'), cell('End')),
      row(cell('Home'), cell(par('')), cell('80.00')),
    );
    expect(await linesIn(fees)).toEqual(['Plan | Setup | End\nHome |  | 80.00']);
  });

  test('joins the paragraphs of a cell by a space', async () => {
    const list = `${par('one')}${par(`${run('two')}<w:r><w:br/></w:r>${run('three')}`)}${styled('Heading1', 'four')}`;
    expect(await linesIn(table(row(cell(list), cell('x'))))).toEqual(['one two three four | x']);
  });

  test('repeats a cell in each column and row that it covers', async () => {
    const above = (inside: string) => cell(inside, '<w:vMerge/>');
    const rows = table(
      row(cell('A', '<w:gridSpan w:val="2"/>'), cell('B', '<w:vMerge w:val="restart"/>')),
      row(cell('c'), cell('d', '<w:vMerge w:val="restart"/>'), above('not shown')),
      row(cell('e'), above(''), above('')),
    );
    expect(await linesIn(rows)).toEqual(['A | A | B\nc | d | B\ne | d | B']);
  });

  test('repeats a block of several rows and columns', async () => {
    const rows = table(
      row(cell('A', '<w:gridSpan w:val="2"/><w:vMerge w:val="restart"/>'), cell('b')),
      row(cell('', '<w:gridSpan w:val="2"/><w:vMerge w:val="continue"/>'), cell('c')),
      row(cell('L', '<w:hMerge w:val="restart"/>'), cell('', '<w:hMerge/>'), cell('d')),
    );
    expect(await linesIn(rows)).toEqual(['A | A | b\nA | A | c\nL | L | d']);
  });

  test('repeats what is above a column, although the cells there are divided in another way', async () => {
    const above = cell('', '<w:vMerge/>');
    const rows = table(
      row(cell('A', '<w:gridSpan w:val="2"/>'), cell('b')),
      row(above, above, cell('c', '<w:gridSpan w:val="0"/>')),
      row(cell('', '<w:vMerge/><w:gridSpan w:val="3"/>')),
    );
    expect(await linesIn(rows)).toEqual(['A | A | b\nA | A | c\nA | A | A']);
  });

  test('begins and ends a row with columns without cells', async () => {
    const indented = `<w:tr><w:trPr><w:gridBefore w:val="1"/><w:gridAfter w:val="1"/></w:trPr>${cell('x')}</w:tr>`;
    expect(await linesIn(table(row(cell('a'), cell('b'), cell('c'), cell('d')), indented))).toEqual([
      'a | b | c | d\n | x |  | ',
    ]);
  });

  test('has a nested table in its cell', async () => {
    const below = row(cell('not shown', '<w:vMerge/>'), cell('4'));
    const inner = table(row(cell('1'), cell('2')), row(cell('3', '<w:gridSpan w:val="2"/>')), below);
    expect(await linesIn(table(row(cell(par('in') + inner + par('out')), cell('x'))))).toEqual([
      'in 1 2; 3; 4; out | x',
    ]);
  });

  test('has a title if its first row is one cell above others', async () => {
    const title = row(cell('Fees', '<w:gridSpan w:val="2"/>'));
    const rows = row(cell('Plan'), cell('Setup')) + row(cell('Home'), cell('50.00'));
    expect(await linesIn(table(title + rows))).toEqual(['caption: Fees', 'Plan | Setup\nHome | 50.00']);
    expect(await linesIn(table(title + row(cell('Home'), cell('50.00'))))).toEqual([
      'Fees | Fees\nHome | 50.00',
    ]);
  });

  test('repeats so much that it is five times as long', async () => {
    const below = row(cell('', '<w:vMerge/>'), cell('y'));
    const long = table(
      row(cell('x'.repeat(10_000), '<w:vMerge w:val="restart"/>'), cell('y')) + below.repeat(9),
    );
    const [rows = ''] = await linesIn(long);
    expect(rows.split('\n')).toHaveLength(10);
    expect(rows.length).toBeGreaterThan(40_000);
    expect(rows.length).toBeLessThan(52_000);
  });

  test('has no deleted and hidden rows, and no rows without text', async () => {
    const rowWith = (property: string) =>
      `<w:tr><w:trPr>${property}</w:trPr>${cell('no')}${cell('no')}</w:tr>`;
    const rows = table(
      rowWith('<w:del w:id="1"/>'),
      row(cell('a'), cell('b')),
      rowWith('<w:hidden/>'),
      row(cell(''), cell('')),
    );
    expect(await linesIn(rows)).toEqual(['a | b']);
  });

  test('of one cell is a frame around its content', async () => {
    const inner = table(row(cell('1'), cell('2')), row(cell('3'), cell('4')));
    expect(await linesIn(table(row(cell(styled('Heading1', 'Note') + par('text') + inner))))).toEqual([
      '# Note',
      'text',
      '1 | 2\n3 | 4',
    ]);
  });
});

describe('beside a paragraph', () => {
  const box = (inside: string) =>
    `<wps:wsp><wps:txbx><w:txbxContent>${inside}</w:txbxContent></wps:txbx></wps:wsp>`;
  const drawn = (inside: string) =>
    `<w:drawing><wp:inline><a:graphic><a:graphicData uri="x">${inside}</a:graphicData></a:graphic></wp:inline></w:drawing>`;
  const old = (inside: string) =>
    `<w:pict><v:shape><v:textbox><w:txbxContent>${inside}</w:txbxContent></v:textbox></v:shape></w:pict>`;

  test.each([
    ['a text box', drawn(box(par('box')))],
    ['a text box of an old version', old(par('box'))],
    [
      'a text box for both',
      `<mc:AlternateContent><mc:Choice Requires="wps">${drawn(box(par('box')))}</mc:Choice><mc:Fallback>${old(par('box'))}</mc:Fallback></mc:AlternateContent>`,
    ],
    [
      'a text box with only the old one',
      `<mc:AlternateContent><mc:Fallback>${old(par('box'))}</mc:Fallback></mc:AlternateContent>`,
    ],
  ])('%s is read once, in its place', async (_, inside) => {
    const text = par(`${run('before ')}<w:r>${inside}</w:r>${run('behind')}`) + par('next');
    expect(await linesIn(text)).toEqual(['before behind', 'box', 'next']);
  });

  test('a text box has tables, and boxes in it', async () => {
    const inner = par(`<w:r>${drawn(box(par('inner')))}</w:r>`);
    const text = par(`<w:r>${drawn(box(table(row(cell('a'), cell('b'))) + inner))}</w:r>`);
    expect(await linesIn(text)).toEqual(['a | b', 'inner']);
  });

  test('a text box in a hidden run is not read', async () => {
    expect(
      await linesIn(par(`<w:r><w:rPr><w:vanish/></w:rPr>${drawn(box(par('no')))}</w:r>${run('text')}`)),
    ).toEqual(['text']);
  });

  const picture = (description: string) =>
    `<w:r><w:drawing><wp:inline><wp:docPr id="1" name="Picture 1" ${description}/><a:graphic><a:graphicData uri="picture"><pic:pic/></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`;

  test('pictures are counted, except where their author says what they show', async () => {
    const chart =
      '<w:r><w:drawing><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/chart"/></a:graphic></w:drawing></w:r>';
    const vml = '<w:r><w:object><v:shape><v:imagedata r:id="x"/></v:shape></w:object></w:r>';
    const text =
      par(picture('')) +
      par(picture('descr="logo.png"') + picture('descr="http://127.0.0.1/a"')) +
      par(picture('descr="A table&#xa;&#xa;Description automatically generated"')) +
      par(chart + vml) +
      par(run('text') + picture('descr="Valve A is closed."'));
    const { blocks, notes } = await read(docxWith(text));
    expect(blocks.map(lineOf)).toEqual(['text', 'caption: Valve A is closed.']);
    expect(notes).toEqual([{ code: 'pictures_without_text', count: 6 }]);
  });
});

describe('another file in the document', () => {
  const chunk = (id: string) => `<w:altChunk r:id="${id}"/>`;
  const file = (text: string) => ({ kind: 'aFChunk', bytes: Buffer.from(text) });

  test('is read by the reader of its type, in its place, also if it is the whole document', async () => {
    const seen: string[] = [];
    const reader = async (bytes: Uint8Array, type: string) => {
      seen.push(`${type} ${Buffer.from(bytes)}`);
      return [{ type: 'paragraph', text: 'from HTML' } as const];
    };
    const files = { 'a.html': file('<b>x</b>') };
    const { blocks } = await read(
      docxWith(par('before') + chunk('a.html') + par('behind'), { files }),
      reader,
    );
    expect(blocks.map(lineOf)).toEqual(['before', 'from HTML', 'behind']);
    expect(seen).toEqual(['text/html <b>x</b>']);
    expect((await read(docxWith(chunk('a.html'), { files }), reader)).blocks.map(lineOf)).toEqual([
      'from HTML',
    ]);
  });

  test('that cannot be read, or is outside of the document, is counted', async () => {
    const files = { 'a.bin': file('x'), 'http://127.0.0.1/b.html': { ...file(''), external: true as const } };
    const text = `${par('text')}${chunk('a.bin')}${chunk('http://127.0.0.1/b.html')}<w:subDoc r:id="x"/>`;
    const { blocks, notes } = await read(docxWith(text, { files }));
    expect(blocks.map(lineOf)).toEqual(['text']);
    expect(notes).toEqual([{ code: 'attachments_left_out', count: 3 }]);
  });
});
