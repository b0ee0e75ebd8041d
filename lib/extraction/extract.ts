/** The text of a file. Pure, for any input; time and memory have no limit here (bounded-process.ts has one). */

import { readCsv } from '../readers/csv.ts';
import { notesOf } from '../readers/encoding/decode.ts';
import { markdownWriter } from '../readers/markdown.ts';
import { summed } from '../readers/notes.ts';
import { type ExtractedText, maxTextBytes, NotExtractable } from '../readers/types.ts';
import { hasTerm } from '../text/terms.ts';
import { type FileHint, type TypedFile, typeFile } from './file-type.ts';
import { readPdf } from './pdf/read-pdf.ts';
import { readBlocks } from './read-blocks.ts';

/** @throws NotExtractable with the reason */
export async function extractText(bytes: Uint8Array, hint: FileHint = {}): Promise<ExtractedText> {
  const file = typeFile(bytes, hint);
  const result = await readFile(file);
  // Some files have halves of characters, or are filled up with null characters.
  const text = result.text.toWellFormed().replaceAll('\0', '');
  requireSize(text);
  if (!hasTerm(text)) {
    const reason = file.type === 'pdf' ? ' A scan must be recognised (OCR) before it is uploaded.' : '';
    throw new NotExtractable('no_text', `The file contains no text.${reason}`);
  }
  const ofDecoding = 'decoded' in file ? notesOf(file.decoded) : [];
  return { ...result, text, notes: summed([...ofDecoding, ...result.notes]) };
}

async function readFile(file: TypedFile): Promise<ExtractedText> {
  if (file.type === 'pdf') return { ...(await readPdf(file.bytes)), mimeType: 'text/plain' };
  if (file.type === 'csv' || file.type === 'text')
    return {
      text: tableOrText(file.decoded.text, file.type === 'csv'),
      mimeType: 'text/markdown',
      notes: [],
    };
  const markdown = markdownWriter();
  const { notes, title } = await readBlocks(file, markdown.write);
  return { text: markdown.text(), mimeType: 'text/markdown', notes, title };
}

/** @returns CSV as a table of Markdown, unless that is too large for a document: pieces keep the rows of both */
function tableOrText(text: string, isCsv: boolean): string {
  requireSize(text);
  const markdown = markdownWriter();
  if (!readCsv(text, markdown.write, isCsv)) return text;
  const table = markdown.text();
  return Buffer.byteLength(table) > maxTextBytes ? text : table;
}

/** @throws NotExtractable if the text is too large */
function requireSize(text: string): void {
  if (Buffer.byteLength(text) <= maxTextBytes) return;
  throw new NotExtractable('document_too_large', 'The text of the file is larger than 5 MB.');
}
