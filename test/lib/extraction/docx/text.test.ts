/** What a person sees in the paragraphs of a DOCX. */

import { describe, expect, test } from 'vitest';
import {
  cell,
  complexField,
  docxWith,
  fieldChar,
  linesIn,
  par,
  read,
  row,
  run,
  style,
  styled,
  table,
} from '../../../support/docx-parts.ts';

const lineIn = async (inside: string) => (await linesIn(par(inside))).join(' / ');

describe('results of fields are read, their codes are not', () => {
  test('a simple field', async () => {
    const line = `${run('Dear ')}<w:fldSimple w:instr=" MERGEFIELD Name ">${run('Robin Lake')}</w:fldSimple>${run(', hello')}`;
    expect(await lineIn(line)).toBe('Dear Robin Lake, hello');
  });

  test('a complex field', async () => {
    expect(await lineIn(`${run('Dear ')}${complexField(' MERGEFIELD Name ', run('Robin'))}`)).toBe(
      'Dear Robin',
    );
  });

  test('the number of a caption', async () => {
    const caption = `${run('Table ')}<w:fldSimple w:instr=" SEQ Table ">${run('3')}</w:fldSimple>${run(': Fees')}`;
    const parts = { styles: style('Beschriftung', 'caption') };
    expect(await linesIn(par(caption, '<w:pStyle w:val="Beschriftung"/>'), parts)).toEqual([
      'caption: Table 3: Fees',
    ]);
  });

  test('a field in the code and in the result of another', async () => {
    const condition = `${fieldChar('begin')}<w:r><w:instrText> IF </w:instrText></w:r>${complexField(' A ', run('1'))}`;
    const result = `${fieldChar('separate')}${run('due in ')}${complexField(' DAYS ', run('30'))}${run(' days')}${fieldChar('end')}`;
    expect(await lineIn(`${condition}${result}${run('.')}`)).toBe('due in 30 days.');
  });

  test('a field over several paragraphs', async () => {
    const first = par(
      `${fieldChar('begin')}<w:r><w:instrText> TOC </w:instrText></w:r>${fieldChar('separate')}${run('Fees 1')}`,
    );
    expect(await linesIn(first + par(`${run('Prices 2')}${fieldChar('end')}`))).toEqual([
      'Fees 1',
      'Prices 2',
    ]);
  });

  test('a field without a result', async () => {
    expect(
      await lineIn(
        `${run('a')}${fieldChar('begin')}<w:r><w:instrText> XE "x" </w:instrText></w:r>${fieldChar('end')}${run('b')}`,
      ),
    ).toBe('ab');
  });

  test('the text behind a field that does not end', async () => {
    const open = `${run('a ')}${fieldChar('begin')}<w:r><w:instrText> PAGE </w:instrText></w:r>`;
    expect(await linesIn(par(open) + par('The fee is 80.'))).toEqual(['a', 'The fee is 80.']);
  });

  test('check boxes and lists of forms', async () => {
    const box = (state: string) =>
      fieldChar('begin', `<w:ffData><w:checkBox><w:sizeAuto/>${state}</w:checkBox></w:ffData>`) +
      fieldChar('end');
    const list = fieldChar(
      'begin',
      '<w:ffData><w:ddList><w:result w:val="1"/><w:listEntry w:val="Cat"/><w:listEntry w:val="Dog"/></w:ddList></w:ffData>',
    );
    const boxes = `${box('<w:default w:val="1"/>')}${box('<w:default w:val="1"/><w:checked w:val="0"/>')}${box('')}`;
    expect(await lineIn(`${boxes}${list}${fieldChar('end')}`)).toBe('☒☐☐Dog');
  });
});

describe('containers are read', () => {
  test.each([
    ['a hyperlink', `<w:hyperlink r:id="x">${run('price list')}</w:hyperlink>`],
    [
      'a content control',
      `<w:sdt><w:sdtPr><w:alias w:val="no"/></w:sdtPr><w:sdtContent>${run('price list')}</w:sdtContent></w:sdt>`,
    ],
    ['custom XML', `<w:customXml w:element="x">${run('price list')}</w:customXml>`],
    ['a smart tag', `<w:smartTag w:element="x">${run('price list')}</w:smartTag>`],
    ['a direction', `<w:dir w:val="rtl">${run('price list')}</w:dir>`],
    ['another direction', `<w:bdo w:val="rtl">${run('price list')}</w:bdo>`],
    ['inserted text', `<w:ins w:id="1">${run('price list')}</w:ins>`],
    ['text that has been moved here', `<w:moveTo w:id="1">${run('price list')}</w:moveTo>`],
  ])('%s', async (_, inside) => {
    expect(await lineIn(run('the ') + inside)).toBe('the price list');
  });

  test('a content control around paragraphs, rows and cells', async () => {
    const control = (inside: string) => `<w:sdt><w:sdtContent>${inside}</w:sdtContent></w:sdt>`;
    const rows = table(control(row(control(cell('a')), cell('b'))), row(cell('c'), cell('d')));
    expect(await linesIn(control(par('text')) + rows)).toEqual(['text', 'a | b\nc | d']);
  });
});

