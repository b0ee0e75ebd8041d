/** The texts of files by their types, and the reasons why others have none. */

import { zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { extractText } from '../../../lib/extraction/extract.ts';
import { logical } from '../../../lib/extraction/pdf/line-text.ts';
import { docxWith, par, styled } from '../../support/docx-parts.ts';
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
  test('of a page in Shift_JIS that says so, whose bytes are control characters of Windows-1252', async () => {
    const kanji = Buffer.from([0x89, 0xbf, 0x8e, 0x8f, 0x90, 0x9d]);
    const start = '<!doctype html><meta charset="shift_jis"><p>';
    const { text, notes } = await extractText(Buffer.concat([Buffer.from(start), ...Array(50).fill(kanji)]));
    expect(text).toBe('価誌雀'.repeat(50));
    expect(notes).toEqual([]);
    // Nothing states it.
    const plain = await extractText(Buffer.concat(Array(50).fill(kanji)));
    expect(plain.notes).toEqual([{ code: 'encoding_assumed', count: 1 }]);
  });

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
      'c.docx': part(docxWith(styled('Heading1', 'From Word'), { comments: '<w:comment/>' })),
      'd.rtf': part('{\\rtf1 rich text{\\pict 00}{\\*\\annotation no}}'),
      'e.mht': part('MIME-Version: 1.0\nContent-Type: text/html\n\n<p>saved page'),
      'f.htm': part(Buffer.from('<meta charset=iso-8859-2><p>\xb3', 'latin1')),
      'g.pdf': part('%PDF-1.7 not read'),
    };
    const chunks = Object.keys(files).map((name) => `<w:altChunk r:id="${name}"/>`);
    const file = docxWith(par('Before') + chunks.join('') + par('Behind'), { files });
    const { text, notes } = await extractText(file);
    expect(text).toBe(
      'Before\n\n## Fees\n\n80.00\n\nplain text\n\n\\# no heading\n\n# From Word\n\nrich text\n\nsaved page\n\nł\n\nBehind',
    );
    expect(notes).toEqual([
      { code: 'attachments_left_out', count: 1 },
      { code: 'comments_left_out', count: 2 },
      { code: 'pictures_without_text', count: 1 },
    ]);
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

  test('in UTF-16 without a mark', async () => {
    expect((await extractText(utf16('Größe 語').subarray(2))).text).toBe('Größe 語');
  });

  test('in Windows-1252, also of a page that says so', async () => {
    expect((await extractText(Buffer.from('Größe \x80', 'latin1'))).text).toBe('Größe €');
    const page = Buffer.from('<html><meta charset="iso-8859-2"><p>\xb3', 'latin1');
    expect((await extractText(page)).text).toBe('ł');
  });

  test('that is filled up with null characters', async () => {
    const file = `${'Nine to five. '.repeat(50)}${'\0'.repeat(20)}`;
    expect((await extractText(Buffer.from(file))).text).toBe('Nine to five. '.repeat(50));
  });

  test('of Markdown, CSV and other text is the file', async () => {
    for (const text of [
      '# A\n\nb',
      'name,price\nbook,"1,50"\n',
      '<details>\n<summary>More</summary>\n\n- one\n\n</details>',
      '<svg xmlns="x"><path/></svg>\n\n# Project\n\nText',
      'PKV, BMW and %PDF-1.7: the first bytes of some files',
    ]) {
      expect((await extractText(Buffer.from(text))).text).toBe(text);
    }
  });
});

describe('the text', () => {
  test.each([
    ['CSV', 'name;price\nbook;1,50\npen;2\n', '| name | price |\n|---|---|\n| book | 1,50 |\n| pen | 2 |'],
    ['TSV in UTF-16', utf16('a\tb\n1\t\n2\t3'), '| a | b |\n|---|---|\n| 1 |  |\n| 2 | 3 |'],
    ['RTF', String.raw`{\rtf1\ansi\pard Ger\'e4t\par}`, 'Gerät'],
    ['a mail', 'Subject: Hours\r\nMIME-Version: 1.0\r\n\r\nNine to five.', '# Hours\n\nNine to five.'],
    [
      'a mail of HTML',
      'Message-ID: <x>\nDate: today\nContent-Type: text/html\n\n<p>Nine',
      'Date: today\n\nNine',
    ],
  ])('of %s', async (_, file, text) => {
    expect(await extractText(Buffer.from(file))).toEqual({ text, mimeType: 'text/markdown', notes: [] });
  });

  test('of a Japanese mail of 7 bits, which has many control characters', async () => {
    const lines = Array.from({ length: 9 }, () => '\x1b$B%W%i\x1b(B').join('\n');
    const mail = `MIME-Version: 1.0\nContent-Type: text/plain; charset=iso-2022-jp\n\n${lines}`;
    expect((await extractText(Buffer.from(mail))).text).toBe(
      Array.from({ length: 9 }, () => 'プラ').join('\n'),
    );
  });

  test('of a file that is known to be CSV is a table', async () => {
    expect((await extractText(Buffer.from('a,b\n1,2'), { contentType: 'text/csv' })).text).toBe(
      '| a | b |\n|---|---|\n| 1 | 2 |',
    );
  });

  test('of CSV whose table would be too large is the file', { tags: ['long'] }, async () => {
    const text = 'a,b\n'.repeat(1_200_000);
    expect((await extractText(Buffer.from(text))).text).toBe(text);
  });

  test.each([
    ['a mail without a text', 'Message-ID: <x>\nDate: \n\n', 'no_text'],
    ['a mail whose parts are nested too deeply', nestedMail(300), 'unreadable_file'],
    ['an empty RTF', '{\\rtf1}', 'no_text'],
  ])('there is none: %s', async (_, file, code) => {
    expect(await codeOf(Buffer.from(file))).toBe(code);
  });
});

