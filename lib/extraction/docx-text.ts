/** The text of a DOCX, with the files in it: a document may have parts of other types. */

import { maxUnpackedBytes, readDocx } from '../docx/read-docx.ts';
import type { Block } from '../readers/blocks.ts';
import { decode } from '../readers/encoding/decode.ts';
import { markdownOf } from '../readers/markdown.ts';
import { NotExtractable } from '../readers/types.ts';
import { fileTypeOf } from './file-type.ts';
import { htmlBlocks } from './html-text.ts';

/** @throws NotExtractable */
export async function docxText(bytes: Uint8Array): Promise<string> {
  // What is unpacked of the documents in the document counts, too.
  const budget = { bytes: maxUnpackedBytes };
  const readPart = async (part: Uint8Array, contentType: string): Promise<readonly Block[] | undefined> => {
    const type = /html/i.test(contentType) ? 'html' : fileTypeOf(part);
    if (type === 'html') return htmlBlocks(decode(part, { isMarkup: true, contentType }).text);
    if (type === 'text') {
      const { text } = decode(part, { isMarkup: false, contentType });
      return isMarkup.test(text) ? undefined : paragraphsOf(text);
    }
    // A document in a document has no others.
    if (type === 'docx')
      return (await readDocx(part, { budget, readAltChunk: async () => undefined })).blocks;
    return undefined;
  };
  const readAltChunk = (part: Uint8Array, contentType: string) =>
    readPart(part, contentType).catch((error) => {
      if (error instanceof NotExtractable && !limits.has(error.code)) return undefined;
      throw error;
    });
  return markdownOf((await readDocx(bytes, { budget, readAltChunk })).blocks);
}

/** RTF and MHTML. */
const isMarkup = /^\s*(?:\{\\rtf|(?:MIME-Version|From|Content-Type):)/i;

/** What ends the reading of the whole file. */
const limits = new Set(['document_too_complex', 'document_too_large']);

const paragraphsOf = (text: string): Block[] =>
  text
    .split(/\n\s*\n/)
    .flatMap((paragraph) => (paragraph.trim() ? [{ type: 'paragraph', text: paragraph }] : []));