describe('what is not shown is not read', () => {
  const deleted = '<w:del w:id="1"><w:r><w:delText>old</w:delText></w:r></w:del>';
  test.each([
    ['deleted text', deleted],
    ['deleted text in a run of text', `<w:del w:id="1">${run('old')}</w:del>`],
    ['text that has been moved away', `<w:moveFrom w:id="1">${run('old')}</w:moveFrom>`],
    ['hidden text', run('old', '<w:vanish/>')],
    ['text with a style that hides it', run('old', '<w:rStyle w:val="Secret"/>')],
    ['a field in deleted text', `<w:del w:id="1">${fieldChar('begin')}</w:del>`],
  ])('%s', async (_, inside) => {
    const styles =
      style('Secret', 'Secret', '<w:basedOn w:val="Base"/>', 'character') +
      style('Base', 'Base', '<w:rPr><w:vanish/></w:rPr>', 'character');
    expect(await linesIn(par(`${run('a')}${inside}${run('b')}`), { styles })).toEqual(['ab']);
  });

  test('a paragraph with a style that hides it, except where a run shows its text', async () => {
    const styles = style('Secret', 'Secret', '<w:rPr><w:vanish/></w:rPr>');
    const shown = par(run('c', '<w:vanish w:val="0"/>'), '<w:pStyle w:val="Secret"/>');
    expect(await linesIn(styled('Secret', 'a') + par('b') + shown, { styles })).toEqual(['b', 'c']);
  });

  test('what was before a change', async () => {
    const change = '<w:pPrChange w:id="1"><w:pPr><w:pStyle w:val="Heading1"/></w:pPr></w:pPrChange>';
    const runChange = '<w:rPrChange w:id="1"><w:rPr><w:vanish/></w:rPr></w:rPrChange>';
    expect(await linesIn(par(run('text', runChange), change))).toEqual(['text']);
  });

  test('the end of a paragraph that is deleted joins two', async () => {
    const first = par('The fee ', '<w:rPr><w:del w:id="1"/></w:rPr>');
    expect(await linesIn(first + par('is 80.') + par('Last', '<w:rPr><w:del w:id="2"/></w:rPr>'))).toEqual([
      'The fee is 80.',
      'Last',
    ]);
  });

  test('comments, which are counted', async () => {
    const comments = `<w:comment w:id="1">${par('no')}</w:comment><w:comment w:id="2">${par('no')}</w:comment>`;
    const { blocks, notes } = await read(docxWith(par('text'), { comments }));
    expect(blocks).toEqual([{ type: 'paragraph', text: 'text' }]);
    expect(notes).toEqual([{ code: 'comments_left_out', count: 2 }]);
  });
});

describe('characters', () => {
  test('raised and lowered numbers are other characters', async () => {
    const align = (to: string) => `<w:vertAlign w:val="${to}"/>`;
    const [up, down] = [align('superscript'), align('subscript')];
    const line = [run('500'), run('1', up), run(' € for 10'), run('6', up), run(' H'), run('2', down)].join(
      '',
    );
    expect(await lineIn(line)).toBe('500¹ € for 10⁶ H₂');
    expect(await lineIn(run('1') + run('st', up) + run('2', align('baseline')))).toBe('1st2');
  });

  test.each([
    [
      'tabs',
      `${run('a')}<w:r><w:tab/></w:r>${run('b')}<w:r><w:ptab w:alignment="right"/></w:r>${run('c')}`,
      'a b c',
    ],
    ['ends of lines', `${run('a ')}<w:r><w:br/></w:r>${run(' b')}<w:r><w:cr/></w:r>${run('c')}`, 'a\nb\nc'],
    [
      'hyphens',
      `${run('well')}<w:r><w:noBreakHyphen/></w:r>${run('kn')}<w:r><w:softHyphen/></w:r>${run('o\u00adwn')}`,
      'well-known',
    ],
    ['white space', run('  a \n\t b  '), 'a b'],
    [
      'symbols',
      '<w:r><w:sym w:font="Symbol" w:char="F0B3"/><w:sym w:font="Wingdings" w:char="F0FC"/><w:sym w:font="Arial" w:char="2192"/></w:r>',
      '≥✓→',
    ],
    ['text in a font of symbols', run('\uf061\uf0b0', '<w:rFonts w:ascii="Symbol" w:hAnsi="Symbol"/>'), 'α°'],
    [
      'a reading',
      `<w:ruby><w:rubyPr/><w:rt>${run('かんじ')}</w:rt><w:rubyBase>${run('漢字')}</w:rubyBase></w:ruby>`,
      '漢字(かんじ)',
    ],
  ])('%s', async (_, inside, text) => {
    expect(await lineIn(inside.startsWith('<w:ruby') ? `<w:r>${inside}</w:r>` : inside)).toBe(text);
  });

  test('a stop of a tab is no tab', async () => {
    expect(await linesIn(par('text', '<w:tabs><w:tab w:val="left" w:pos="10"/></w:tabs>'))).toEqual(['text']);
  });

  test('symbols that are not known are counted', async () => {
    const { blocks, notes } = await read(
      docxWith(par('<w:r><w:sym w:font="Wingdings 3" w:char="F021"/></w:r>')),
    );
    expect(blocks).toEqual([{ type: 'paragraph', text: '\ufffd' }]);
    expect(notes).toEqual([{ code: 'characters_replaced', count: 1 }]);
  });

  test('a large first letter belongs to its word', async () => {
    const letter = par('D', '<w:framePr w:dropCap="drop" w:lines="3"/>');
    expect(await linesIn(letter + par('rop cap.'))).toEqual(['Drop cap.']);
  });
});

