/** Small files of the types that can be read, made from their texts. */

import { deflateSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';

/** The bytes of an object of a PDF. */
type PdfObject = string | { dictionary: string; stream: Uint8Array };

/** @returns a PDF of these objects, numbered from 1; the first is the catalog */
export function pdfOf(objects: readonly PdfObject[], trailer = ''): Uint8Array {
  const chunks: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  const offsets: number[] = [];
  let at = chunks[0]?.length ?? 0;
  const add = (bytes: Uint8Array | string) => {
    const chunk = Buffer.from(bytes);
    chunks.push(chunk);
    at += chunk.length;
  };
  for (const [index, object] of objects.entries()) {
    offsets.push(at);
    add(`${index + 1} 0 obj\n`);
    if (typeof object === 'string') add(object);
    else {
      add(`<< /Length ${object.stream.length} ${object.dictionary} >>\nstream\n`);
      add(object.stream);
      add('\nendstream');
    }
    add('\nendobj\n');
  }
  const start = at;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  add(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`);
  add(`trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`);
  return Buffer.concat(chunks);
}

/** @returns a PDF with these pages, each with these lines */
export function pdfFile(pages: readonly (readonly string[])[]): Uint8Array {
  const kids = pages.map((_, index) => `${4 + 2 * index} 0 R`).join(' ');
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ...pages.flatMap((lines, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${5 + 2 * index} 0 R ` +
        '/Resources << /Font << /F1 3 0 R >> >> >>',
      { dictionary: '/Filter /FlateDecode', stream: deflateSync(Buffer.from(shown(lines), 'latin1')) },
    ]),
  ]);
}

const shown = (lines: readonly string[]): string =>
  `BT /F1 12 Tf 14 TL 72 800 Td ${lines.map((line) => `(${line.replace(/[\\()]/g, '\\$&')}) Tj T*`).join('\n')} ET`;

/** @returns a PDF whose font names a character map that the file does not contain */
export function japanesePdf(text: string): Uint8Array {
  const font =
    '<< /Type /Font /Subtype /Type0 /BaseFont /HeiseiMin-W3 /Encoding /UniJIS-UCS2-H /DescendantFonts [4 0 R] >>';
  const descendant =
    '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /HeiseiMin-W3 /CIDSystemInfo << /Registry (Adobe) ' +
    '/Ordering (Japan1) /Supplement 2 >> /FontDescriptor << /Type /FontDescriptor /FontName /HeiseiMin-W3 /Flags 4 >> >>';
  const shown = Buffer.from(text, 'utf16le').swap16().toString('hex');
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [5 0 R] /Count 1 >>',
    font,
    descendant,
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 6 0 R /Resources << /Font << /F1 3 0 R >> >> >>',
    { dictionary: '', stream: Buffer.from(`BT /F1 12 Tf 72 700 Td <${shown}> Tj ET`) },
  ]);
}

const contentTypes =
  '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
  '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
  '<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>';
const relationships =
  '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">' +
  '<Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>';

/** @param xml of the whole main part @param more further files of the archive */
export const docxOf = (xml: string | Uint8Array, more: Record<string, Uint8Array> = {}): Uint8Array =>
  zipSync({
    '[Content_Types].xml': strToU8(contentTypes),
    '_rels/.rels': strToU8(relationships),
    'word/document.xml': typeof xml === 'string' ? strToU8(xml) : xml,
    ...more,
  });

const wordNamespace = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
export const documentXml = (body: string): string =>
  `<?xml version="1.0"?><w:document ${wordNamespace}><w:body>${body}</w:body></w:document>`;

export const paragraph = (text: string, style?: string): string =>
  `<w:p>${style ? `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>` : ''}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;

/** @returns a DOCX with these paragraphs; `Heading1` is the style of a heading */
export const docxFile = (paragraphs: readonly (readonly [text: string, style?: string])[]): Uint8Array =>
  docxOf(documentXml(paragraphs.map(([text, style]) => paragraph(text, style)).join('')));