describe('a stated type', () => {
  const page = '<p>Nine <b>to</b> five</p>';
  const cyrillic = Buffer.from('\xcf\xf0\xe8\xe2\xe5\xf2', 'latin1');

  test.each([
    ['decides how a text is read', page, 'text/plain', page],
    ['also as Markdown', page, 'Text/Markdown; charset=utf-8', page],
    ['also as a page', 'Nine &amp; five', 'text/html', 'Nine & five'],
    ['also as a mail', 'Subject: Hours\n\nNine', 'message/rfc822', '# Hours\n\nNine'],
    ['also as CSV', 'a;b\n1;2', 'text/csv', '| a | b |\n|---|---|\n| 1 | 2 |'],
    ['has the encoding', cyrillic, 'text/plain; charset=windows-1251', 'Привет'],
    ['that says nothing', page, 'application/octet-stream', 'Nine **to** five'],
    ['of any host is only a hint', '{\\rtf1 rich}', 'application/pdf', 'rich'],
  ])('%s', async (_, file, contentType, text) => {
    const result = await extractText(Buffer.from(file), { contentType });
    expect(result.text.replaceAll('**', '')).toBe(text.replaceAll('**', ''));
  });

  test.each([
    ['{\\rtf1 rich}', 'application/pdf', 'application/pdf, but its content is RTF'],
    ['{\\rtf1 rich}', 'text/plain', 'text/plain, but its content is RTF'],
    ['Nine to five', 'application/pdf; version=1.7', 'application/pdf, but its content is text'],
    ['Nine to five', 'message/rfc822', 'message/rfc822, but its content is text'],
    ['<html><p>Nine', 'text/csv', 'text/csv, but its content is HTML'],
    ['MIME-Version: 1.0\nDate: today\n\nNine', 'text/html', 'text/html, but its content is a mail'],
    [docxFile([['Nine']]), 'text/markdown', 'text/markdown, but its content is a document of Word'],
  ])('of an upload is refused if the content contradicts it: %j', async (file, contentType, message) => {
    const read = extractText(Buffer.from(file), { contentType, isRefused: true });
    await expect(read).rejects.toMatchObject({
      code: 'unsupported_type',
      message: expect.stringContaining(message),
    });
  });

  test('of an upload that fits is no reason to refuse it', async () => {
    for (const contentType of ['text/csv', 'text/html', 'text/plain', 'image/x-unknown', '']) {
      const { text } = await extractText(Buffer.from('Nine to five'), { contentType, isRefused: true });
      expect(text).toContain('Nine to five');
    }
  });
});

describe('notes', () => {
  test.each([
    [
      'wrong bytes',
      Buffer.concat([Buffer.from('Привет'), Buffer.of(0xff)]),
      [{ code: 'characters_replaced', count: 1 }],
    ],
    ['nothing', 'Größe', []],
    [
      'an encoding that nothing shows',
      Buffer.from('Gr\xf6\xdfe', 'latin1'),
      [{ code: 'encoding_assumed', count: 1 }],
    ],
    ['a menu', '<nav>Home</nav><p>Nine', [{ code: 'text_left_out', count: 1 }]],
    [
      'a menu in a mail',
      'Message-ID: <x>\nDate: today\nContent-Type: text/html\n\n<nav>Home</nav><p>Nine',
      [{ code: 'text_left_out', count: 1 }],
    ],
    ['comments of RTF', '{\\rtf1 a{\\annotation b}}', [{ code: 'comments_left_out', count: 1 }]],
  ])('say what was changed or left out: %s', async (_, file, notes) => {
    const result = await extractText(Buffer.from(file));
    expect(result.notes).toEqual(notes);
  });
});

function nestedMail(depth: number): string {
  const part = (at: number) => `--b${at}\nContent-Type: multipart/mixed; boundary=b${at + 1}\n\n`;
  const parts = Array.from({ length: depth }, (_, at) => part(at)).join('');
  return `MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b0\n\n${parts}`;
}

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
    [
      'SVG of a program',
      bytes('<?xml version="1.0"?>\n<!-- Generator -->\n<!DOCTYPE svg>\n<svg></svg>\n'),
      'OCR',
    ],
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
