/** Converts HTML to Markdown with headings, so that the text keeps its sections. */

import type { Block, BlockSink } from '../blocks.ts';
import { TooComplex } from '../html/parse.ts';
import { readHtml } from '../html/read.ts';
import { markdownWriter } from '../markdown.ts';
import { NotExtractable } from '../types.ts';

/** A file of 25 MB may have so many elements. The limit of the process's memory may be reached before. */
const maxElements = 3_000_000;

/** @throws NotExtractable if the markup makes too many elements */
export function htmlText(source: string): string {
  const markdown = markdownWriter();
  readInto(source, markdown.write);
  return markdown.text();
}

/** The HTML in a document of another type. @throws NotExtractable if the markup makes too many elements */
export function htmlBlocks(source: string): Block[] {
  const blocks: Block[] = [];
  readInto(source, (block) => void blocks.push(block));
  return blocks;
}

function readInto(source: string, sink: BlockSink): void {
  try {
    readHtml(source, sink, maxElements);
  } catch (error) {
    if (!(error instanceof TooComplex)) throw error;
    throw new NotExtractable('document_too_complex', `The HTML is too complex: ${error.message}.`);
  }
}
