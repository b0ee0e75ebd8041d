/** The words of a page are those that a person sees. */

import { describe, expect, test } from 'vitest';
import { readPdf } from '../../../../lib/extraction/pdf/read-pdf.ts';
import { drawnPdf, put, putLines } from '../../../support/drawn-pdf.ts';
import { pdfOf } from '../../../support/sample-files.ts';

const textOf = async (...args: Parameters<typeof drawnPdf>) =>
  (await readPdf(drawnPdf(...args))).text.replace(/\n\f\n$/, '');

describe('a word that is cut at the end of a line', () => {
  test('is joined, unless the document has it with its hyphen', async () => {
    const first = putLines(50, 700, [
      'The plant is for manu-',
      'facturing. Take a well-',
      'known brand, or call Rhein-',
      'Main.',
    ]);
    expect(await textOf([first, put(50, 700, 'A well-known brand.')])).toBe(
      'The plant is for manufacturing.\nTake a well-known\nbrand, or call Rhein-Main.\n\f\nA well-known brand.',
    );
  });

  test('is joined over the end of a page', async () => {
    expect(await textOf([put(50, 100, 'It is manu-'), put(50, 700, 'facturing here.')])).toBe(
      'It is manufacturing\n\f\nhere.',
    );
  });

  test('keeps a hyphen that stands for the second part of a word', async () => {
    expect(await textOf([putLines(50, 700, ['Alle Vor-', 'und Nachteile'])])).toBe(
      'Alle Vor-\nund Nachteile',
    );
  });

  test('is joined in lines with much room between them', async () => {
    const lines = ['one two three four', 'five six seven eight manu-', 'facturing nine ten', 'a b c d e f'];
    expect(await textOf([putLines(50, 700, [...lines, ...lines], 24)])).toContain('eight manufacturing\n');
  });
});

describe('glyphs that are drawn twice are read once', () => {
  test('as words', async () => {
    const drawn = put(50, 700, 'Delivery') + put(50.4, 700, 'Delivery') + put(50, 688, 'Free.');
    expect(await textOf([drawn])).toBe('Delivery\nFree.');
  });

  test('as words, and the second drawing goes on', async () => {
    const drawn = put(50, 700, 'Delivery') + put(50.4, 700, 'Delivery is free');
    expect(await textOf([drawn])).toBe('Delivery is free');
  });

  test('each for itself', async () => {
    const width = { H: 7.22, e: 5.56, l: 2.22, o: 5.56 };
    let x = 50;
    const drawn = (['H', 'e', 'l', 'l', 'o'] as const).map((glyph) => {
      const both = put(x, 700, glyph) + put(x + 0.3, 700, glyph);
      x += width[glyph];
      return both;
    });
    expect(await textOf([drawn.join('')])).toBe('Hello');
  });

  test('and a text that is there twice is read twice', async () => {
    expect(await textOf([put(50, 700, 'ha') + put(62, 700, 'ha') + put(50, 688, 'ha')])).toBe('haha\nha');
  });
});

describe('letters that stand apart', () => {
  test.each([
    ['as characters', put(50, 700, 'C O N T E N T S')],
    ['by their distance', `BT /F1 10 Tf 4 Tc 50 700 Td (CONTENTS) Tj ET\n`],
    ['far away', `BT /F1 10 Tf 9 Tc 50 700 Td (CONTENTS) Tj ET\n`],
  ])('are a word: %s', async (_, drawn) => {
    expect(await textOf([drawn])).toBe('CONTENTS');
  });

  test('are words', async () => {
    expect(await textOf(['BT /F1 10 Tf 5 Tc 50 700 Td (TABLE OF CONTENTS) Tj ET'])).toBe('TABLE OF CONTENTS');
  });

  test('are no word if they are an alphabet', async () => {
    expect(await textOf([put(50, 700, 'A B C D E F')])).toBe('A B C D E F');
  });
});

