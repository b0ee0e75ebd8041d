/** Gives a file to the reader of its type. */

import type { Block, BlockSink, ExtractionNote } from '../readers/blocks.ts';
import { readCsv } from '../readers/csv.ts';
import { notesOf } from '../readers/encoding/decode.ts';
import { TooComplex } from '../readers/html/parse.ts';
import { readHtml } from '../readers/html/read.ts';
import { readMail } from '../readers/mail/read.ts';
import { summed } from '../readers/notes.ts';
import { readPlain } from '../readers/plain.ts';
import { readRtf } from '../readers/rtf/read.ts';
import { type ExtractedText, NotExtractable } from '../readers/types.ts';
import { maxUnpackedBytes, readDocx } from './docx/read-docx.ts';
import { type TypedFile, typeFile } from './file-type.ts';

/** A file of 25 MB may have so many elements. The limit of the process's memory may be reached before. */
const maxElements = 3_000_000;

type ReadableFile = Exclude<TypedFile, { type: 'pdf' }>;
type Result = Pick<ExtractedText, 'notes' | 'title'>;

/** @throws NotExtractable */
export function readBlocks(file: ReadableFile, sink: BlockSink): Promise<Result> {
  return read(file, sink).catch((error) => {
    if (!(error instanceof TooComplex)) throw error;
    throw new NotExtractable('document_too_complex', `The HTML is too complex: ${error.message}.`);
  });
}

async function read(file: ReadableFile, sink: BlockSink): Promise<Result> {
  switch (file.type) {
    case 'docx':
      return docxBlocks(file.bytes, sink);
    case 'mail':
      return { notes: await readMail(file.bytes, sink, maxElements) };
    case 'rtf':
      return { notes: readRtf(Buffer.from(file.bytes).toString('latin1'), sink) };
    case 'html':
      return { notes: readHtml(file.decoded.text, sink, maxElements) };
    default:
      if (!readCsv(file.decoded.text, sink, file.type === 'csv')) readPlain(file.decoded.text, sink);
      return { notes: [] };
  }
}

/** A document may have files of other types in it (altChunk). */
async function docxBlocks(bytes: Uint8Array, sink: BlockSink): Promise<Result> {
  // The documents in the document take from the same budget.
  const budget = { bytes: maxUnpackedBytes };
  const all: ExtractionNote[] = [];
  const readPart = async (part: Uint8Array, contentType: string): Promise<readonly Block[] | undefined> => {
    const file = typeFile(part, { contentType });
    if (file.type === 'pdf') return undefined;
    // The documents in a document in the document are not read.
    if (file.type === 'docx') {
      const { blocks, notes } = await readDocx(part, { budget, readAltChunk: async () => undefined });
      all.push(...notes);
      return blocks;
    }
    const blocks: Block[] = [];
    all.push(...(await readBlocks(file, (block) => void blocks.push(block))).notes);
    if ('decoded' in file) all.push(...notesOf(file.decoded));
    return blocks;
  };
  const readAltChunk = (part: Uint8Array, contentType: string) =>
    readPart(part, contentType).catch((error) => {
      if (error instanceof NotExtractable && !limits.has(error.code)) return undefined;
      throw error;
    });
  const { blocks, notes, title } = await readDocx(bytes, { budget, readAltChunk });
  for (const block of blocks) sink(block);
  return { notes: summed([...notes, ...all]), title };
}

/** These errors end the reading of the whole file. */
const limits = new Set(['document_too_complex', 'document_too_large']);
