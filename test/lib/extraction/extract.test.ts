/** The texts of files by their types, and the reasons why others have none. */

import { zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { extractText } from '../../../lib/extraction/extract.ts';
import { logical } from '../../../lib/extraction/pdf-text.ts';
import { docxWith, par } from '../../support/docx-parts.ts';
import { encryptedPdf } from '../../support/hostile-pdfs.ts';
import { documentXml, docxFile, docxOf, japanesePdf, pdfFile, pdfOf } from '../../support/sample-files.ts';

const part = (bytes: string | Uint8Array) => ({ kind: 'aFChunk', bytes: Buffer.from(bytes) });
const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
const codeOf = (file: Uint8Array) =>
  extractText(file).then(
    ({ text }) => text,
    ({ code }) => code,
  );

describe('the text', () => {
  test('of a PDF has its pages', async () => {
    const { text, mimeType } = await extractText(
      pdfFile([['Returns', 'Within 30 days (of delivery).'], ['Größe: naïve café']]),
    );
    expect(mimeType).toBe('text/plain');
    const pages = text.split('\f').map((page) => page.trim());
    expect(pages).toEqual(['Returns\nWithin 30 days (of delivery).', 'Größe: naïve café', '']);
  });

  test('of a PDF that names the character map of its language', async () => {
    const file = japanesePdf('返品できます');
    expect((await extractText(file)).text.trim()).toBe('返品できます');
  });

  test('of a DOCX has its headings and tables', async () => {
    const cell = (text: string) => `<w:tc><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:tc>`;
    const { text, mimeType } = await extractText(
      docxFile([['Shop', 'Heading1'], ['Returns', 'Heading2'], ['Within 30 days.'], ['語 &amp; 😀']]),
    );
    expect(text).toBe('# Shop\n\n## Returns\n\nWithin 30 days.\n\n語 & 😀');
    expect(mimeType).toBe('text/markdown');
    const rows = `<w:tbl><w:tr>${cell('Size')}${cell('Price')}</w:tr><w:tr>${cell('42')}${cell('')}</w:tr></w:tbl>`;
    expect((await extractText(docxOf(documentXml(rows)))).text).toBe(
      '| Size | Price |\n|---|---|\n| 42 |  |',
    );
  });

  test('of a DOCX has the files in it, each read by its type', async () => {
    const files = {
      'a.html': part('<h2>Fees</h2><p>80.00'),
      'b.txt': part('plain text\n\n# no heading'),
      'c.docx': part(docxFile([['From Word', 'Heading1']])),
      'd.rtf': part('{\\rtf1 not read}'),
    };
    const chunks = Object.keys(files).map((name) => `<w:altChunk r:id="${name}"/>`);
    const { text } = await extractText(docxWith(par('Before') + chunks.join('') + par('Behind'), { files }));
    expect(text).toBe('Before\n\n## Fees\n\n80.00\n\nplain text\n\n\\# no heading\n\n# From Word\n\nBehind');
  });

  test('of a document in a document in a document is not read', async () => {
    const inner = docxWith(`${par('second')}<w:altChunk r:id="b.docx"/>`, {
      files: { 'b.docx': part(docxFile([['third']])) },
    });
    const outer = docxWith(`${par('first')}<w:altChunk r:id="a.docx"/>`, {
      files: { 'a.docx': part(inner) },
    });
    expect((await extractText(outer)).text).toBe('first\n\nsecond');
  });

  test.each([
    ['a page', '<!DOCTYPE html><html><body><h1>Shop</h1><p>30 days</p><script>x</script></body></html>'],
    ['a page behind a comment', '<!-- saved -->\n<html><h1>Shop</h1><p>30 days'],
    ['UTF-16', utf16('<html><h1>Shop</h1><p>30 days')],
    ['a part of a page', `<!-- ${'-'.repeat(10_000)} --><section><h1>Shop</h1><p>30 days</section>`],
    ['a part in UTF-16', utf16('<section><h1>Shop</h1>30 days</section>')],
    [
      'XHTML',
      '<?xml version="1.0"?><html xmlns="x"><head><title/><script src="a>b"/></head><body><a id="x"/><h1>Shop</h1>' +
        '<!-- <p/> --><p/><![CDATA[30]]> days</body></html>',
    ],
  ])('of HTML: %s', async (_, source) => {
    expect((await extractText(Buffer.from(source))).text).toBe('# Shop\n\n30 days');
  });

  test.each([
    ['UTF-8', Buffer.from('Größe 語 😀')],
    ['UTF-8 with a mark', Buffer.from('\ufeffGröße 語 😀')],
    ['UTF-16', utf16('Größe 語 😀')],
    ['UTF-16, big endian', utf16('Größe 語 😀').swap16()],
  ])('in %s', async (_, file) => {
    expect((await extractText(file)).text).toBe('Größe 語 😀');
  });

  test('in Windows-1252, also of a page that says so', async () => {
    expect((await extractText(Buffer.from('Größe \x80', 'latin1'))).text).toBe('Größe €');
    const page = Buffer.from('<html><meta charset="iso-8859-2"><p>\xb3', 'latin1');
    expect((await extractText(page)).text).toBe('ł');
  });

  test('of Markdown, CSV and other text is the file', async () => {
    for (const text of [
      '# A\n\nb',
      'name,price\nbook,"1,50"\n',
      '<details>\n<summary>More</summary>\n\n- one\n\n</details>',
      'PKV, BMW and %PDF-1.7: the first bytes of some files',
    ]) {
      expect((await extractText(Buffer.from(text))).text).toBe(text);
    }
  });
});

describe('a line of a PDF', () => {
  test.each([
    ['ﺔﻴﺑﺮﻌﻟا', 'العربية'],
    ['ﺎﻣﻮﻳ 30 لﻼﺧ', 'خلال 30 يوما'],
    ['Größe (42)', 'Größe (42)'],
    ['a\0b', 'ab'],
  ])('%s', (drawn, read) => {
    expect(logical(drawn)).toBe(read);
  });

  test('has no control characters, because a form feed would end the page', () => {
    expect(logical('one\0 page,\f\u0003\u0085 one\tline')).toBe('one page, one\tline');
  });
});

describe('there is no text', () => {
  const empty = '<< /Type /Catalog /Pages 2 0 R >>';
  test.each([
    ['a PDF with a password', encryptedPdf, 'encrypted'],
    ['a scan', pdfFile([[], []]), 'no_text'],
    ['a broken PDF', Buffer.from('%PDF-1.7\nbroken'), 'unreadable_file'],
    ['the first half of a PDF', pdfFile([['text']]).subarray(0, 300), 'unreadable_file'],
    ['a PDF without pages', pdfOf([empty, '<< /Type /Pages /Kids [] /Count 0 >>']), 'no_text'],
    ['a DOCX with a password', compoundFile('EncryptedPackage'), 'encrypted'],
    ['an old Word file', compoundFile('WordDocument'), 'unsupported_type'],
    ['a broken DOCX', docxFile([['text']]).subarray(0, 200), 'unreadable_file'],
    [
      'a DOCX without a document',
      zipSync({ '[Content_Types].xml': Buffer.from('x'), 'word/a': Buffer.from('x') }),
      'unreadable_file',
    ],
    ['a picture', Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'), 'unsupported_type'],
    ['white space', Buffer.from(' \n\t '), 'no_text'],
    ['an empty page', Buffer.from('<html><body></body></html>'), 'no_text'],
    ['a table of 6 MB', Buffer.from('a,b\n'.repeat(1_500_001)), 'document_too_large'],
    ['a text that grows over 5 MB in UTF-8', utf16('語'.repeat(2_000_000)), 'document_too_large'],
  ])('%s', async (_, file, code) => {
    expect(await codeOf(file)).toBe(code);
  });

  const office = (name: string) =>
    zipSync({ '[Content_Types].xml': Buffer.from('x'), [name]: Buffer.from('x') });
  const openDocument = (type: string) =>
    zipSync({ mimetype: [Buffer.from(type), { level: 0 }], 'content.xml': Buffer.from('x') });
  const bytes = (text: string) => Buffer.from(text, 'latin1');
  const bitmap = bytes(`BM\x20\0\0\0${' '.repeat(26)}`);

  test.each([
    ['PPTX', office('ppt/presentation.xml'), 'Save it as PDF'],
    ['XLSX', office('xl/workbook.xml'), 'Save each sheet as CSV'],
    ['Visio', office('visio/document.xml'), 'Save it as PDF'],
    ['another document of Office', office('x/y.xml'), 'Save it as PDF'],
    ['ODT', openDocument('application/vnd.oasis.opendocument.text'), 'Save it as DOCX or PDF'],
    [
      'a template of ODT',
      openDocument('application/vnd.oasis.opendocument.text-template'),
      'Save it as DOCX',
    ],
    ['ODS', openDocument('application/vnd.oasis.opendocument.spreadsheet'), 'Save each sheet as CSV'],
    ['ODP', openDocument('application/vnd.oasis.opendocument.presentation'), 'Save it as PDF'],
    ['EPUB', openDocument('application/epub+zip'), 'Convert it to PDF or HTML'],
    ['an archive', zipSync({ 'a.txt': Buffer.from('text') }), 'Unpack it'],
    ['an empty archive', zipSync({}), 'Unpack it'],
    ['gzip', bytes('\x1f\x8b\x08\0'), 'Unpack it'],
    ['an old document of Word', compoundFile('WordDocument'), 'Save it as DOCX'],
    ['an old spreadsheet', compoundFile('Workbook'), 'Save each sheet as CSV'],
    ['an old presentation', compoundFile('PowerPoint Document'), 'Save it as PDF'],
    ['a mail of Outlook', compoundFile('__properties_version1.0'), 'Save it as EML'],
    ['another compound file', compoundFile('x'), 'old version of Office'],
    ['PostScript', bytes('%!PS-Adobe-3.0\n(text) show'), 'Convert it to PDF'],
    ['PNG', bytes('\x89PNG\r\n\x1a\n\0'), 'OCR'],
    ['JPEG', bytes('\xff\xd8\xff\xe0\0'), 'OCR'],
    ['GIF', bytes('GIF89a\x01'), 'OCR'],
    ['WebP', bytes('RIFF\x10\0\0\0WEBPVP8 '), 'OCR'],
    ['TIFF', bytes('II*\0'), 'OCR'],
    ['HEIC', bytes('\0\0\0\x18ftypheic'), 'OCR'],
    ['a bitmap', bitmap, 'OCR'],
    ['SVG', bytes('<?xml version="1.0"?>\n<svg xmlns="x"><text>a</text></svg>'), 'OCR'],
    ['a video', bytes('\0\0\0\x18ftypmp42'), 'transcript'],
    ['something else', bytes('MZ\0\0'), 'HTML, Markdown'],
  ])('because it has another type, and the error says what to do: %s', async (_, file, advice) => {
    await expect(extractText(file)).rejects.toMatchObject({
      code: 'unsupported_type',
      message: expect.stringContaining(advice),
    });
  });

  test('a scan gets the advice to recognise it', async () => {
    await expect(extractText(pdfFile([[]]))).rejects.toThrow(/OCR/);
  });
});

function compoundFile(stream: string): Buffer {
  const mark = Buffer.from('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'latin1');
  return Buffer.concat([mark, Buffer.alloc(512), Buffer.from(stream, 'utf16le')]);
}
