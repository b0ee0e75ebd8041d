/** The text of a file. Pure, for any input; time and memory have no limit here (bounded-process.ts has one). */

import { decode } from '../readers/encoding/decode.ts';
import { type ExtractedText, type FileType, maxTextBytes, NotExtractable } from '../readers/types.ts';
import { hasTerm } from '../text/terms.ts';
import { docxText } from './docx-text.ts';
import { fileTypeOf } from './file-type.ts';
import { htmlText } from './html-text.ts';
import { pdfText } from './pdf-text.ts';

/**
 * @param type by default, the type that the content shows
 * @throws NotExtractable with the reason
 */
export async function extractText(
  bytes: Uint8Array,
  type: FileType = fileTypeOf(bytes),
): Promise<ExtractedText> {
  const result = await extractAs(bytes, type);
  // Some files contain characters that are not well-formed.
  const text = result.text.toWellFormed();
  if (Buffer.byteLength(text) > maxTextBytes) {
    throw new NotExtractable('document_too_large', 'The text of the file is larger than 5 MB.');
  }
  if (!hasTerm(text)) {
    const reason = type === 'pdf' ? ' A scan must be recognised (OCR) before it is uploaded.' : '';
    throw new NotExtractable('no_text', `The file contains no text.${reason}`);
  }
  return { ...result, text };
}

async function extractAs(bytes: Uint8Array, type: FileType): Promise<ExtractedText> {
  switch (type) {
    case 'pdf':
      return { text: await pdfText(bytes), mimeType: 'text/plain' };
    case 'docx':
      return { text: await docxText(bytes), mimeType: 'text/markdown' };
    case 'html':
      return { text: htmlText(decode(bytes, { isMarkup: true }).text), mimeType: 'text/markdown' };
    case 'text':
      // Plain text and Markdown are indexed in the same way.
      return { text: decode(bytes, { isMarkup: false }).text, mimeType: 'text/markdown' };
  }
}