describe('foot- and endnotes', () => {
  const note = (kind: string, id: number, text: string, type = '') =>
    `<w:${kind} w:id="${id}" ${type}>${par(`<w:r><w:${kind}Ref/></w:r>${run(text)}`)}</w:${kind}>`;
  const reference = (kind: string, id: number, custom = '') =>
    `<w:r><w:${kind}Reference w:id="${id}" ${custom}/></w:r>`;
  const footnotes = `${note('footnote', 0, 'line', 'w:type="separator"')}${note('footnote', 7, ' Seven.')}${note('footnote', 8, 'Eight.')}`;

  test('footnotes stand at the end of their section, endnotes at the end of the document', async () => {
    const text =
      par(`${run('a')}${reference('endnote', 1)}${reference('footnote', 8)}${run('b')}`) +
      par('between') +
      styled('Heading1', 'Next') +
      par(`${run('c')}${reference('footnote', 7)}`);
    expect(await linesIn(text, { footnotes, endnotes: note('endnote', 1, 'End.') })).toEqual([
      'a[i][1]b',
      'between',
      '[1] = Eight.',
      '# Next',
      'c[2]',
      '[2] = Seven.',
      '[i] = End.',
    ]);
  });

  test('marks have the format of the settings, or are those of the author', async () => {
    const settings = '<w:footnotePr><w:numFmt w:val="upperLetter"/></w:footnotePr>';
    const own = `${reference('footnote', 8, 'w:customMarkFollows="1"')}${run('†')}`;
    const text = `${run('a')}${own}${run('b')}${reference('footnote', 7)}`;
    expect(await linesIn(par(text), { footnotes, settings })).toEqual([
      'a†b[A]',
      '† = Eight.',
      '[A] = Seven.',
    ]);
  });

  test('a mark in deleted text does not count', async () => {
    const text = `${run('a')}<w:del w:id="1">${reference('footnote', 7)}</w:del>${reference('footnote', 8)}${reference('footnote', 99)}`;
    expect(await linesIn(par(text), { footnotes })).toEqual(['a[1]', '[1] = Eight.']);
  });
});

describe('headers and footers', () => {
  const references = (inside: string) => `<w:sectPr>${inside}</w:sectPr>`;
  const use = (id: string, type: string) =>
    `<w:${id.replace(/\d/, '')}Reference w:type="${type}" r:id="${id}"/>`;
  const pages = {
    header1: styled('Heading1', 'Acme'),
    header2: par('First page of Acme'),
    header3: par('Even page'),
    header4: par('Acme'),
    footer1: par('12'),
    footer2: par('Confidential'),
  };

  test('stand once, at the beginning and at the end, without numbers of pages', async () => {
    const first = par('one', references(use('header1', 'default') + use('footer1', 'default')));
    const last = references(
      use('header4', 'default') +
        use('footer2', 'default') +
        use('header2', 'first') +
        use('header3', 'even'),
    );
    expect(await linesIn(first + par('two') + last, { pages })).toEqual([
      'Acme',
      'one',
      'two',
      'Confidential',
    ]);
  });

  test('of first and even pages count where they are shown', async () => {
    const last = references(
      `${use('header1', 'default')}${use('header2', 'first')}${use('header3', 'even')}<w:titlePg/>`,
    );
    const settings = '<w:evenAndOddHeaders/>';
    expect(await linesIn(par('text') + last, { pages, settings })).toEqual([
      'Acme',
      'First page of Acme',
      'Even page',
      'text',
    ]);
  });
});
