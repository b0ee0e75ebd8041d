/** Converts HTML to Markdown with headings, so that the text keeps its sections. */

import type { Block } from '../readers/blocks.ts';
import { TooComplex } from '../readers/html/parse.ts';
import { readHtml } from '../readers/html/read.ts';
import { markdownOf } from '../readers/markdown.ts';
import { NotExtractable } from '../readers/types.ts';

/** A file of 25 MB may have so many elements. The limit of the process's memory may be reached before. */
const maxElements = 3_000_000;

/** @throws NotExtractable if the markup makes too many elements */
export const htmlText = (source: string): string => markdownOf(htmlBlocks(source));

/** @throws NotExtractable if the markup makes too many elements */
export function htmlBlocks(source: string): Block[] {
  const blocks: Block[] = [];
  try {
    readHtml(source, (block) => void blocks.push(block), maxElements);
  } catch (error) {
    if (!(error instanceof TooComplex)) throw error;
    throw new NotExtractable('document_too_complex', `The HTML is too complex: ${error.message}.`);
  }
  return blocks;
}
