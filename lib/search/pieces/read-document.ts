/** Splits a document into chunks, and chunks into terms. Pure, for any input. The thread runs this. */

import type { ExtractionNote } from '../../readers/blocks.ts';
import { TooComplex } from '../../readers/html/parse.ts';
import { readHtml } from '../../readers/html/read.ts';
import { markdownWriter } from '../../readers/markdown.ts';
import { type Section, sectionsOf } from '../../readers/sections.ts';
import { type ReadPage, readPage } from '../../readers/web-page/read-page.ts';
import { currentAlgorithm, termsOfChunks } from '../index/algorithms.ts';
import type { ChunkTerms } from '../index/common/terms.ts';
import { chunksOf } from './chunk.ts';

/** An error, or a warning of the job, as in the API. */
export type Finding = { code: string; message: string };

export type Reading = {
  /** Empty if there is an error. */
  chunks: readonly Section[];
  error: Finding | null;
  /** What the reader of HTML has left out. */
  notes: readonly ExtractionNote[];
};

export type Readable = { title: string; content: string; mimeType: string };

/** The operations of the thread. */
export type Task =
  | { kind: 'page'; html: string }
  | { kind: 'read'; document: Readable }
  | { kind: 'terms'; document: { title: string; chunks: readonly Section[] }; algorithm: string };
export type Outcome<Some extends Task> = {
  page: ReadPage | null;
  read: Reading;
  terms: readonly ChunkTerms[];
}[Some['kind']];

export const failure = (code: string, message: string): Reading => ({
  chunks: [],
  error: { code, message },
  notes: [],
});

export function perform(task: Task): Outcome<Task> {
  switch (task.kind) {
    case 'page':
      return readPageIfSimple(task.html);
    case 'read':
      return readDocument(task.document);
    case 'terms':
      return termsOfChunks(task.algorithm, task.document);
  }
}

/** @returns null if the markup expands too far */
function readPageIfSimple(html: string): ReadPage | null {
  try {
    return readPage(html);
  } catch (error) {
    if (error instanceof TooComplex) return null;
    throw error;
  }
}

export function readDocument({ title, content, mimeType }: Readable): Reading {
  try {
    const { chunks, notes } =
      mimeType === 'text/html' ? fromHtml(content) : { chunks: chunksOf(content), notes: [] };
    if (chunks.length === 0) return { ...failure('no_text', 'The document contains no text.'), notes };
    // The index needs them later. If this takes too long, the document should fail now, on its own.
    termsOfChunks(currentAlgorithm, { title, chunks });
    return { chunks, error: null, notes };
  } catch (error) {
    if (error instanceof TooComplex) return failure('document_too_complex', `Not read: ${error.message}.`);
    return failure('unreadable', 'The content does not match its mimeType.');
  }
}

function fromHtml(content: string): Pick<Reading, 'chunks' | 'notes'> {
  const markdown = markdownWriter();
  const notes = readHtml(content, markdown.write);
  return { chunks: chunksOf(sectionsOf(markdown.text())), notes };
}
