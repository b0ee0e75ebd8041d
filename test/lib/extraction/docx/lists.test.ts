/** The markers of lists, and headings, in a DOCX. */

import { describe, expect, test } from 'vitest';
import { cell, item, linesIn, par, row, style, styled, table } from '../../../support/docx-parts.ts';

const level = (index: number, format: string, text: string, more = '') =>
  `<w:lvl w:ilvl="${index}"><w:start w:val="1"/><w:numFmt w:val="${format}"/>${more}<w:lvlText w:val="${text}"/></w:lvl>`;
const abstract = (id: number, ...levels: string[]) =>
  `<w:abstractNum w:abstractNumId="${id}">${levels.join('')}</w:abstractNum>`;
const num = (id: number, abstractId: number, overrides = '') =>
  `<w:num w:numId="${id}"><w:abstractNumId w:val="${abstractId}"/>${overrides}</w:num>`;
const startAgain = (index: number, start: number) =>
  `<w:lvlOverride w:ilvl="${index}"><w:startOverride w:val="${start}"/></w:lvlOverride>`;

describe('numbers of lists are as shown', () => {
  test.each([
    ['decimal', '%1.', ['1.', '2.', '3.']],
    ['lowerLetter', '%1)', ['a)', 'b)', 'c)']],
    ['upperRoman', '%1.', ['I.', 'II.', 'III.']],
    ['lowerRoman', '(%1)', ['(i)', '(ii)', '(iii)']],
    ['decimal', '§ %1', ['§ 1', '§ 2', '§ 3']],
    ['decimalZero', '%1', ['01', '02', '03']],
    ['ordinal', '%1', ['1st', '2nd', '3rd']],
    ['russianLower', '%1)', ['а)', 'б)', 'в)']],
    ['decimalEnclosedCircle', '%1', ['①', '②', '③']],
    ['chineseCounting', '%1、', ['一、', '二、', '三、']],
    ['someFormat', '%1.', ['1.', '2.', '3.']],
    ['bullet', '\uf0b7', ['•', '•', '•']],
    ['none', 'Note:', ['Note:', 'Note:', 'Note:']],
  ])('%s %s', async (format, text, markers) => {
    const numbering = abstract(0, level(0, format, text)) + num(1, 0);
    const items = await linesIn([1, 2, 3].map((at) => item(`item ${at}`, 1)).join(''), { numbering });
    expect(items).toEqual(markers.map((marker, at) => `${marker} item ${at + 1}`));
  });

  test.each([
    ['lowerLetter', 28, 'bb'],
    ['upperRoman', 1994, 'MCMXCIV'],
    ['upperRoman', 123456, '123456'],
    ['chineseCounting', 21, '二十一'],
    ['ordinal', 112, '112th'],
  ])('%s from %i', async (format, start, marker) => {
    const numbering =
      abstract(0, level(0, format, '%1').replace('w:start w:val="1"', `w:start w:val="${start}"`)) +
      num(1, 0);
    expect(await linesIn(item('x', 1), { numbering })).toEqual([`${marker} x`]);
  });

  const nested = abstract(
    0,
    level(0, 'upperRoman', '%1.'),
    level(1, 'decimal', '%1.%2'),
    level(2, 'lowerLetter', '%2.%3', '<w:isLgl/>'),
  );

  test('levels count in their item, and a legal one has digits', async () => {
    const text =
      item('a', 1) + item('b', 1, 1) + item('c', 1, 1) + item('d', 1, 2) + item('e', 1) + item('f', 1, 1);
    expect(await linesIn(text, { numbering: nested + num(1, 0) })).toEqual([
      'I. a',
      '  I.1 b',
      '  I.2 c',
      '    2.1 d',
      'II. e',
      '  II.1 f',
    ]);
  });

  test('a level that does not start again', async () => {
    const numbering =
      abstract(0, level(0, 'decimal', '%1.'), level(1, 'decimal', '%2)', '<w:lvlRestart w:val="0"/>')) +
      num(1, 0);
    const text = item('a', 1) + item('b', 1, 1) + item('c', 1) + item('d', 1, 1);
    expect(await linesIn(text, { numbering })).toEqual(['1. a', '  1) b', '2. c', '  2) d']);
  });

  test('they go on behind paragraphs and tables, and in other instances', async () => {
    const numbering = nested + num(1, 0) + num(2, 0) + num(3, 0, startAgain(0, 2));
    const text =
      item('a', 1) +
      par('between') +
      item('b', 1) +
      table(row(cell(item('c', 1)), cell('x'))) +
      item('d', 2) +
      item('e', 3) +
      item('f', 3);
    expect(await linesIn(text, { numbering })).toEqual([
      'I. a',
      'between',
      'II. b',
      'III. c | x',
      'IV. d',
      'II. e',
      'III. f',
    ]);
  });

  test('an instance has a level of its own', async () => {
    const own = `<w:lvlOverride w:ilvl="0">${level(0, 'lowerLetter', '%1)')}</w:lvlOverride>`;
    expect(await linesIn(item('a', 1), { numbering: nested + num(1, 0, own) })).toEqual(['a) a']);
  });

  test('a style of lists has the definition', async () => {
    const numbering =
      `<w:abstractNum w:abstractNumId="5"><w:numStyleLink w:val="Legal"/></w:abstractNum>` +
      nested +
      num(1, 5) +
      num(2, 0);
    const styles = style(
      'Legal',
      'Legal',
      '<w:pPr><w:numPr><w:numId w:val="2"/></w:numPr></w:pPr>',
      'numbering',
    );
    expect(await linesIn(item('a', 1) + item('b', 2), { numbering, styles })).toEqual(['I. a', 'II. b']);
  });

  test('a paragraph without text counts, but one that is hidden or taken out of its list does not', async () => {
    const hidden = par(
      '<w:r><w:rPr><w:vanish/></w:rPr><w:t>no</w:t></w:r>',
      '<w:numPr><w:numId w:val="1"/></w:numPr><w:rPr><w:vanish/></w:rPr>',
    );
    const text = item('a', 1) + item('', 1) + hidden + item('out', 0) + item('b', 1);
    expect(await linesIn(text, { numbering: nested + num(1, 0) })).toEqual(['I. a', 'out', 'III. b']);
  });

  test('bullets that say something are kept', async () => {
    const bullet = (at: number, text: string, font: string) =>
      level(at, 'bullet', text, `<w:rPr><w:rFonts w:ascii="${font}"/></w:rPr>`);
    const numbering =
      abstract(0, bullet(0, '\uf0fc', 'Wingdings'), bullet(1, '–', 'Arial'), bullet(2, 'o', 'Courier New')) +
      num(1, 0);
    expect(await linesIn(item('a', 1) + item('b', 1, 1) + item('c', 1, 2), { numbering })).toEqual([
      '✓ a',
      '  – b',
      '    • c',
    ]);
  });

  test('inner items without an outer one are not indented', async () => {
    const numbering = nested + num(1, 0);
    expect(
      await linesIn(item('a', 1, 1) + item('b', 1, 1) + styled('Heading1', 'H') + item('c', 1, 2), {
        numbering,
      }),
    ).toEqual(['I.1 a', 'I.2 b', '# H', '2.1 c']);
  });
});

