/** Converts HTML and DOCX to Markdown with headings, so that the text keeps its sections. A DOCX becomes HTML first. */

import mammoth from 'mammoth';
import { TooComplex } from '../html/parse.ts';
import { readHtml } from '../html/read.ts';
import { markdownWriter } from '../markdown.ts';
import { NotExtractable } from '../types.ts';
import { zipEntries } from './file-type.ts';

/** A file of 25 MB may have so many elements. The limit of the process's memory may be reached before. */
const maxElements = 3_000_000;

/** @throws NotExtractable if the markup makes too many elements */
export function htmlText(source: string): string {
  const markdown = markdownWriter();
  try {
    readHtml(source, markdown.write, maxElements);
    return markdown.text();
  } catch (error) {
    if (error instanceof TooComplex) {
      throw new NotExtractable('document_too_complex', `The HTML is too complex: ${error.message}.`);
    }
    throw error;
  }
}

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
