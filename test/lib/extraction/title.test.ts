/** Titles in the properties of files, which name the documents of a source. */

import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { extractText } from '../../../lib/extraction/extract.ts';
import { docxFiles, relationship, relationships } from '../../support/docx-parts.ts';
import { pdfOf } from '../../support/sample-files.ts';

const packageTypes = 'http://schemas.openxmlformats.org/package/2006';

/** @returns a DOCX with this XML as its core properties */
function docxWithProperties(xml: string): Uint8Array {
  const { '_rels/.rels': _, ...files } = docxFiles('<w:p><w:r><w:t>Text.</w:t></w:r></w:p>');
  const toProperties =
    `<Relationship Id="core" Type="${packageTypes}/relationships/metadata/core-properties" ` +
    'Target="docProps/core.xml"/>';
  const toMain = relationship('main', 'officeDocument', 'word/document.xml');
  return zipSync({
    ...files,
    '_rels/.rels': relationships(toMain + toProperties),
    'docProps/core.xml': strToU8(xml),
  });
}

const properties = (title: string): string =>
  `<cp:coreProperties xmlns:cp="${packageTypes}/metadata/core-properties" ` +
  `xmlns:d="http://purl.org/dc/elements/1.1/"><d:subject>Sales</d:subject><d:title>${title}</d:title></cp:coreProperties>`;

const pdfWithTitle = (title: string): Uint8Array =>
  pdfOf(
    [
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
      { dictionary: '', stream: Buffer.from('BT /F1 10 Tf 50 700 Td (Text.) Tj ET') },
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
      `<< /Title ${title} >>`,
    ],
    '/Info 6 0 R',
  );

test('the title of a DOCX is in its core properties', async () => {
  expect(await extractText(docxWithProperties(properties('Price list &amp; terms')))).toMatchObject({
    text: 'Text.',
    title: 'Price list & terms',
  });
});

test.each([
  ['an empty title', properties(' ')],
  ['the title of a program', properties('Microsoft Word - prices.doc')],
  ['properties that are not well-formed', '<cp:coreProperties><title>Price list</title>'],
])('a DOCX with %s is read, and has no title', async (_, xml) => {
  const { text, title } = await extractText(docxWithProperties(xml));
  expect(text).toBe('Text.');
  expect(title).toBeUndefined();
});

test.each([
  ['(Price list)', 'Price list'],
  // UTF-16 with its byte order mark.
  ['<FEFF041F0440>', 'Пр'],
  ['(Untitled)', undefined],
  ['42', undefined],
])('the title of a PDF is in its information dictionary: %s', async (written, title) => {
  const file = await extractText(pdfWithTitle(written));
  expect(file.text).toContain('Text.');
  expect(file.title).toBe(title);
});