describe('Hebrew and Arabic', () => {
  const map =
    '/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <FF> endcodespacerange ' +
    '2 beginbfrange <20> <40> <0020> <61> <7a> <05D0> endbfrange endcmap end';
  const hebrew = {
    font: '/Encoding /WinAnsiEncoding /ToUnicode 4 0 R',
    objects: [{ dictionary: '', stream: Buffer.from(map) }],
  };
  const [left, middle, right] = [put(60, 700, 'abc'), put(79, 700, '30'), put(94, 700, 'def')];

  test.each([
    ['from the left', left + middle + right],
    ['from the right', right + middle + left],
    ['in parts that are far apart', left + put(300, 700, '30') + put(500, 700, 'def')],
  ])('are read from the right, also if a line is drawn %s', async (_, drawn) => {
    expect(await textOf([drawn], hebrew)).toBe('\u05d5\u05d4\u05d3 30 \u05d2\u05d1\u05d0');
  });

  test('have the columns of a table from the right', async () => {
    const drawn = [0, 1, 2].map((row) => put(60, 700 - 20 * row, 'abc') + put(300, 700 - 20 * row, 'de'));
    expect(await textOf([drawn.join('')], hebrew)).toMatch(/^\| \u05d4\u05d3 \| \u05d2\u05d1\u05d0 \|\n/);
  });
});

describe('vertical lines of Chinese, Japanese and Korean', () => {
  const hex = (text: string) => Buffer.from(text, 'utf16le').swap16().toString('hex');
  const japanese = (encoding: string, drawn: string) =>
    pdfOf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [5 0 R] /Count 1 >>',
      `<< /Type /Font /Subtype /Type0 /BaseFont /HeiseiMin-W3 /Encoding /${encoding} /DescendantFonts [4 0 R] >>`,
      '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /HeiseiMin-W3 /CIDSystemInfo << /Registry (Adobe) ' +
        '/Ordering (Japan1) /Supplement 2 >> /FontDescriptor << /Type /FontDescriptor /FontName /HeiseiMin-W3 /Flags 4 >> >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 6 0 R /Resources << /Font << /F1 3 0 R >> >> >>',
      { dictionary: '', stream: Buffer.from(drawn) },
    ]);
  const lines = ['返品できます', '送料無料です'];

  test('in a vertical font', async () => {
    // The left line is drawn first.
    const drawn = lines.map((line, at) => `BT /F1 12 Tf ${300 - 18 * at} 700 Td <${hex(line)}> Tj ET`);
    const { text } = await readPdf(japanese('UniJIS-UCS2-V', drawn.toReversed().join('\n')));
    expect(text.trim().split('\n').slice(0, 2)).toEqual(lines);
  });

  test('glyph by glyph', async () => {
    const drawn = lines.flatMap((line, at) =>
      [...line].map(
        (glyph, row) => `BT /F1 12 Tf ${300 - 18 * at} ${700 - 13 * row} Td <${hex(glyph)}> Tj ET`,
      ),
    );
    const { text } = await readPdf(japanese('UniJIS-UCS2-H', drawn.join('\n')));
    expect(text.trim().split('\n').slice(0, 2)).toEqual(lines);
  });
});

test('text outside of the visible page is not read, and invisible text of a scan is', async () => {
  const drawn = `${put(50, 700, 'Seen')}${put(50, 900, 'Above')}${put(50, 30, 'Below')}BT 3 Tr ET ${put(50, 600, 'Scanned')}`;
  expect(await textOf([{ drawn, entries: '/CropBox [0 50 600 800]' }])).toBe('Seen\n\nScanned');
});

describe('numbers beside a line', () => {
  test('are raised or lowered, as they are in the text', async () => {
    // Helvetica has digits of 5.56, and H of 7.22.
    const drawn = put(50, 700, '500') + put(66.7, 704, '1', 6) + put(72, 700, ' EUR');
    const water = put(50, 680, 'H') + put(57.3, 678.5, '2', 6) + put(60.7, 680, 'O');
    expect(await textOf([drawn + water])).toBe('500¹ EUR\n\nH₂O');
  });

  test('are plain if they are only smaller', async () => {
    const small = put(50, 700, '500') + put(66.7, 700, '1', 6);
    expect(await textOf([small])).toBe('5001');
  });
});

test('a page whose glyphs have no characters is noted as one without text', async () => {
  const map =
    'begincmap 1 beginbfrange <41> <46> <0001> endbfrange 1 beginbfrange <61> <7a> <0061> endbfrange endcmap';
  const objects = [{ dictionary: '', stream: Buffer.from(map) }];
  const pages = [put(50, 700, 'ABCDEF b'), put(50, 700, 'nine to five A')];
  const file = drawnPdf(pages, { font: '/ToUnicode 4 0 R', objects });
  expect((await readPdf(file)).notes).toEqual([{ code: 'pages_without_text', count: 1, pages: [1] }]);
});
