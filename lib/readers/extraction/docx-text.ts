/** The text of a DOCX as Markdown with its headings, lists and tables. */

import mammoth from 'mammoth';
import { NotExtractable } from '../types.ts';
import { htmlText } from './html-text.ts';
import { zipEntries } from './zip.ts';

/** The XML of a document is up to 20 times as large as its text, and takes up to 20 times its size in memory. */
const maxXmlBytes = 100 * 1024 * 1024;

/** @throws NotExtractable */
export async function docxText(bytes: Uint8Array): Promise<string> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const xml = zipEntries(file).filter(({ name }) => /\.(xml|rels)$/.test(name));
  if (xml.reduce((sum, { unpackedBytes }) => sum + unpackedBytes, 0) > maxXmlBytes) {
    throw new NotExtractable('document_too_complex', 'The DOCX has more than 100 MB of XML.');
  }
  try {
    const { value } = await mammoth.convertToHtml(
      { buffer: file },
      // Pictures are not read.
      { convertImage: mammoth.images.imgElement(async () => ({ src: '' })) },
    );
    return htmlText(value);
  } catch (error) {
    if (error instanceof NotExtractable) throw error;
    throw new NotExtractable('unreadable_file', 'The DOCX is broken.');
  }
}