describe('headings', () => {
  const outline = (at: number) => `<w:pPr><w:outlineLvl w:val="${at}"/></w:pPr>`;

  test('by their styles: levels, names in other languages, and what they are based on', async () => {
    const styles =
      style('a', 'heading 2') +
      style('b', 'Clause', outline(2)) +
      style('c', 'My clause', '<w:basedOn w:val="b"/>') +
      style('d', 'Überschrift 4') +
      style('e', 'TOC Heading', `<w:basedOn w:val="a"/>${outline(9)}`) +
      style('f', 'Title');
    const text = ['f', 'a', 'b', 'c', 'd', 'e', 'Heading1'].map((id) => styled(id, id)).join('');
    expect(await linesIn(text, { styles })).toEqual([
      '# f',
      '## a',
      '### b',
      '### c',
      '#### d',
      'e',
      '# Heading1',
    ]);
  });

  test('by their own level, at most 6', async () => {
    expect(
      await linesIn(par('a', '<w:outlineLvl w:val="1"/>') + par('b', '<w:outlineLvl w:val="8"/>')),
    ).toEqual(['## a', '###### b']);
  });

  test('styles that are based on each other', async () => {
    const styles = style('a', 'A', '<w:basedOn w:val="b"/>') + style('b', 'B', '<w:basedOn w:val="a"/>');
    expect(await linesIn(styled('a', 'text'), { styles })).toEqual(['text']);
  });

  test('have the numbers of their styles', async () => {
    const numbered = (at: number) =>
      `<w:pPr><w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="1"/></w:numPr></w:pPr>`;
    const styles =
      style('H1', 'heading 1', '<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>') +
      style('H2', 'heading 2', `<w:basedOn w:val="H1"/>${numbered(1)}`) +
      style('H3', 'heading 3', '<w:basedOn w:val="H1"/>');
    const numbering =
      abstract(
        0,
        level(0, 'decimal', '§ %1', '<w:pStyle w:val="H1"/>'),
        level(1, 'decimal', '%1.%2'),
        level(2, 'decimal', '%1.%2.%3', '<w:pStyle w:val="H3"/>'),
      ) + num(1, 0);
    const text = styled('H1', 'Fees') + styled('H2', 'Setup') + styled('H3', 'Home') + styled('H1', 'End');
    expect(await linesIn(text, { styles, numbering })).toEqual([
      '# § 1 Fees',
      '## 1.1 Setup',
      '### 1.1.1 Home',
      '# § 2 End',
    ]);
  });

  test('the style of a paragraph without one is the default', async () => {
    const styles =
      '<w:style w:type="paragraph" w:default="1" w:styleId="x"><w:name w:val="heading 3"/></w:style>';
    expect(await linesIn(par('text'), { styles })).toEqual(['### text']);
  });

  test('code keeps its lines and spaces', async () => {
    const styles = style('C', 'Source Code');
    const text = styled('C', 'if (a)') + styled('C', '') + styled('C', '  b = 1') + par('text');
    expect(await linesIn(text, { styles })).toEqual(['code: if (a)\n\n  b = 1', 'text']);
  });
});
